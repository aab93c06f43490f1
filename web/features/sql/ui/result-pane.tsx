import { memo, useMemo, useState } from 'react';
import type { TableSummary } from '#shared/api/tables.ts';
import { useSession, useTableDetail } from '../../../api/index.ts';
import { formatBytes } from '../../../ui/format-quantity.ts';
import { Button, EmptyState, ErrorNote, ProgressBar, Split } from '../../../ui/index.ts';
import {
  createStaticSource,
  type GridColumn,
  gridColumnsOfArrow,
  RowsGrid,
  useGridLayout,
} from '../../grid/index.ts';
import type { RunProgress, SqlResult } from '../model/run-sql.ts';
import { planSamples, type Sample } from '../model/samples.ts';
import type { Run } from '../runs.ts';
import { ResultRow } from './result-row.tsx';
import styles from './sql-page.module.css';

export interface ResultPaneProps {
  run: Run | undefined;
  /** Shows the error's place in the editor. */
  onShowError: () => void;
  onSample: (sample: Sample) => void;
}

/** Rows of the newest result; an error in their place; before the first, statements to begin with. */
export const ResultPane = memo(function ResultPane({ run, onShowError, onSample }: ResultPaneProps) {
  if (!run) return <Samples onSample={onSample} />;
  const { error, progress, result } = run;
  return (
    <div className={styles.result} aria-busy={progress !== null}>
      {progress && <Progress progress={progress} />}
      {error && (
        <ErrorNote
          isWhole={result === null}
          error={error}
          title={error.at ? `Line ${error.at.line}, column ${error.at.column}` : undefined}
          actions={
            error.at && (
              <Button size="s" onClick={onShowError}>
                Show the place
              </Button>
            )
          }
        />
      )}
      {result && !error && <ResultGrid key={result.sql} result={result} />}
    </div>
  );
});

function Progress({ progress }: { progress: RunProgress }) {
  const isFetching = progress.phase === 'fetching';
  return (
    <ProgressBar
      className={styles.progress}
      label={isFetching ? 'Fetching columns' : 'Running the statement'}
      done={isFetching ? progress.doneBytes : 0}
      total={isFetching ? progress.totalBytes : null}
      detail={
        isFetching ? `${formatBytes(progress.doneBytes)} of ${formatBytes(progress.totalBytes)}` : undefined
      }
    />
  );
}

const rowIdColumn: GridColumn = {
  name: '_rowid',
  type: 'uint64',
  parsed: { kind: 'uint64' },
  role: 'number',
  kind: 'number',
  description: 'The id of the row in its table',
  isHidden: false,
  isKey: false,
};

function ResultGrid({ result }: { result: SqlResult }) {
  const { rows } = result;
  const source = useMemo(() => createStaticSource(rows), [rows]);
  const columns = useMemo(() => {
    const at = rows.table.schema.fields.findIndex(({ name }) => name === rowIdColumn.name);
    const others = gridColumnsOfArrow(rows);
    return at === -1 ? others : [...others.slice(0, at), rowIdColumn, ...others.slice(at)];
  }, [rows]);
  const [layout, setLayout] = useGridLayout('sql');
  const [open, setOpen] = useState<number | null>(null);
  const grid = (
    <RowsGrid
      source={source}
      columns={columns}
      layout={layout}
      onLayoutChange={setLayout}
      activeRow={open ?? undefined}
      onActiveRow={(_row, index) => open !== null && setOpen(index)}
      onOpenRow={({ index }) => setOpen(index)}
      empty={<EmptyState title="No rows">The statement ran and found nothing.</EmptyState>}
    />
  );
  const total = rows.table.numRows;
  return (
    <Split
      name="sql.row"
      label="the row"
      sized="end"
      initial={360}
      min={240}
      minRest={280}
      start={grid}
      end={
        open !== null &&
        open < total && (
          <ResultRow
            source={source}
            columns={columns}
            index={open}
            total={total}
            onStep={setOpen}
            onClose={() => setOpen(null)}
          />
        )
      }
    />
  );
}

/** Statements over the tables that are there, to begin with. */
function Samples({ onSample }: { onSample: (sample: Sample) => void }) {
  const { data: session } = useSession();
  const tables = session?.tables ?? [];
  const [best] = [...tables].sort(
    (a, b) => Number(a.preview === null) - Number(b.preview === null) || a.rows - b.rows,
  );
  if (!session) return null;
  if (!best)
    return (
      <EmptyState title="There are no tables yet">
        Import files on the tables page; then ask anything about them here in SQL.
      </EmptyState>
    );
  return <SamplesOf table={best} others={tables.filter((table) => table !== best)} onSample={onSample} />;
}

function SamplesOf({
  table,
  others,
  onSample,
}: {
  table: TableSummary;
  others: TableSummary[];
  onSample: (sample: Sample) => void;
}) {
  const { data } = useTableDetail(table.name, 'main');
  const branches = table.branches.map(({ name }) => name).filter((name) => name !== 'main');
  const samples = [
    ...planSamples({ name: table.name, rows: table.rows, columns: data?.columns ?? [], branches }),
    ...others
      .slice(0, 2)
      .flatMap((other) => planSamples({ name: other.name, rows: other.rows, columns: [], branches: [] })),
  ];
  return (
    <div className={styles.begin}>
      <EmptyState
        title="Ask in SQL"
        action={
          <ul className={styles.samples} aria-label="Statements to begin with">
            {samples.map((sample) => (
              <li key={sample.sql}>
                <button type="button" className={styles.sample} onClick={() => onSample(sample)}>
                  <span>{sample.title}</span>
                  <code>{sample.sql.replace(/\s+/g, ' ')}</code>
                </button>
              </li>
            ))}
          </ul>
        }
      >
        A name is a table; “{table.name}@branch”, “@branch:version” or “@tag:name” in quotes is another ref of
        it. Begin with one of these:
      </EmptyState>
    </div>
  );
}
