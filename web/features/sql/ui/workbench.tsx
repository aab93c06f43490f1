import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { addCell, isNotebook, parseCells, setCellBody } from '#shared/sql/cells.ts';
import { splitStatements, statementAt } from '#shared/sql/split-statements.ts';
import { getBrowserEngine } from '../../../engine/index.ts';
import { useCommands } from '../../../state/commands.ts';
import { Page, PageTitle, Segmented, Split, showError, showToast } from '../../../ui/index.ts';
import { QueriesPanel } from '../../queries/index.ts';
import { startExplain } from '../explain.ts';
import { offsetOf } from '../model/compose-statement.ts';
import { formatText } from '../model/format-text.ts';
import { applyRefChange, type RefChange } from '../model/rewrite-ref.ts';
import type { Sample } from '../model/samples.ts';
import { type Caret, chosenStatement } from '../model/targets.ts';
import { useLivePlan } from '../queries.ts';
import { cancelRun, cancelRuns, type RunTarget, renameRun, runKey, runStore, startRun } from '../runs.ts';
import { saveTab } from '../saved.ts';
import {
  activeTab,
  addTab,
  changeTab,
  forgetSaved,
  isDirty,
  type SqlTab,
  setStatement,
  sqlStore,
} from '../store.ts';
import { CellEditor } from './cell-editor.tsx';
import { Notebook } from './notebook.tsx';
import { ParamsBar } from './params-bar.tsx';
import { type QueryDialogKind, QueryDialogs } from './query-dialogs.tsx';
import { ResultPane } from './result-pane.tsx';
import type { SqlEditorHandle } from './sql-editor.tsx';
import styles from './sql-page.module.css';
import { StatusLine } from './status-line.tsx';
import { TabStrip } from './tab-strip.tsx';
import { TableTree } from './table-tree.tsx';
import { Toolbar } from './toolbar.tsx';

/** Tables and saved queries at the left, the text above, its rows below; or cells, each with its rows. */
export function Workbench() {
  const tab = useStore(sqlStore, activeTab);
  return <TabBench key={tab.id} tab={tab} />;
}

