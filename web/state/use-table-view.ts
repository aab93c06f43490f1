import { useCallback, useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { formatTableView, parseTableView, type TableView } from './table-view.ts';

/** Changes the view. What is seen makes a step in the history; where one looks (`replace`) does not. */
export type SetTableView = (patch: Partial<TableView>, options?: { replace?: boolean }) => void;

/** Browsers refuse more than a few hundred changes of the address in a row. */
const settleMs = 200;

const quietKeys: readonly (keyof TableView)[] = ['selection', 'at', 'columns'];

interface LiveView {
  /** The address that the view belongs to. */
  pathname: string;
  /** Query string or fragment. */
  search: string;
  view: TableView;
}

let live: LiveView | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

const searchOf = ({ search, hash }: Pick<Location, 'search' | 'hash'>): string =>
  hash.startsWith('#?') ? hash : search;

function readView(): TableView {
  const search = searchOf(location);
  if (live?.pathname !== location.pathname || live.search !== search)
    live = { pathname: location.pathname, search, view: parseTableView(search) };
  return live.view;
}

function writeAddress(isReplacing: boolean): void {
  clearTimeout(timer);
  if (!live || live.pathname !== location.pathname) return;
  const { view, pathname } = live;
  const search = formatTableView(view);
  const target = searchOf(new URL(pathname + search, location.href));
  if (target === searchOf(location)) return;
  live = { pathname, search: target, view };
  navigate(pathname + search, { replace: isReplacing });
}

function setView(patch: Partial<TableView>, { replace }: { replace?: boolean } = {}): void {
  const before = readView();
  const isQuiet = replace ?? Object.keys(patch).every((key) => quietKeys.includes(key as keyof TableView));
  if (!isQuiet) writeAddress(true);
  live = { pathname: location.pathname, search: searchOf(location), view: { ...before, ...patch } };
  if (isQuiet) {
    clearTimeout(timer);
    timer = setTimeout(() => writeAddress(true), settleMs);
  } else {
    writeAddress(false);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const onMove = () => listener();
  for (const event of ['popstate', 'pushState', 'replaceState']) addEventListener(event, onMove);
  return () => {
    listeners.delete(listener);
    for (const event of ['popstate', 'pushState', 'replaceState']) removeEventListener(event, onMove);
  };
}

/** The view of the table that the address names, and how to change it. The address follows within 200 ms. */
export function useTableView(): [TableView, SetTableView] {
  const view = useSyncExternalStore(subscribe, readView);
  return [view, useCallback(setView, [])];
}
