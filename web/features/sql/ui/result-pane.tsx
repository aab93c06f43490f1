import { memo, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { TableSummary } from '#shared/api/tables.ts';
import { type ArrowRows, useSession, useTableDetail } from '../../../api/index.ts';
import { runCommand } from '../../../state/commands.ts';
import { formatBytes, formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { EmptyState, ProgressBar, Segmented, Split } from '../../../ui/index.ts';
import {
  createStaticSource,
  type GridColumn,
  gridColumnsOfArrow,
  RowsGrid,
  useGridLayout,
} from '../../grid/index.ts';
import { explainStore, showPlan } from '../explain.ts';
import type { RunProgress, SqlResult, SqlRows } from '../model/run-sql.ts';
import { planSamples, type Sample } from '../model/samples.ts';
import { describeProgress } from '../model/truth.ts';
import { placeOfRun, type Run, runStore } from '../runs.ts';
import { setChart, sqlStore } from '../store.ts';
import { ChartPane } from './chart-pane.tsx';
import { ExplainView } from './explain-view.tsx';
import { ExportMenu } from './export-menu.tsx';
import { type ErrorWays, ResultError } from './result-error.tsx';
import { ResultRow } from './result-row.tsx';
import styles from './sql-page.module.css';

export interface ResultPaneProps extends ErrorWays {
  /** Whose result; see `runKey`. */
  runKey: string;
  /** Stands in a list: as high as what it says. */
  isInline?: boolean;
  /** Runs a statement to begin with, while nothing is written. */
  onSample?: (sample: Sample) => void;
}

type ResultView = 'rows' | 'chart' | 'plan';

/** What a cell shows: its plan for now, else its rows, with the chart that its tab keeps. */
function useResultView(runKey: string): ResultView {
  const { tabId, cell } = placeOfRun(runKey);
  const isPlan = useStore(explainStore, (state) => state.shown[runKey] === true);
  const isChart = useStore(
    sqlStore,
    ({ tabs }) => tabs.find(({ id }) => id === tabId)?.charts[cell] !== undefined,
  );
  return isPlan ? 'plan' : isChart ? 'chart' : 'rows';
}

/** Charts that were put away, so that they come back as they were. */
const putAway = new Map<string, string>();

function showRowsOrChart(runKey: string, view: 'rows' | 'chart'): void {
  const { tabId, cell } = placeOfRun(runKey);
  const shown = sqlStore.getState().tabs.find(({ id }) => id === tabId)?.charts[cell];
  showPlan(runKey, false);
  if (view === 'chart') setChart(tabId, cell, shown ?? putAway.get(runKey) ?? '');
  else {
    if (shown !== undefined) putAway.set(runKey, shown);
    setChart(tabId, cell, null);
  }
}

/** Rows, chart or plan of the newest result; an error in their place; before the first, statements to begin with. */
export const ResultPane = memo(function ResultPane({
  runKey,
  onSample,
  isInline = false,
  ...ways
}: ResultPaneProps) {
  const run = useStore(runStore, (state) => state.runs[runKey]);
  const explained = useStore(explainStore, (state) => state.explained[runKey]);
  const view = useResultView(runKey);
  if (!run && !explained) return onSample ? <Samples onSample={onSample} /> : <NothingYet />;
  const { error = null, progress = null, result = null, arriving = null } = run ?? {};
  const hasViews = (result !== null || explained !== undefined) && error === null;
  return (
    <div className={styles.result} aria-busy={progress !== null}>
      {hasViews && <ViewChoice runKey={runKey} view={view} result={result} />}
      {progress && !arriving && <Progress progress={progress} />}
      {view === 'plan' && explained && !error ? (
        <ExplainView explained={explained} />
      ) : (
        <>
          {error && (
            <ResultError
              runKey={runKey}
              run={run as Run}
              error={error}
              isWhole={result === null && !isInline}
              {...ways}
            />
          )}
          {arriving && !error && <Arriving key="arriving" arriving={arriving} />}
          {result && !error && !arriving && (
            <ResultGrid key={result.sql} runKey={runKey} result={result} view={view} />
          )}
        </>
      )}
    </div>
  );
});

/** EXPLAIN gives a text, not rows to draw. */
const canBeDrawn = ({ sql, rows }: SqlResult): boolean =>
  rows.table.numRows > 0 && !/^\s*explain\b/i.test(sql);

const NothingYet = () => (
  <div className={styles.begin}>
    <EmptyState title="Nothing has run yet">Ctrl+Enter runs the statement at the caret.</EmptyState>
  </div>
);

function ViewChoice({
  runKey,
  view,
  result,
}: {
  runKey: string;
  view: ResultView;
  result: SqlResult | null;
}) {
  return (
    <div className={styles.views}>
      <Segmented<ResultView>
        label="Result as"
        value={view}
        onChange={(next) => (next === 'plan' ? runCommand('sql.explain') : showRowsOrChart(runKey, next))}
        options={[
          { value: 'rows', label: 'Rows' },
          ...(result && canBeDrawn(result) ? [{ value: 'chart' as const, label: 'Chart' }] : []),
          { value: 'plan', label: 'Plan' },
        ]}
      />
      {result?.isCut && view !== 'plan' && (
        <>
          <span className={styles.cut}>
            The first {formatCount(result.rows.table.numRows)}
            {result.total === null ? ' rows; there are more.' : ` of ${formatOf(result.total, 'row')}.`}
          </span>
          <ExportMenu result={result} label="Export all rows" />
        </>
      )}
    </div>
  );
}

/** Rows that are there while the statement goes on. */
function Arriving({ arriving }: { arriving: SqlRows }) {
  const { rows } = arriving;
  return (
    <>
      <div className={styles.views} role="status">
        <span className={styles.cut}>
          {formatOf(rows.table.numRows, 'row')} so far, more are coming from{' '}
          {arriving.engine === 'browser' ? 'the browser’s engine' : 'the server'}
        </span>
      </div>
      <Rows rows={rows} />
    </>
  );
}

function Progress({ progress }: { progress: RunProgress }) {
  const isFetching = progress.phase === 'fetching';
  const isWaiting = progress.phase === 'waiting' || progress.phase === 'queued';
  const [said = 'Running the statement'] = describeProgress(progress, 0);
  return (
    <ProgressBar
      className={styles.progress}
      label={isFetching ? 'Fetching columns' : said}
      done={isFetching ? progress.doneBytes : 0}
      total={isFetching ? progress.totalBytes : null}
      detail={
        isFetching
          ? `${formatBytes(progress.doneBytes)} of ${formatBytes(progress.totalBytes)}`
          : isWaiting
            ? said
            : undefined
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

function ResultGrid({ runKey, result, view }: { runKey: string; result: SqlResult; view: ResultView }) {
  const rows = <Rows rows={result.rows} />;
  return (
    <Split
      name="sql.chart"
      label="the chart"
      sized="end"
      initial={480}
      min={320}
      minRest={240}
      start={rows}
      end={view === 'chart' && <ChartPane runKey={runKey} result={result} />}
    />
  );
}

function Rows({ rows }: { rows: ArrowRows }) {
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
