import type { QueryClient } from '@tanstack/react-query';
import type { SavedQuery, SavedQuerySummary } from '#shared/api/queries.ts';
import { parseCells } from '#shared/sql/cells.ts';
import { goTo } from '../../state/addresses.ts';
import { showToast } from '../../ui/index.ts';
import {
  addressOfSavedView,
  changeQuery,
  createQuery,
  type QueryFacts,
  savedQuery,
} from '../queries/index.ts';
import { paramsIn } from './model/compose-statement.ts';
import { runKey, runStore } from './runs.ts';
import { changeTab, openSaved, type SavedSource, type SqlTab } from './store.ts';

const sourceOf = ({
  id,
  name,
  revision,
  sql = '',
  refs,
  params,
  charts = {},
}: SavedQuerySummary): SavedSource => ({
  id,
  name,
  revision,
  sql,
  refs,
  params,
  charts,
});

/** Shows a saved query in a tab, a saved view on its table. GONE and NOT_FOUND where it is not there any more. */
export async function openQuery(id: string, at: 'pinned' | 'latest', client: QueryClient): Promise<void> {
  const query = await client.fetchQuery({ ...savedQuery(id), staleTime: 0 });
  if (query.view) goTo(addressOfSavedView(query.view, query.refs, at), { replace: true });
  else openSaved(sourceOf(query), at);
}

/** Puts a query in the place of what a tab shows. */
export function showQuery(tabId: string, query: SavedQuery): void {
  const saved = sourceOf(query);
  changeTab(tabId, {
    sql: saved.sql,
    params: saved.params,
    refs: saved.refs,
    charts: saved.charts ?? {},
    saved,
  });
}

/** The versions that a tab's results show: what is pinned when it is saved or linked to. */
export function refsShown(tab: SqlTab): Record<string, string> {
  const { runs } = runStore.getState();
  const shown = parseCells(tab.sql).flatMap(({ name, body }) => {
    const run = runs[runKey(tab.id, name)];
    return run?.result && body.includes(run.statement.text) ? [run.result.refs] : [];
  });
  return { ...Object.assign({}, ...shown), ...tab.refs };
}

/** Values for the parameters that the text names; those typed for others stay in the tab only. */
function paramsOf({ sql, params }: SqlTab): SqlTab['params'] {
  const named = new Set(parseCells(sql).flatMap(({ body }) => paramsIn(body).map(({ name }) => name)));
  return params.filter(({ name }) => named.has(name));
}

/** Charts of the cells that are in the text; those of cells that went stay in the tab only. */
function chartsOf({ sql, charts }: SqlTab): { charts?: Record<string, string> } {
  const names = new Set(parseCells(sql).map(({ name }) => name));
  const kept = Object.entries(charts).filter(([cell]) => names.has(cell));
  return kept.length === 0 ? {} : { charts: Object.fromEntries(kept) };
}

/** From now on the tab shows the versions that the query keeps, unless the newest were asked for. */
function noteSaved(tab: SqlTab, query: SavedQuery): void {
  const { params, charts } = tab;
  const saved = { ...sourceOf(query), params, charts };
  changeTab(tab.id, isOnLatest(tab) ? { saved } : { saved, refs: query.refs });
}

const isOnLatest = ({ refs, saved }: SqlTab): boolean =>
  saved !== null && Object.keys(saved.refs).length > 0 && Object.keys(refs).length === 0;

/** Saves a tab over its query; without a query there is nothing to do. CONFLICT when it was changed elsewhere. */
export async function saveTab(tab: SqlTab, client: QueryClient): Promise<void> {
  const { saved } = tab;
  if (!saved) return;
  const { name, description, visibility } = await client.fetchQuery(savedQuery(saved.id));
  const query = await changeQuery(client, saved.id, {
    name,
    description,
    visibility,
    sql: tab.sql,
    refs: refsShown(tab),
    params: paramsOf(tab),
    ...chartsOf(tab),
    revision: saved.revision,
  });
  noteSaved(tab, query);
  showToast(`Saved “${query.name}” as text ${query.revision}`, { hint: pinsOf(query) });
}

/** Saves a tab under a new name; one that shows a query already becomes a fork of it. */
export async function saveTabAs(tab: SqlTab, facts: QueryFacts, client: QueryClient): Promise<void> {
  const query = await createQuery(client, {
    ...facts,
    sql: tab.sql,
    refs: refsShown(tab),
    params: paramsOf(tab),
    ...chartsOf(tab),
    ...(tab.saved ? { origin: tab.saved.id } : {}),
  });
  noteSaved(tab, query);
  showToast(`Saved “${query.name}”`, { hint: pinsOf(query) });
}

function pinsOf({ refs }: SavedQuery): string | undefined {
  const pins = Object.entries(refs).map(([table, ref]) => `${table}@${ref}`);
  return pins.length === 0 ? undefined : `It keeps ${pins.join(', ')}.`;
}
