import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DiffRowsBody, DiffSummary } from '#shared/api/edits.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import { callArrow, callJson } from '../../api/index.ts';
import { type ChangesPage, decodeChanges } from './decode-changes.ts';
import type { Change } from './model/change.ts';
import { type ConflictItem, listColumnConflicts } from './model/choices.ts';
import {
  type CompareFilter,
  isFiltering,
  needsServer,
  noFilter,
  passesFilter,
  whereOfFilter,
} from './model/compare-filter.ts';
import { equalTo, type Overview, planOverview } from './model/overview.ts';

export interface Comparison {
  table: string;
  from: string;
  into: string;
  /** The version that both started from, where it is not the one that a comparison now would find. */
  base?: string;
}

const pageSize = 200;
const mostConflicts = 10_000;

export const comparisonKey = ({ table, from, into, base }: Comparison) =>
  ['table', table, 'diff', from, into, ...(base === undefined ? [] : [`since ${base}`])] as const;

const refsOf = ({ from, into, base }: Comparison) => ({
  from,
  into,
  ...(base === undefined ? {} : { base }),
});

function toBody(comparison: Comparison, filter: CompareFilter): DiffRowsBody {
  const { kinds, column, isConflictsOnly, equal, key } = filter;
  const where = whereOfFilter(filter);
  return {
    ...refsOf(comparison),
    ...(kinds.length === 0 ? {} : { change: kinds }),
    ...(column === null ? {} : { column }),
    ...(isConflictsOnly ? { conflictsOnly: true } : {}),
    ...(where === undefined ? {} : { where }),
    ...(equal === null ? {} : { equal }),
    ...(key === undefined ? {} : { keys: [key] }),
  };
}

async function readPage(
  comparison: Comparison,
  body: DiffRowsBody,
  signal: AbortSignal,
): Promise<ChangesPage> {
  return decodeChanges(
    await callArrow('diffRows', { params: { table: comparison.table }, query: {}, body, signal }),
  );
}

function useChangePages(comparison: Comparison, filter: CompareFilter, isEnabled: boolean) {
  return useInfiniteQuery({
    queryKey: [...comparisonKey(comparison), 'rows', filter],
    queryFn: ({ signal, pageParam }) =>
      readPage(comparison, { ...toBody(comparison, filter), offset: pageParam, limit: pageSize }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.changes.length, 0);
      return last.changes.length === 0 || loaded >= last.total ? undefined : loaded;
    },
    enabled: isEnabled,
    staleTime: 15_000,
  });
}

export interface ChangesState {
  /** What passes the filter, as far as it is loaded. */
  changes: Change[];
  /** Rows that pass the filter, loaded or not. */
  total: number;
  /** All changes without a filter, as far as they are loaded. */
  loaded: Change[];
  /** Whether `loaded` is everything. */
  isComplete: boolean;
  columns: ChangesPage['columns'];
  summary: DiffSummary | null;
  elapsedMs: number | null;
  isPending: boolean;
  isFetchingMore: boolean;
  error: unknown;
  /** Brings more of what passes the filter; nothing where all is there. */
  more: () => void;
  retry: () => void;
}

/** The changes of a comparison. One request opens it; a filter asks again only where not everything is loaded. */
export function useChanges(comparison: Comparison, filter: CompareFilter): ChangesState {
  const all = useChangePages(comparison, noFilter, true);
  const loaded = useMemo(() => all.data?.pages.flatMap(({ changes }) => changes) ?? [], [all.data]);
  const first = all.data?.pages[0];
  const isComplete = first !== undefined && loaded.length >= first.total;
  const isServerFiltered = isFiltering(filter) && first !== undefined && (!isComplete || needsServer(filter));
  const filtered = useChangePages(comparison, filter, isServerFiltered);
  const summary = useSummary(comparison, first);
  const changes = useMemo(() => {
    if (isServerFiltered) return filtered.data?.pages.flatMap((page) => page.changes) ?? [];
    if (!isFiltering(filter)) return loaded;
    const isEqual =
      filter.equal && summary.data
        ? equalTo(filter.equal, { mode: summary.data.mode, columns: first?.columns ?? [] })
        : () => false;
    return loaded.filter((change) => passesFilter(change, filter, { isEqual }));
  }, [isServerFiltered, filtered.data, loaded, filter, first, summary.data]);
  const shown = isServerFiltered ? filtered : all;
  return {
    changes,
    total: isServerFiltered
      ? (filtered.data?.pages[0]?.total ?? 0)
      : isFiltering(filter)
        ? changes.length
        : (first?.total ?? 0),
    loaded,
    isComplete,
    columns: first?.columns ?? [],
    summary: summary.data,
    elapsedMs: first?.elapsedMs ?? null,
    isPending: shown.isPending,
    isFetchingMore: shown.isFetchingNextPage,
    error: all.error ?? filtered.error ?? summary.error,
    more: () => {
      if (shown.hasNextPage && !shown.isFetchingNextPage) void shown.fetchNextPage();
    },
    retry: () => {
      if (all.error) void all.refetch();
      if (filtered.error) void filtered.refetch();
      if (summary.error) void summary.refetch();
    },
  };
}

