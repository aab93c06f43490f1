import type { OrderBy } from '#shared/api/tables.ts';
import type { TableSearch } from '../../../state/table-view.ts';
import { formatCount, formatElapsed, formatOf } from '../../../ui/format-quantity.ts';
import type { RowsState } from '../../grid/index.ts';

const engines: Record<string, string> = { lance: 'Lance', duckdb: 'DuckDB', 'duckdb-wasm': 'in the browser' };

/** “all”; a window of a whole result (the others come as one scrolls); the best n of n; the nearest n of all, which the count says already. */
function isWholeScope(scope: string): boolean {
  const best = /^best (\d+) of (\d+) rows/.exec(scope);
  return (
    scope === 'all' ||
    /^nearest \d+ of all /.test(scope) ||
    /^rows \d+ to \d+ of \d+$/.test(scope) ||
    (best !== null && best[1] === best[2])
  );
}

function waitingWords(sort: readonly OrderBy[], search: TableSearch | null): string {
  if (search) return 'Searching…';
  return sort.length > 0 ? `Sorting by ${sort.map(({ column }) => column).join(', ')}…` : 'Asking…';
}

export interface TruthInput {
  state: RowsState;
  /** Rows of the whole table at that ref. */
  tableRows: number | null;
  sort: readonly OrderBy[];
  search: TableSearch | null;
  group?: { column: string; count: number } | null;
  isFiltered: boolean;
  /** The rows that were asked for are not there yet: those on the screen answer the question before. */
  isWaiting?: boolean;
}

/** What the rows on the screen cover, in the words of the truth line. Nothing before the first answer. */
export function describeTruth({
  state,
  tableRows,
  sort,
  search,
  group,
  isFiltered,
  isWaiting,
}: TruthInput): string[] {
  if (state.total === null || !state.facts) return [];
  if (isWaiting) return [waitingWords(sort, search), 'the rows are still the ones before'];
  const { facts, total } = state;
  const whole = tableRows ?? (isFiltered || search ? null : total);
  const rows = whole === null ? formatOf(total, 'row') : `${formatCount(total)} of ${formatOf(whole, 'row')}`;
  const order = search
    ? search.kind === 'text'
      ? 'ranked by text score'
      : `most similar to row ${search.rowId}`
    : sort.length > 0
      ? `sorted by ${sort.map(({ column, desc, nulls }) => column + (desc ? ' ↓' : '') + (nulls === 'first' ? ' (nulls first)' : '')).join(', ')}`
      : null;
  const isApproximate = facts.isExact === false;
  const scope = facts.scope !== null && !isWholeScope(facts.scope) ? facts.scope : null;
  const coverage =
    isApproximate && facts.indexCoverage !== null && facts.indexCoverage < 1
      ? `index covers ${Math.floor(facts.indexCoverage * 100)} %`
      : null;
  const exactness = isApproximate ? 'approximate' : scope && facts.isExact === null ? null : 'exact';
  return [
    rows,
    group ? `${formatOf(group.count, 'group')} by ${group.column}` : null,
    order,
    exactness,
    scope,
    coverage,
    facts.engine ? (engines[facts.engine] ?? facts.engine) : null,
    facts.elapsedMs === null ? null : formatElapsed(facts.elapsedMs),
  ].filter((part) => part !== null);
}
