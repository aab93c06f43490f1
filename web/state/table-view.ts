import type { OrderBy } from '#shared/api/tables.ts';
import { emptySelection, formatSelection, parseSelection, type RowSelection } from './selection.ts';

export const tableViews = ['grid', 'gallery', 'profile', 'chart', 'history'] as const;
export type ViewName = (typeof tableViews)[number];

/** One condition of the filter, as SQL text. */
export interface Condition {
  sql: string;
  /** Kept, but not applied. */
  isOff?: boolean;
}

/** What stands in place of the table's own order: a search. */
export type TableSearch =
  | { kind: 'text'; text: string }
  | { kind: 'similar'; rowId: string; column?: string };

/** All that the address of a table restores. */
export interface TableView {
  refText: string;
  view: ViewName;
  conditions: readonly Condition[];
  sort: readonly OrderBy[];
  /** The column that rows are grouped by; null for none. */
  group: string | null;
  /** Exactly these columns, in this order; null where the person's own layout decides. */
  columns: readonly string[] | null;
  search: TableSearch | null;
  /** Row id of the open inspector. */
  rowId: string | null;
  /** The column that the viewer shows of that row, empty for its first of media; null while it is closed. */
  stage: string | null;
  /** The selected rows stand side by side. */
  isBeside: boolean;
  selection: RowSelection;
  /** What the chart shows, as its feature writes it; null for a new one. */
  chart: string | null;
  /** The first row on the screen. */
  at: number;
}

export const plainView: TableView = {
  refText: 'main',
  view: 'grid',
  conditions: [],
  sort: [],
  group: null,
  columns: null,
  search: null,
  rowId: null,
  stage: null,
  isBeside: false,
  selection: emptySelection,
  chart: null,
  at: 0,
};

/** Reads the query string of `/t/T`, or the fragment in its place; what it does not know is left out. */
export function parseTableView(search: string): TableView {
  const params = new URLSearchParams(search.replace(/^#/, ''));
  const view = params.get('view') as ViewName;
  const off = new Set(params.get('off')?.split('.') ?? []);
  const columns = params.get('cols');
  const at = Number(params.get('at') ?? 0);
  return {
    refText: params.get('ref') || plainView.refText,
    view: tableViews.includes(view) ? view : plainView.view,
    conditions: params
      .getAll('where')
      .filter((sql) => sql.trim() !== '')
      .map((sql, index) => (off.has(String(index)) ? { sql, isOff: true } : { sql })),
    sort: params.getAll('sort').filter(Boolean).map(parseSort),
    group: params.get('group') || null,
    columns: columns === null ? null : columns.split(',').filter(Boolean).map(decodeName),
    search: parseSearch(params),
    rowId: /^\d{1,20}$/.test(params.get('row') ?? '') ? params.get('row') : null,
    stage: params.get('look'),
    isBeside: params.has('beside'),
    selection: parseSelection(params.get('sel')),
    chart: params.get('chart') || null,
    at: Number.isInteger(at) && at > 0 ? at : 0,
  };
}

/** Servers refuse longer heads of requests; a fragment stays in the browser and may be as long as a filter is. */
const longestQuery = 6_000;

/**
 * The query string of a view, with its `?`; empty for the plain view. A very long one (a pasted list of values) is a
 * fragment, `#?…`. Inverse of {@link parseTableView}.
 */
export function formatTableView(view: TableView): string {
  const params = new URLSearchParams();
  if (view.refText !== plainView.refText) params.set('ref', view.refText);
  if (view.view !== plainView.view) params.set('view', view.view);
  for (const condition of view.conditions) params.append('where', condition.sql);
  const off = view.conditions.flatMap((condition, index) => (condition.isOff ? [index] : []));
  if (off.length > 0) params.set('off', off.join('.'));
  for (const order of view.sort) params.append('sort', formatSort(order));
  if (view.group !== null) params.set('group', view.group);
  if (view.columns) params.set('cols', view.columns.map(encodeName).join(','));
  if (view.search?.kind === 'text') params.set('q', view.search.text);
  if (view.search?.kind === 'similar') params.set('like', view.search.rowId);
  if (view.search?.kind === 'similar' && view.search.column) params.set('by', view.search.column);
  if (view.rowId !== null) params.set('row', view.rowId);
  if (view.stage !== null) params.set('look', view.stage);
  if (view.isBeside) params.set('beside', '');
  const selection = formatSelection(view.selection);
  if (selection) params.set('sel', selection);
  if (view.chart) params.set('chart', view.chart);
  if (view.at > 0) params.set('at', String(view.at));
  const text = params.size === 0 ? '' : `?${params}`;
  return text.length > longestQuery ? `#${text}` : text;
}

function parseSearch(params: URLSearchParams): TableSearch | null {
  const text = params.get('q');
  if (text) return { kind: 'text', text };
  const rowId = params.get('like');
  if (!rowId || !/^\d{1,20}$/.test(rowId)) return null;
  const column = params.get('by');
  return column ? { kind: 'similar', rowId, column } : { kind: 'similar', rowId };
}

const parseSort = (text: string): OrderBy => {
  const [, column, way, nulls] = /^(.*):(asc|desc)(-nulls-first)?$/s.exec(text) ?? [];
  if (column === undefined) return { column: text };
  return {
    column,
    ...(way === 'desc' ? { desc: true } : {}),
    ...(nulls ? { nulls: 'first' as const } : {}),
  };
};

const formatSort = ({ column, desc, nulls }: OrderBy): string => {
  if (nulls === 'first') return `${column}:${desc ? 'desc' : 'asc'}-nulls-first`;
  if (desc) return `${column}:desc`;
  return /:(asc|desc)(-nulls-first)?$/.test(column) ? `${column}:asc` : column;
};

const encodeName = (name: string): string => name.replace(/[%,]/g, encodeURIComponent);

const decodeName = (name: string): string => name.replace(/%(25|2C)/gi, decodeURIComponent);

/** The predicate of the conditions that are on; undefined where there is none. */
export function whereOf(conditions: readonly Condition[]): string | undefined {
  const active = conditions.filter((condition) => !condition.isOff).map((condition) => condition.sql.trim());
  if (active.length === 0) return undefined;
  return active.length === 1 ? active[0] : active.map((sql) => `(${sql})`).join(' AND ');
}
