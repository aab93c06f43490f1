import { createStore } from 'zustand/vanilla';
import type { EngineChoice } from './model/run-sql.ts';

/** A statement that is being written. */
export interface SqlTab {
  id: string;
  sql: string;
  /** Refs that bare names mean here, from a link or from the screen that it was opened from. */
  refs: Record<string, string>;
}

/** A statement that was run. */
export interface HistoryEntry {
  sql: string;
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
  choice: EngineChoice;
  history: HistoryEntry[];
}

const storageKey = 'curio.sql';
const maxHistory = 200;

let tabCount = 0;
const newTab = (sql = '', refs: Record<string, string> = {}): SqlTab => {
  tabCount += 1;
  return { id: `${Date.now().toString(36)}-${tabCount}`, sql, refs };
};

function readStored(): SqlState {
  const fresh = newTab();
  const empty: SqlState = { tabs: [fresh], activeId: fresh.id, choice: 'auto', history: [] };
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<SqlState> | null;
    if (!stored || !Array.isArray(stored.tabs) || stored.tabs.length === 0) return empty;
    const activeId = stored.tabs.some(({ id }) => id === stored.activeId)
      ? stored.activeId
      : stored.tabs[0]?.id;
    return { ...empty, ...stored, tabs: stored.tabs, activeId: activeId ?? fresh.id };
  } catch {
    return empty;
  }
}

/** Tabs, history and the choice of the engine, kept in this browser. */
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

export function setStatement(id: string, sql: string): void {
  sqlStore.setState(({ tabs }) => ({ tabs: tabs.map((tab) => (tab.id === id ? { ...tab, sql } : tab)) }));
}

export function setRefs(id: string, refs: Record<string, string>): void {
  sqlStore.setState(({ tabs }) => ({ tabs: tabs.map((tab) => (tab.id === id ? { ...tab, refs } : tab)) }));
}

/** Opens a statement: in the tab that has it already, in an empty one, else in a new one. */
export function openStatement(sql: string, refs: Record<string, string> = {}): void {
  sqlStore.setState((state) => {
    const same = state.tabs.find(
      (tab) => tab.sql === sql && JSON.stringify(tab.refs) === JSON.stringify(refs),
    );
    if (same) return { activeId: same.id };
    const empty = state.tabs.find((tab) => tab.sql.trim() === '');
    if (empty)
      return {
        activeId: empty.id,
        tabs: state.tabs.map((tab) => (tab === empty ? { ...tab, sql, refs } : tab)),
      };
    const tab = newTab(sql, refs);
    return { tabs: [...state.tabs, tab], activeId: tab.id };
  });
}

export function addTab(): void {
  const tab = newTab();
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
export const setChoice = (choice: EngineChoice): void => sqlStore.setState({ choice });

export function remember(entry: HistoryEntry): void {
  sqlStore.setState(({ history }) => ({
    history: [entry, ...history.filter(({ sql }) => sql !== entry.sql)].slice(0, maxHistory),
  }));
}

export const clearHistory = (): void => sqlStore.setState({ history: [] });
