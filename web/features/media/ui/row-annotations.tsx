import { useMemo } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import {
  type GridColumn,
  type GridRow,
  mediaOfTable,
  type RowSource,
  useRowsState,
} from '../../grid/index.ts';
import { cellsOfRow, detectInTable, filterSets, layoutsFor, readSets } from '../model/annotation-sets.ts';
import { useMediaFacts } from '../queries.ts';
import { useMediaLook } from '../store.ts';
import { AnnotationLayer } from './annotation-layer.tsx';
import { usePictureMasks } from './use-picture-masks.ts';

/** The layouts of annotations that are drawn on a media column of a table. */
export function useAnnotationLayouts({
  columns,
  detail,
  source,
  media,
}: {
  columns: readonly GridColumn[];
  detail: Pick<TableDetail, 'columns'> | undefined;
  source: RowSource;
  /** The media column. */
  media: string;
}): readonly AnnotationLayout[] {
  useRowsState(source);
  return detectOnce({ columns, detail, source, media });
}

interface Found {
  detail: unknown;
  place: string;
  byMedia: Map<string, readonly AnnotationLayout[]>;
}

const found = new WeakMap<readonly GridColumn[], Found>();

/** Guessed once the first rows are there, for all tiles of a table, not for every window of rows. */
function detectOnce({ columns, detail, source, media }: Parameters<typeof useAnnotationLayouts>[0]) {
  const place = `${source.placeKey ?? ''} ${source.rowAt(0) !== undefined}`;
  let known = found.get(columns);
  if (known?.detail !== detail || known?.place !== place) {
    known = { detail, place, byMedia: new Map() };
    found.set(columns, known);
  }
  let layouts = known.byMedia.get(media);
  if (!layouts) {
    layouts = layoutsFor(detectInTable(columns, detail, source).layouts, media);
    known.byMedia.set(media, layouts);
  }
  return layouts;
}

export interface RowAnnotationsProps {
  table: string;
  row: GridRow;
  columns: readonly GridColumn[];
  /** The media column that is drawn on. */
  media: string;
  layouts: readonly AnnotationLayout[];
  className?: string;
}

/** The annotations of a row over its picture, which is fitted into the same box; filtered as the viewer is. */
export function RowAnnotations({ table, row, columns, media, layouts, className }: RowAnnotationsProps) {
  const [look] = useMediaLook(table);
  const facts = useMediaFacts(
    { table, ref: row.ref ?? 'main', column: media, rowId: row.id },
    layouts.length > 0,
  );
  const { width = null, height = null } = facts.data ?? {};
  const size = useMemo(() => (width !== null && height !== null ? { width, height } : null), [width, height]);
  const mediaOf = useMemo(() => mediaOfTable(table), [table]);
  const masks = usePictureMasks(layouts, { row, media: mediaOf });
  const sets = useMemo(
    () => (size ? filterSets(readSets(cellsOfRow(row, columns), layouts, size), look) : []),
    [size, row, columns, layouts, look],
  );
  if (!size) return null;
  return (
    <AnnotationLayer
      sets={sets}
      size={size}
      className={className}
      pictures={masks
        .filter(({ name }) => !look.hiddenSets.includes(name))
        .map((mask) => ({ name: mask.name, href: mask.paint(look.hiddenClasses) }))}
    />
  );
}

export interface StageAnnotationsProps extends Omit<RowAnnotationsProps, 'layouts'> {
  detail: Pick<TableDetail, 'columns'> | undefined;
  source: RowSource;
}

/** The annotations of a row over its picture, as far as the person wants to see them. */
export function StageAnnotations({ detail, source, ...props }: StageAnnotationsProps) {
  const [look] = useMediaLook(props.table);
  const layouts = useAnnotationLayouts({ columns: props.columns, detail, source, media: props.media });
  return look.hasAnnotations && layouts.length > 0 ? <RowAnnotations {...props} layouts={layouts} /> : null;
}
