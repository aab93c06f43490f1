import { createStore } from 'zustand/vanilla';
import type { QueryParam } from '#shared/domain/query-param.ts';
import type { EngineChoice } from './model/run-sql.ts';

/** The saved query that a tab shows, as it was when it was opened or saved last. */
export interface SavedSource {
  id: string;
  name: string;
  revision: number;
  sql: string;
  /** The refs that it pins. */
  refs: Record<string, string>;
  params: QueryParam[];
  charts?: Charts;
}

/** Cells that show a chart beside their rows, by name, and the chart as the charts write it. */
export type Charts = Readonly<Record<string, string>>;

/** A text that is being written. */
export interface SqlTab {
  id: string;
  sql: string;
  /** Refs that bare names mean here, from a link, a saved query or the screen that it was opened from. */
  refs: Record<string, string>;
  /** Where its statements run. */
  choice: EngineChoice;
  /** Values for `$name`. */
  params: QueryParam[];
  charts: Charts;
  saved: SavedSource | null;
}

/** A statement that was run. */
export interface HistoryEntry {
  sql: string;
  refs: Record<string, string>;
  at: string;
  engine: 'browser' | 'server' | null;
  rows: number | null;
  elapsedMs: number | null;
  /** What went wrong. */
  error: string | null;
}

interface SqlState {
  tabs: SqlTab[];
  activeId: string;
  history: HistoryEntry[];
}

/** What a new tab may begin with. */
export type TabStart = Partial<Omit<SqlTab, 'id'>>;

const storageKey = 'curio.sql';
const maxHistory = 500;

let tabCount = 0;
const newTab = (start: TabStart = {}): SqlTab => {
  tabCount += 1;
  const id = `${Date.now().toString(36)}-${tabCount}`;
  return { sql: '', refs: {}, choice: 'auto', params: [], charts: {}, saved: null, ...start, id };
};

/** Tabs that an earlier Curio kept lack what came later. */
const mended = (tab: Partial<SqlTab> & { id: string }): SqlTab => ({ ...newTab(tab), id: tab.id });

function readStored(): SqlState {
  const fresh = newTab();
  const empty: SqlState = { tabs: [fresh], activeId: fresh.id, history: [] };
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<SqlState> | null;
    if (!stored || !Array.isArray(stored.tabs) || stored.tabs.length === 0) return empty;
    const tabs = stored.tabs.filter(({ id, sql }) => typeof id === 'string' && typeof sql === 'string');
    const [first] = tabs;
    if (!first) return empty;
    const activeId = tabs.some(({ id }) => id === stored.activeId) ? stored.activeId : first.id;
    const history = (stored.history ?? []).map((entry) => ({ ...entry, refs: entry.refs ?? {} }));
    return { tabs: tabs.map(mended), activeId: activeId ?? first.id, history };
  } catch {
    return empty;
  }
}

/** Tabs and history, kept in this browser. */
export const sqlStore = createStore<SqlState>(() => readStored());

const restMs = 300;
let saving: ReturnType<typeof setTimeout> | null = null;

function save(): void {
  if (saving !== null) clearTimeout(saving);
  saving = null;
  try {
    localStorage.setItem(storageKey, JSON.stringify(sqlStore.getState()));
  } catch {
    // the storage is full: what is on the screen stays
  }
}

sqlStore.subscribe(() => {
  saving ??= setTimeout(save, restMs);
});
globalThis.addEventListener?.('pagehide', () => saving !== null && save());

export const activeTab = ({ tabs, activeId }: SqlState): SqlTab =>
  (tabs.find(({ id }) => id === activeId) ?? tabs[0]) as SqlTab;

export function changeTab(id: string, change: TabStart): void {
  sqlStore.setState(({ tabs }) => ({
    tabs: tabs.map((tab) => (tab.id === id ? { ...tab, ...change } : tab)),
  }));
}

export const setStatement = (id: string, sql: string): void => changeTab(id, { sql });

/** The value of one parameter; what was typed is kept also while the text does not name it. */
export function setParam(id: string, param: QueryParam): void {
  const tab = sqlStore.getState().tabs.find((one) => one.id === id);
  if (!tab) return;
  const others = tab.params.filter(({ name }) => name !== param.name);
  changeTab(id, { params: [...others, param] });
}

