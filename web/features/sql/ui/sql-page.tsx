import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useSearch as useRawSearch } from 'wouter/use-browser-location';
import { useStore } from 'zustand';
import type { AppError } from '#shared/api/problem.ts';
import { type StatementSpan, splitStatements, statementAt } from '#shared/sql/split-statements.ts';
import { getBrowserEngine } from '../../../engine/index.ts';
import { goTo, sqlPath } from '../../../state/addresses.ts';
import { useCommands } from '../../../state/commands.ts';
import { Button, EmptyState, Page, PageTitle, Split } from '../../../ui/index.ts';
import type { Sample } from '../model/samples.ts';
import { formatSqlLink, parseSqlLink } from '../model/sql-link.ts';
import { useLivePlan } from '../queries.ts';
import { cancelRun, type Run, runStore, startRun } from '../runs.ts';
import { activeTab, addTab, openStatement, type SqlTab, setStatement, sqlStore } from '../store.ts';
import { ResultPane } from './result-pane.tsx';
import type { SqlEditorHandle } from './sql-editor.tsx';
import styles from './sql-page.module.css';
import { StatusLine } from './status-line.tsx';
import { TabStrip } from './tab-strip.tsx';
import { TableTree } from './table-tree.tsx';
import { Toolbar } from './toolbar.tsx';

const SqlEditor = lazy(() => import('./sql-editor.tsx'));

/** The SQL workbench: tables at the left, the statement above, its rows below. */
export function SqlPage({ queryId }: { queryId?: string }) {
  if (queryId !== undefined) return <NoSavedQuery />;
  return <Workbench />;
}

function NoSavedQuery() {
  return (
    <Page bar={<PageTitle>SQL</PageTitle>}>
      <EmptyState
        title="There is no saved query with this address"
        action={
          <Button look="primary" onClick={() => goTo(sqlPath)}>
            Open the workbench
          </Button>
        }
      >
        It may have been deleted, or the link may be mistyped.
      </EmptyState>
    </Page>
  );
}

interface Caret {
  offset: number;
  selection: { start: number; end: number } | null;
}

/** What Run runs: the selection where there is one, else the statement at the caret. */
function chosenStatement({ sql }: SqlTab, { offset, selection }: Caret): StatementSpan | null {
  if (!selection) return statementAt(sql, offset);
  const text = sql.slice(selection.start, selection.end);
  const spans = splitStatements(text);
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return statementAt(sql, offset);
  const [start, end] = [selection.start + first.start, selection.start + last.end];
  return { text: sql.slice(start, end), start, end };
}

function Workbench() {
  const client = useQueryClient();
  const tab = useStore(sqlStore, activeTab);
  const run = useStore(runStore, (state) => state.runs[tab.id]);
  const editor = useRef<SqlEditorHandle>(null);
  const [caret, setCaret] = useState<Caret>({ offset: 0, selection: null });
  useStatementOfAddress();
  useEffect(() => getBrowserEngine().warm(), []);

  const statement = statementAt(tab.sql, caret.offset);
  const live = useLivePlan(statement, tab.refs, client);
  const runNow = (chosen = chosenStatement(tab, caret)) => {
    if (!chosen) return;
    goTo(formatSqlLink({ sql: tab.sql, refs: tab.refs }), { replace: true });
    void startRun(tab, chosen, client);
  };
  useCommands([
    {
      id: 'sql.run',
      title: 'Run the statement',
      group: 'SQL',
      keys: ['Mod+Enter'],
      whyNot: () => (tab.sql.trim() === '' ? 'Write a statement first.' : null),
      run: () => runNow(),
    },
    {
      id: 'sql.cancel',
      title: 'Cancel the statement',
      group: 'SQL',
      keys: ['Mod+.'],
      whyNot: () => (run?.progress ? null : 'Nothing runs.'),
      run: () => cancelRun(tab.id),
    },
    { id: 'sql.newStatement', title: 'New statement', group: 'SQL', run: addTab },
  ]);

  const latest = useRef({ tab, run, runNow });
  latest.current = { tab, run, runNow };
  const insert = useCallback((text: string) => editor.current?.insert(text), []);
  const showErrorPlace = useCallback(
    () => showError(editor.current, latest.current.tab, latest.current.run),
    [],
  );
  const runSample = useCallback(({ sql }: Sample) => {
    setStatement(latest.current.tab.id, sql);
    latest.current.runNow({ text: sql, start: 0, end: sql.length });
  }, []);
  const problems = problemsOf(tab, run, live);
  return (
    <Page
      bar={
        <>
          <PageTitle>SQL</PageTitle>
          <TabStrip />
        </>
      }
    >
      <section aria-label="SQL" className={styles.workbench}>
        <Split
          name="sql.tree"
          label="the tables"
          sized="start"
          initial={248}
          min={160}
          minRest={360}
          start={<TableTree refs={tab.refs} onInsert={insert} />}
          end={
            <Split
              name="sql.editor"
              label="the editor"
              direction="column"
              sized="start"
              initial={240}
              min={110}
              minRest={120}
              start={
                <>
                  <Toolbar tab={tab} run={run} onRun={() => runNow()} onCancel={() => cancelRun(tab.id)} />
                  <div className={styles.editor}>
                    <Suspense fallback={<PlainEditor tab={tab} />}>
                      <SqlEditor
                        key={tab.id}
                        ref={editor}
                        value={tab.sql}
                        refs={tab.refs}
                        problems={problems}
                        onChange={(sql) => setStatement(tab.id, sql)}
                        onCaret={setCaret}
                        onRun={() => runNow()}
                      />
                    </Suspense>
                  </div>
                </>
              }
              end={<ResultPane run={run} onShowError={showErrorPlace} onSample={runSample} />}
            />
          }
        />
        <StatusLine run={run} live={live} />
      </section>
    </Page>
  );
}

/** Stands in until the editor is there: what one types is not lost. */
function PlainEditor({ tab }: { tab: SqlTab }) {
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: the editor takes the focus as well; the screen is for writing
      autoFocus
      aria-label="SQL statement"
      className={styles.plain}
      spellCheck={false}
      value={tab.sql}
      onChange={(event) => setStatement(tab.id, event.target.value)}
    />
  );
}

/** A link with a statement opens it, once. */
function useStatementOfAddress(): void {
  const search = useRawSearch();
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (seen.current === search) return;
    seen.current = search;
    const link = parseSqlLink(search);
    if (link) openStatement(link.sql, link.refs);
  }, [search]);
}

/** Errors to underline: of what ran and still stands there, else of what is being written. */
function problemsOf(tab: SqlTab, run: Run | undefined, live: ReturnType<typeof useLivePlan>) {
  const problems: { error: AppError; start: number }[] = [];
  if (run?.error && tab.sql.slice(run.statement.start, run.statement.end) === run.statement.text)
    problems.push({ error: run.error, start: run.statement.start });
  else if (live?.error) problems.push({ error: live.error, start: live.statement.start });
  return problems;
}

function showError(editor: SqlEditorHandle | null, { sql }: SqlTab, run: Run | undefined): void {
  const place = run?.error?.at;
  if (!editor || !place) return;
  const { start } = run.statement;
  const before = sql
    .slice(start)
    .split('\n')
    .slice(0, place.line - 1);
  editor.goTo(start + before.reduce((sum, line) => sum + line.length + 1, 0) + place.column - 1);
}
