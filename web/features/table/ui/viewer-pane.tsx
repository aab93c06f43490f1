import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { useCommands } from '../../../state/commands.ts';
import type { RowSelection } from '../../../state/selection.ts';
import type { TableView } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import {
  type GridColumn,
  type GridRow,
  type MediaOf,
  type RowSource,
  useRow,
  useRowsState,
} from '../../grid/index.ts';

const MediaViewer = lazy(() =>
  import('../../media/index.ts').then((module) => ({ default: module.MediaViewer })),
);
const SideBySide = lazy(() =>
  import('../../media/index.ts').then((module) => ({ default: module.SideBySide })),
);

export interface ViewerPaneProps {
  table: string;
  detail: TableDetail | undefined;
  columns: readonly GridColumn[];
  source: RowSource;
  media: MediaOf;
  view: TableView;
  setView: SetTableView;
  activeRow: number | null;
  onActiveRow: (row: GridRow | undefined, index: number) => void;
}

const fewestBeside = 2;
const mostBeside = 8;

/** The rows that can stand side by side; null where they are too few or too many. */
export function besideRows(selection: RowSelection): readonly string[] | null {
  if (selection.kind !== 'ids' || selection.ids.size < fewestBeside || selection.ids.size > mostBeside)
    return null;
  return [...selection.ids];
}

/** The viewer over the table: one row as large as the screen, or a few side by side. */
export function ViewerPane(props: ViewerPaneProps) {
  const { view, setView, source, activeRow } = props;
  const beside = besideRows(view.selection);
  useCommands([
    {
      id: 'media.view',
      title: 'Look at the row’s media on the whole screen',
      group: 'View',
      keys: ['v'],
      whyNot: () => (view.rowId !== null || activeRow !== null ? null : 'No row is chosen'),
      run: () => {
        const id = view.rowId ?? source.rowAt(activeRow ?? 0)?.id;
        if (id !== undefined) setView({ rowId: id, stage: '' });
      },
    },
    {
      id: 'media.beside',
      title: 'Selected rows side by side',
      group: 'View',
      keys: ['Shift+V'],
      whyNot: () => (beside ? null : `Select ${fewestBeside} to ${mostBeside} rows`),
      run: () => setView({ isBeside: true }),
    },
  ]);
  if (view.isBeside && beside) return <Beside {...props} rowIds={beside} />;
  return view.stage !== null && view.rowId !== null ? (
    <Viewer {...props} rowId={view.rowId} stage={view.stage} />
  ) : null;
}

function Viewer(props: ViewerPaneProps & { rowId: string; stage: string }) {
  const { table, source, view, setView, activeRow, onActiveRow, rowId, stage } = props;
  const state = useRowsState(source);
  const { row, error } = useRow({ table, ref: state.facts?.ref ?? view.refText, rowId, source });
  const [awaited, setAwaited] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for when rows come
  useEffect(() => {
    const found = awaited === null ? undefined : source.rowAt(awaited);
    if (!found || awaited === null) return;
    setAwaited(null);
    onActiveRow(found, awaited);
  }, [awaited, source, state.revision]);
  const step = (index: number) => {
    const found = source.rowAt(index);
    if (found) return onActiveRow(found, index);
    setAwaited(index);
    source.show(Math.max(0, index - 8), index + 40);
  };
  return (
    <Suspense fallback={null}>
      <MediaViewer
        {...viewerProps(props)}
        row={row}
        error={error}
        column={stage}
        index={activeRow}
        total={state.total}
        onColumn={(column) => setView({ stage: column }, { replace: true })}
        onStep={step}
        onClose={() => setView({ stage: null })}
      />
    </Suspense>
  );
}

const viewerProps = ({ table, detail, columns, source, media }: ViewerPaneProps) => ({
  table,
  detail,
  columns,
  source,
  media,
});

function Beside({
  rowIds,
  ...props
}: ViewerPaneProps & { rowIds: ComponentProps<typeof SideBySide>['rowIds'] }) {
  const { source, view, setView } = props;
  return (
    <Suspense fallback={null}>
      <SideBySide
        {...viewerProps(props)}
        pinnedRef={source.getState().facts?.ref ?? view.refText}
        rowIds={rowIds}
        onOpen={(rowId, column) => setView({ rowId, stage: column, isBeside: false })}
        onClose={() => setView({ isBeside: false })}
      />
    </Suspense>
  );
}