/** Shows a cell's chart beside its rows, or (null) its rows alone. */
export function setChart(id: string, cell: string, chart: string | null): void {
  const tab = sqlStore.getState().tabs.find((one) => one.id === id);
  if (!tab) return;
  const { [cell]: _before, ...others } = tab.charts;
  changeTab(id, { charts: chart === null ? others : { ...others, [cell]: chart } });
}

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Puts a start into the tab that `finds` it already, into an empty one, else into a new one; that tab is shown. */
function openIn(start: TabStart, finds: (tab: SqlTab) => boolean): void {
  sqlStore.setState((state) => {
    const same = state.tabs.find(finds);
    if (same) return { activeId: same.id };
    const empty = state.tabs.find((tab) => tab.sql.trim() === '' && tab.saved === null);
    if (!empty) {
      const tab = newTab(start);
      return { tabs: [...state.tabs, tab], activeId: tab.id };
    }
    const filled = { ...newTab(start), id: empty.id };
    return { activeId: empty.id, tabs: state.tabs.map((tab) => (tab === empty ? filled : tab)) };
  });
}

/** Opens a statement: in the tab that has it already, in an empty one, else in a new one. */
export const openStatement = (
  sql: string,
  refs: Record<string, string> = {},
  { params = [], charts }: { params?: QueryParam[]; charts?: Charts | undefined } = {},
): void =>
  openIn(
    { sql, refs, params, ...(charts && { charts }) },
    (tab) => tab.sql === sql && sameJson(tab.refs, refs) && (!charts || sameCharts(tab.charts, charts)),
  );

/** Opens a saved query; a tab that shows it already keeps what was changed there. */
export function openSaved(saved: SavedSource, at: 'pinned' | 'latest'): void {
  const refs = at === 'pinned' ? saved.refs : {};
  const { sql, params, charts = {} } = saved;
  const open = sqlStore.getState().tabs.find((tab) => tab.saved?.id === saved.id);
  openIn({ sql, refs, params, charts, saved }, (tab) => tab.saved?.id === saved.id);
  if (!open) return;
  changeTab(open.id, isDirty(open) ? { refs } : { sql, refs, params, charts, saved });
}

/** Written in since it was opened or saved; parameters and charts count, refs do not: they are what one looks at. */
export const isDirty = ({ sql, params, charts, saved }: SqlTab): boolean =>
  saved !== null &&
  (sql !== saved.sql ||
    !sameJson(paramsByName(params), paramsByName(saved.params)) ||
    !sameCharts(charts, saved.charts ?? {}));

const sameCharts = (a: Charts, b: Charts): boolean =>
  sameJson(Object.entries(a).sort(), Object.entries(b).sort());

const paramsByName = (params: readonly QueryParam[]): QueryParam[] =>
  [...params].sort((a, b) => (a.name < b.name ? -1 : 1));

/** Every tab of a query that is deleted or no longer there becomes a text of its own. */
export function forgetSaved(queryId: string): string[] {
  const { tabs } = sqlStore.getState();
  const forgotten = tabs.filter((tab) => tab.saved?.id === queryId).map(({ id }) => id);
  for (const id of forgotten) changeTab(id, { saved: null });
  return forgotten;
}

export function addTab(start: TabStart = {}): void {
  const tab = newTab(start);
  sqlStore.setState(({ tabs }) => ({ tabs: [...tabs, tab], activeId: tab.id }));
}

/** Closes a tab; gives back what was in it, for Undo. */
export function closeTab(id: string): { tab: SqlTab; index: number } | null {
  const { tabs, activeId } = sqlStore.getState();
  const index = tabs.findIndex((tab) => tab.id === id);
  const tab = tabs[index];
  if (!tab) return null;
  const rest = tabs.filter((other) => other !== tab);
  const next = rest.length === 0 ? [newTab()] : rest;
  const neighbour = next[Math.min(index, next.length - 1)] as SqlTab;
  sqlStore.setState({ tabs: next, activeId: activeId === id ? neighbour.id : activeId });
  return { tab, index };
}

export function restoreTab({ tab, index }: { tab: SqlTab; index: number }): void {
  sqlStore.setState(({ tabs }) => ({
    tabs: [...tabs.slice(0, index), tab, ...tabs.slice(index)],
    activeId: tab.id,
  }));
}

export const showTab = (id: string): void => sqlStore.setState({ activeId: id });

export function remember(entry: HistoryEntry): void {
  sqlStore.setState(({ history }) => ({
    history: [entry, ...history.filter(({ sql }) => sql !== entry.sql)].slice(0, maxHistory),
  }));
}

/** Forgets what was run; gives it back, for Undo. */
export function clearHistory(): readonly HistoryEntry[] {
  const { history } = sqlStore.getState();
  sqlStore.setState({ history: [] });
  return history;
}

/** Puts back what was forgotten, below what ran since. */
export const restoreHistory = (before: readonly HistoryEntry[]): void =>
  sqlStore.setState(({ history }) => ({ history: [...history, ...before].slice(0, maxHistory) }));
