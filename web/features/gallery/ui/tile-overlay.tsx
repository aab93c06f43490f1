import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { GridColumn, GridRow, RowSource } from '../../grid/index.ts';

const TileAnnotations = lazy(() =>
  import('../../media/index.ts').then((module) => ({ default: module.TileAnnotations })),
);

interface OverlayScene {
  table: string;
  columns: readonly GridColumn[];
  detail: TableDetail | undefined;
  source: RowSource;
}

const SceneContext = createContext<OverlayScene | null>(null);

/** What tiles need to draw annotations over their pictures. */
export function TileOverlayProvider({
  table,
  columns,
  detail,
  source,
  children,
}: OverlayScene & { children: ReactNode }) {
  const scene = useMemo(() => ({ table, columns, detail, source }), [table, columns, detail, source]);
  return <SceneContext value={scene}>{children}</SceneContext>;
}

/** The annotations of a tile: under the pointer, or always where the person wants it so. */
export function TileOverlay({ row, media, isOver }: { row: GridRow; media: string; isOver: boolean }) {
  const scene = useContext(SceneContext);
  if (!scene) return null;
  return (
    <Suspense fallback={null}>
      <TileAnnotations {...scene} row={row} media={media} isOver={isOver} />
    </Suspense>
  );
}
