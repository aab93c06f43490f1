import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Facet, FacetsAnswer } from '#shared/api/facets.ts';
import { type Brush, brushOfCondition } from '#shared/domain/facets/brush.ts';
import type { Condition } from '../../state/table-view.ts';
import { brushOf, withBrush } from './model/brushes.ts';
import { type Draft, matchingOf, runsOfDraft, type ShownCounts, shownCounts } from './model/shown-counts.ts';
import { type FacetsProgress, liveFacetsKey, useCube, useFacetsAnswer, useLiveFacets } from './queries.ts';

/** Above this many rows a sample is shown until all are counted. */
const sampleAboveRows = 1_500_000;
const sampleRows = 200_000;

export interface FacetsInput {
  table: string;
  /** Pinned where it is known. */
  ref: string;
  /** Of the table; null while they are not known. */
  tableRows: number | null;
  columns: readonly string[];
  conditions: readonly Condition[];
  /** A filter whose rows are drawn apart: the selection. */
  marked?: string | undefined;
  onConditions: (conditions: Condition[]) => void;
}

/** What changes while a brush moves. */
export interface DraftedFacets {
  /** What is shown are the counts before. */
  isStale: boolean;
  /** Rows that match. */
  matching: number | null;
  counts: (facet: Facet) => ShownCounts;
  brush: (facet: Facet) => Brush | null;
}

/** Counts and brushes are those of the filter; {@link useDrafted} gives them with the brush that moves. */
export interface LinkedFacets extends DraftedFacets {
  answer: FacetsAnswer | null;
  error: unknown;
  retry: () => void;
  /** All rows are being counted; what is shown are those of a sample, or of the conditions before. */
  isRefining: boolean;
  /** How far that is, where it takes long. */
  progress: FacetsProgress | null;
  /** The sample is to do: all rows are counted when one asks for it. */
  isStopped: boolean;
  stop: () => void;
  goOn: () => void;
  draft: StoreApi<Draft | null>;
  drafted: (draft: Draft | null) => DraftedFacets;
  /** The pointer or the focus is on a column: its cube is fetched. */
  activate: (column: string) => void;
  /** The brush moves; `commit` makes it the filter. */
  move: (facet: Facet, brush: Brush | null) => void;
  commit: (facet: Facet, brush: Brush | null) => void;
}

/** With the brush that moves: only what shows it is drawn anew by every move, and in the same frame. */
export function useDrafted(linked: LinkedFacets): LinkedFacets {
  const draft = useStore(linked.draft);
  return { ...linked, ...linked.drafted(draft) };
}

/** Linked distributions: what one column's brush does to all others, at once from its cube, then as the table's filter. */
export function useFacets(input: FacetsInput): LinkedFacets {
  const { table, ref, tableRows, columns, conditions, marked, onConditions } = input;
  const [active, setActive] = useState<string | null>(null);
  const [draft] = useState(() => createStore<Draft | null>(() => null));
  /** Under the pointer's button: an answer that comes meanwhile must not take its brush away. */
  const dragged = useRef<string | null>(null);
  const sqls = useMemo(() => conditions.filter(({ isOff }) => !isOff).map(({ sql }) => sql), [conditions]);
  const isLarge = tableRows !== null && tableRows > sampleAboveRows;
  const isEnabled = tableRows !== null && columns.length > 0;
  const question = { table, ref, conditions: sqls, columns, marked };
  const sampled = useFacetsAnswer(question, { sample: sampleRows, isEnabled: isEnabled && isLarge });
  const isSampleSettled = !isLarge || (!sampled.isPlaceholderData && !sampled.isFetching);
  const [progress, setProgress] = useState<FacetsProgress | null>(null);
  const [isStopped, setStopped] = useState(false);
  const client = useQueryClient();
  const small = useFacetsAnswer(question, { isEnabled: isEnabled && !isLarge });
  const large = useLiveFacets(question, {
    isEnabled: isEnabled && isLarge && isSampleSettled && !isStopped,
    onProgress: setProgress,
  });
  const exact = isLarge ? large : small;
  const hasExact = exact.data !== undefined && !exact.isPlaceholderData;
  const hasSample = sampled.data !== undefined && !sampled.isPlaceholderData;
  const prefersSample = hasSample && !hasExact && (isStopped || !exact.data);
  const answer = (prefersSample ? sampled.data : exact.data) ?? null;
  const isStale = !hasExact && !prefersSample;

  const activeFacet = answer?.facets.find(({ column }) => column === active);
  const others = useMemo(
    () => (activeFacet ? sqls.filter((sql) => brushOfCondition(sql, activeFacet) === null) : sqls),
    [sqls, activeFacet],
  );
  const cubeSample = answer?.isSample ? sampleRows : undefined;
  const isBrushable = activeFacet !== undefined && activeFacet.kind !== 'element';
  const cubeQuery = useCube(
    { ...question, conditions: others },
    { active: isBrushable ? active : null, sample: cubeSample },
  );
  const cube = cubeQuery.data ?? null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer of the filter that the draft became
  useEffect(() => {
    if (!isStale && draft.getState()?.column !== dragged.current) draft.setState(null, true);
  }, [isStale, answer]);

  const drafted = (now: Draft | null): DraftedFacets => {
    const runs = now && answer && cube ? runsOfDraft(now, answer, cube) : null;
    return {
      isStale: (isStale || now !== null) && !runs,
      matching: runs && cube ? matchingOf(runs, cube) : (answer?.matching ?? null),
      counts: (facet) => shownCounts({ facet, cube, runs: facet.column === now?.column ? null : runs }),
      brush: (facet) => (now?.column === facet.column ? now.brush : brushOf(conditions, facet)),
    };
  };
  return {
    ...drafted(null),
    answer,
    draft,
    drafted,
    error: exact.error ?? (exact.data ? null : sampled.error),
    retry: () => void exact.refetch(),
    isRefining: isEnabled && !hasExact && !exact.error && !isStopped,
    progress: large.isFetching && isLarge ? progress : null,
    isStopped: isLarge && isStopped && !hasExact,
    stop: () => {
      setStopped(true);
      void client.cancelQueries({ queryKey: liveFacetsKey(question) });
    },
    goOn: () => setStopped(false),
    activate: setActive,
    move: (facet, brush) => {
      dragged.current = facet.column;
      setActive(facet.column);
      draft.setState({ column: facet.column, brush }, true);
    },
    commit: (facet, brush) => {
      dragged.current = null;
      setActive(facet.column);
      draft.setState({ column: facet.column, brush }, true);
      onConditions(withBrush(conditions, facet, brush));
    },
  };
}