function TabBench({ tab }: { tab: SqlTab }) {
  const client = useQueryClient();
  const cells = useMemo(() => parseCells(tab.sql), [tab.sql]);
  const hasCells = isNotebook(tab.sql);
  const [caret, setCaret] = useState<Caret>({ cell: 0, offset: 0, selection: null });
  const [dialog, setDialog] = useState<QueryDialogKind | null>(null);
  const editors = useRef(new Map<number, SqlEditorHandle>());
  useEffect(() => getBrowserEngine().warm(), []);

  const active = Math.min(caret.cell, cells.length - 1);
  const cell = cells[active];
  const key = runKey(tab.id, cell?.name ?? '');
  const run = useStore(runStore, (state) => state.runs[key]);
  const isRunning = useStore(runStore, ({ runs }) =>
    Object.entries(runs).some(([of, { progress }]) => progress !== null && of.startsWith(`${tab.id}/`)),
  );
  const shown = cell ? statementAt(cell.body, caret.cell === active ? caret.offset : 0) : null;
  const target = useMemo(() => (shown ? { cell: active, statement: shown } : null), [shown, active]);
  const live = useLivePlan(tab, target, client);

  const latest = useRef({ tab, cells, caret, active });
  latest.current = { tab, cells, caret, active };
  /** What Run and Explain act on. */
  const chosen = useCallback((index: number): RunTarget | null => {
    const { cells: now, caret: at } = latest.current;
    const body = now[index]?.body ?? '';
    const place = at.cell === index ? at : { cell: index, offset: body.length, selection: null };
    const statement = chosenStatement(body, place);
    return statement && { cell: index, statement };
  }, []);
  const runCell = useCallback(
    async (index: number): Promise<boolean> => {
      const wanted = chosen(index);
      return wanted ? startRun(latest.current.tab, wanted, client) : false;
    },
    [chosen, client],
  );
  const runAll = async () => {
    for (const [index, { body }] of latest.current.cells.entries()) {
      const last = splitStatements(body).at(-1);
      if (last && !(await startRun(latest.current.tab, { cell: index, statement: last }, client))) return;
    }
  };
  const save = () => {
    if (!tab.saved) setDialog('saveAs');
    else if (!isDirty(tab)) showToast(`“${tab.saved.name}” is saved as it is`);
    else void saveTab(tab, client).catch(showError);
  };
  const format = () => {
    const body = cell?.body ?? '';
    formatText(body).then(
      (text) => setStatement(tab.id, setCellBody(latest.current.tab.sql, active, text)),
      showError,
    );
  };
  const explain = () => {
    const wanted = chosen(active);
    if (wanted) void startExplain(tab, wanted, client);
  };
  const appendCell = (after = cells.length - 1) => {
    const [only] = cells;
    const added = addCell(tab.sql, after);
    if (!hasCells && only) renameRun(tab.id, only.name, only.name);
    setStatement(tab.id, added.text);
    setCaret({ cell: after + 1, offset: 0, selection: null });
    requestAnimationFrame(() => editors.current.get(after + 1)?.focus());
  };
  const isEmpty = tab.sql.trim() === '';
  const whyEmpty = () => (isEmpty ? 'Write a statement first.' : null);
  useCommands([
    {
      id: 'sql.run',
      title: 'Run the statement',
      group: 'SQL',
      keys: ['Mod+Enter'],
      whyNot: whyEmpty,
      run: () => runCell(active),
    },
    {
      id: 'sql.runAll',
      title: 'Run all cells',
      group: 'SQL',
      keys: ['Mod+Shift+Enter'],
      whyNot: whyEmpty,
      run: runAll,
    },
    {
      id: 'sql.cancel',
      title: 'Cancel what runs',
      group: 'SQL',
      keys: ['Mod+.'],
      whyNot: () => (isRunning ? null : 'Nothing runs.'),
      run: () => cancelRuns(tab.id),
    },
    {
      id: 'sql.explain',
      title: 'Explain the statement',
      group: 'SQL',
      keys: ['Mod+E'],
      whyNot: whyEmpty,
      run: explain,
    },
    {
      id: 'sql.format',
      title: 'Format the text',
      group: 'SQL',
      keys: ['Mod+Shift+F'],
      whyNot: whyEmpty,
      run: format,
    },
    { id: 'sql.addCell', title: 'Add a cell', group: 'SQL', run: () => appendCell() },
    { id: 'sql.save', title: 'Save the query', group: 'SQL', keys: ['Mod+S'], whyNot: whyEmpty, run: save },
    {
      id: 'sql.saveAs',
      title: 'Save under a new name',
      group: 'SQL',
      keys: ['Mod+Shift+S'],
      whyNot: whyEmpty,
      run: () => setDialog('saveAs'),
    },
    { id: 'sql.newStatement', title: 'New statement', group: 'SQL', run: () => addTab() },
  ]);

  const insert = useCallback((text: string) => editors.current.get(latest.current.active)?.insert(text), []);
  const showPlace = (index: number) => {
    const { error, errorCell } = runStore.getState().runs[runKey(tab.id, cells[index]?.name ?? '')] ?? {};
    const at = cells.findIndex(({ name }) => name === errorCell);
    if (error?.at && at !== -1) editors.current.get(at)?.goTo(offsetOf(cells[at]?.body ?? '', error.at));
  };
  const runSample = useCallback(
    ({ sql }: Sample) => {
      const { tab: now } = latest.current;
      setStatement(now.id, sql);
      void startRun(
        { ...now, sql },
        { cell: 0, statement: { text: sql, start: 0, end: sql.length } },
        client,
      );
    },
    [client],
  );
  const openLatest = (index: number) => {
    changeTab(tab.id, { refs: {} });
    const wanted = chosen(index);
    if (wanted) void startRun({ ...tab, refs: {} }, wanted, client);
  };
  /** Where the text itself names a ref that is gone: another one is written in its place. */
  const changeRef = (index: number, change: RefChange) => {
    const ran = runStore.getState().runs[runKey(tab.id, cells[index]?.name ?? '')]?.statement;
    const at = splitStatements(cells[index]?.body ?? '').findIndex(({ start }) => start === ran?.start);
    const sql = applyRefChange(tab.sql, change);
    setStatement(tab.id, sql);
    const changed = splitStatements(parseCells(sql)[index]?.body ?? '');
    const statement = changed[at] ?? changed.at(-1);
    if (statement) void startRun({ ...tab, sql }, { cell: index, statement }, client);
  };
  const editorProps = {
    tab,
    cells,
    live,
    onCaret: setCaret,
    handle: (index: number) => (editor: SqlEditorHandle | null) => {
      if (editor) editors.current.set(index, editor);
      else editors.current.delete(index);
    },
  };
  const head = (
    <>
      <Toolbar
        tab={tab}
        run={run}
        isRunning={isRunning}
        onRun={() => void runCell(active)}
        onCancel={() => cancelRuns(tab.id)}
        onSave={save}
        onDialog={setDialog}
      />
      <ParamsBar tab={tab} onRun={() => void runCell(active)} />
    </>
  );
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
          start={<SidePane tab={tab} onInsert={insert} />}
          end={
            hasCells ? (
              <div className={styles.result}>
                {head}
                <Notebook
                  {...editorProps}
                  active={active}
                  onActive={(index) => setCaret({ cell: index, offset: 0, selection: null })}
                  onRun={runCell}
                  onCancel={(name) => cancelRun(runKey(tab.id, name))}
                  onShowError={showPlace}
                  onLatest={openLatest}
                  onRefChange={changeRef}
                  onAdd={appendCell}
                  onFocusCell={(index) => editors.current.get(index)?.focus()}
                />
              </div>
            ) : (
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
                    {head}
                    <div className={styles.editor}>
                      <CellEditor
                        {...editorProps}
                        index={0}
                        handle={editorProps.handle(0)}
                        onRun={() => void runCell(0)}
                        hasFocus
                      />
                    </div>
                  </>
                }
                end={
                  <ResultPane
                    runKey={key}
                    onShowError={() => showPlace(0)}
                    onLatest={() => openLatest(0)}
                    onRefChange={(change) => changeRef(0, change)}
                    onSample={isEmpty ? runSample : undefined}
                  />
                }
              />
            )
          }
        />
        <StatusLine tab={tab} run={run} live={live} />
      </section>
      <QueryDialogs tab={tab} kind={dialog} onClose={() => setDialog(null)} />
    </Page>
  );
}

type Side = 'tables' | 'queries';
const sideKey = 'curio.sql.side';

function SidePane({ tab, onInsert }: { tab: SqlTab; onInsert: (text: string) => void }) {
  const [side, setSide] = useState<Side>(() =>
    localStorage.getItem(sideKey) === 'queries' ? 'queries' : 'tables',
  );
  const show = (next: Side) => {
    localStorage.setItem(sideKey, next);
    setSide(next);
  };
  useCommands([
    { id: 'sql.queries', title: 'Show the saved queries', group: 'SQL', run: () => show('queries') },
    { id: 'sql.tables', title: 'Show the tables', group: 'SQL', run: () => show('tables') },
  ]);
  return (
    <div className={styles.side}>
      <Segmented<Side>
        label="At the left"
        className={styles.sideChoice}
        value={side}
        onChange={show}
        options={[
          { value: 'tables', label: 'Tables' },
          { value: 'queries', label: 'Saved' },
        ]}
      />
      {side === 'tables' ? (
        <TableTree refs={tab.refs} onInsert={onInsert} />
      ) : (
        <QueriesPanel activeId={tab.saved?.id ?? null} onDeleted={({ id }) => forgetSaved(id)} />
      )}
    </div>
  );
}
