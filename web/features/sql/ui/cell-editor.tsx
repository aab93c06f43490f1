import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { useStore } from 'zustand';
import type { AppError } from '#shared/api/problem.ts';
import { type Cell, setCellBody } from '#shared/sql/cells.ts';
import type { Caret } from '../model/targets.ts';
import { columnsOfStatement, type LivePlan } from '../queries.ts';
import { composeOf, type Run, runStore } from '../runs.ts';
import { type SqlTab, setStatement, sqlStore } from '../store.ts';
import type { SqlEditorHandle } from './sql-editor.tsx';
import styles from './sql-page.module.css';

const SqlEditor = lazy(() => import('./sql-editor.tsx'));

export interface CellEditorProps {
  tab: SqlTab;
  cells: readonly Cell[];
  index: number;
  live: LivePlan | null;
  handle: (editor: SqlEditorHandle | null) => void;
  onCaret: (caret: Caret) => void;
  onRun: () => void;
  onRunOn?: () => void;
  onFocus?: () => void;
  onHeight?: (heightPx: number) => void;
  hasFocus: boolean;
}

/** The text of one cell: what is typed goes to the tab, errors are underlined where they stand. */
export function CellEditor({
  tab,
  cells,
  index,
  live,
  handle,
  onCaret,
  hasFocus,
  ...events
}: CellEditorProps) {
  const cell = cells[index] as Cell;
  const runs = useStore(runStore, (state) => state.runs);
  const before = useMemo(() => cells.slice(0, index).map(({ name }) => name), [cells, index]);
  const client = useQueryClient();
  const describe = async (sql: string) => {
    const target = { cell: index, statement: { text: sql, start: 0, end: sql.length } };
    return columnsOfStatement(composeOf(tab, target).sql, tab.refs, client);
  };
  const label = cells.length > 1 ? `SQL of the cell ${cell.name}` : undefined;
  const change = (body: string) => {
    const now = sqlStore.getState().tabs.find(({ id }) => id === tab.id);
    if (now) setStatement(tab.id, setCellBody(now.sql, index, body));
  };
  return (
    <Suspense fallback={<PlainEditor body={cell.body} label={label} hasFocus={hasFocus} onChange={change} />}>
      <SqlEditor
        ref={handle}
        label={label}
        value={cell.body}
        refs={tab.refs}
        cells={before}
        describe={describe}
        problems={problemsOf({ tab, cells, index, runs, live })}
        onChange={change}
        onCaret={(caret) => onCaret({ ...caret, cell: index })}
        hasFocus={hasFocus}
        {...events}
      />
    </Suspense>
  );
}

interface PlainEditorProps {
  body: string;
  label: string | undefined;
  hasFocus: boolean;
  onChange: (body: string) => void;
}

/** Stands in until the editor is there: what one types is not lost. */
function PlainEditor({ body, label = 'SQL statement', hasFocus, onChange }: PlainEditorProps) {
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: the editor takes the focus as well; the screen is for writing
      autoFocus={hasFocus}
      aria-label={label}
      className={styles.plain}
      spellCheck={false}
      value={body}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface ProblemParts {
  tab: SqlTab;
  cells: readonly Cell[];
  index: number;
  runs: Readonly<Record<string, Run>>;
  live: LivePlan | null;
}

/** Errors to underline in a cell: of what ran and still stands there, else of what is being written. */
function problemsOf({ tab, cells, index, runs, live }: ProblemParts): { error: AppError; start: number }[] {
  const own = cells[index]?.name;
  const ofRuns = cells.flatMap(({ name, body }) => {
    const run = runs[`${tab.id}/${name}`];
    if (!run?.error || run.errorCell !== own) return [];
    const { start, end, text } = run.statement;
    return body.slice(start, end) === text ? [{ error: run.error, start: 0 }] : [];
  });
  if (ofRuns.length > 0) return ofRuns.slice(0, 1);
  return live?.error && live.errorCell === index ? [{ error: live.error, start: 0 }] : [];
}
