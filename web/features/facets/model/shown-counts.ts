import type { Facet, FacetCube, FacetsAnswer } from '#shared/api/facets.ts';
import { sumBars } from '#shared/domain/facets/bins.ts';
import { type Brush, codesOfBrush } from '#shared/domain/facets/brush.ts';
import { brushCube, type CodeRun, runsOf } from '#shared/domain/facets/cube.ts';

/** What one card draws, per bar, then null, NaN, other values, empty lists. */
export interface ShownCounts {
  all: readonly number[];
  kept: readonly number[];
  marked: readonly number[] | null;
}

/** A brush that is not yet, or not yet answered as, a condition. */
export interface Draft {
  column: string;
  brush: Brush | null;
}

/** The runs of codes that a draft covers; null where its cube does not know. */
export function runsOfDraft(draft: Draft, answer: FacetsAnswer, cube: FacetCube): CodeRun[] | null {
  const active = answer.facets.find(({ column }) => column === draft.column);
  if (!active || cube.column !== draft.column) return null;
  if (!draft.brush) return [[0, cube.totals.length - 1]];
  const codes = codesOfBrush(draft.brush, active.bins);
  return codes && runsOf(codes);
}

/** Counts of a facet: those of the answer, or while a brush moves those of its cube. */
export function shownCounts({
  facet,
  runs,
  cube,
}: {
  facet: Facet;
  /** Of the draft; null where there is none. */
  runs: readonly CodeRun[] | null;
  cube: FacetCube | null;
}): ShownCounts {
  const other = runs && cube?.others.find(({ column }) => column === facet.column);
  const fitting = other && other.width === facet.bins.bars.length + 4 ? other : null;
  return {
    all: sumBars(facet.bins, facet.all),
    kept: fitting && runs ? brushCube(fitting, runs) : sumBars(facet.bins, facet.kept),
    marked: facet.marked && sumBars(facet.bins, facet.marked),
  };
}

/** Rows that match with the draft in place. */
export const matchingOf = (runs: readonly CodeRun[], { totals }: FacetCube): number =>
  runs.reduce((sum, [from, to]) => sum + totals[to]! - totals[from]!, 0);

/** How many times taller the filtered bars are drawn, so that few rows can be seen before many. */
export function planScale(
  all: readonly number[],
  kept: readonly number[],
): { tallest: number; factor: number } {
  const tallest = Math.max(1, ...all);
  const most = Math.max(0, ...kept);
  if (most === 0 || most * 4 > tallest) return { tallest, factor: 1 };
  const room = tallest / most;
  const power = 10 ** Math.floor(Math.log10(room));
  const factor = [5, 2, 1].map((digit) => digit * power).find((one) => one <= room) ?? 1;
  return { tallest, factor: Math.max(1, factor) };
}