const noChanges: readonly Change[] = [];

/** The changes of certain rows, wherever they stand in the comparison; rows that did not change are missing. */
export function useChangesOf(comparison: Comparison | null, keys: readonly RowKey[]): readonly Change[] {
  const query = useQuery({
    queryKey: [...(comparison ? comparisonKey(comparison) : ['nothing']), 'keys', keys],
    queryFn: async ({ signal }) =>
      comparison
        ? (await readPage(comparison, { ...refsOf(comparison), keys: [...keys], limit: keys.length }, signal))
            .changes
        : [],
    enabled: comparison !== null && keys.length > 0,
    staleTime: 15_000,
  });
  return query.data ?? noChanges;
}

/** The summary comes with the rows; asked for by itself only where it did not. */
function useSummary(
  comparison: Comparison,
  first: ChangesPage | undefined,
): { data: DiffSummary | null; error: unknown; refetch: () => unknown } {
  const { table } = comparison;
  const query = useQuery({
    queryKey: [...comparisonKey(comparison), 'summary'],
    queryFn: ({ signal }) => callJson('diff', { params: { table }, body: refsOf(comparison), signal }),
    enabled: first !== undefined && first.summary === null,
    staleTime: 15_000,
  });
  return { data: first?.summary ?? query.data ?? null, error: query.error, refetch: query.refetch };
}

/** Every conflict of a comparison: from what is loaded, else asked for, up to 10,000 rows. */
export function useConflictChanges(
  comparison: Comparison,
  state: ChangesState,
): { changes: Change[]; isComplete: boolean } {
  const expected = state.summary?.conflicts.rows ?? 0;
  const known = useMemo(
    () => state.loaded.filter(({ conflictKind }) => conflictKind !== null),
    [state.loaded],
  );
  const isKnown = state.isComplete || known.length >= expected;
  const query = useQuery({
    queryKey: [...comparisonKey(comparison), 'conflicts'],
    queryFn: ({ signal }) =>
      readPage(
        comparison,
        { ...toBody(comparison, { ...noFilter, isConflictsOnly: true }), limit: mostConflicts },
        signal,
      ),
    enabled: expected > 0 && !isKnown,
    staleTime: 15_000,
  });
  if (isKnown) return { changes: known, isComplete: true };
  const changes = query.data?.changes ?? known;
  return { changes, isComplete: query.data !== undefined && changes.length >= query.data.total };
}

/** Columns that both sides dropped, renamed or changed against each other: counted in the summary, named by a plan. */
export function useColumnConflicts(
  comparison: Comparison,
  summary: DiffSummary | null,
  rows: { changes: readonly Change[]; isComplete: boolean },
): ConflictItem[] {
  const inRows = rows.changes.reduce((sum, { conflicts }) => sum + conflicts.length, 0);
  const { table, from, into } = comparison;
  const query = useQuery({
    queryKey: [...comparisonKey(comparison), 'columns', summary?.from.version, summary?.into.version],
    queryFn: ({ signal }) =>
      callJson('merge', { params: { table }, body: { from, into, dryRun: true }, signal }),
    enabled:
      summary !== null && rows.isComplete && summary.notices.length === 0 && summary.conflicts.cells > inRows,
    staleTime: 15_000,
    retry: false,
  });
  return useMemo(() => listColumnConflicts(query.data?.conflicts ?? []), [query.data]);
}

export interface OverviewState {
  /** Over all changes; missing while it is counted. */
  overview: Overview | null;
  error: unknown;
  retry: () => void;
}

/** How columns moved and which changes are equal, over all changes: counted here where all are there, else by the server. */
export function useOverview(comparison: Comparison, state: ChangesState): OverviewState {
  const { summary, loaded, columns, isComplete } = state;
  const { table } = comparison;
  const query = useQuery({
    queryKey: [...comparisonKey(comparison), 'overview', summary?.from.version, summary?.into.version],
    queryFn: ({ signal }) =>
      callJson('diffOverview', { params: { table }, body: refsOf(comparison), signal }),
    enabled: summary !== null && !isComplete,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const counted = useMemo(
    () => (summary && isComplete ? planOverview(loaded, { mode: summary.mode, columns }) : null),
    [summary, isComplete, loaded, columns],
  );
  return {
    overview: counted ?? query.data ?? null,
    error: isComplete ? null : query.error,
    retry: () => void query.refetch(),
  };
}
