import type { Facet } from '#shared/api/facets.ts';
import { binCountOf, specialCodes } from '#shared/domain/facets/bins.ts';
import { type Brush, brushOfCondition, codesOfBrush, conditionOfBrush } from '#shared/domain/facets/brush.ts';
import type { Condition } from '../../../state/table-view.ts';

type Measured = Pick<Facet, 'column' | 'kind'>;

/** The brush that the filter holds on a column: of the first condition that is on and is one. */
export function brushOf(conditions: readonly Condition[], facet: Measured): Brush | null {
  for (const { sql, isOff } of conditions) {
    const found = isOff ? null : brushOfCondition(sql, facet);
    if (found) return found.brush;
  }
  return null;
}

/** The filter with another brush on a column in place of those that were there; null takes them away. */
export function withBrush(
  conditions: readonly Condition[],
  facet: Measured,
  brush: Brush | null,
): Condition[] {
  const sql = brush && conditionOfBrush(facet, brush);
  const isOwn = (condition: Condition): boolean =>
    !condition.isOff && brushOfCondition(condition.sql, facet) !== null;
  const at = conditions.findIndex(isOwn);
  const others = conditions.filter((condition) => !isOwn(condition));
  if (!sql) return others;
  const place = at < 0 ? others.length : conditions.slice(0, at).filter((one) => !isOwn(one)).length;
  return [...others.slice(0, place), { sql }, ...others.slice(place)];
}

/** Bins `from` (inclusive) to `to` (exclusive) of an ordered facet as a brush, within its edges; null where nothing is between. */
export function brushOfBins({ bins }: Pick<Facet, 'bins'>, from: number, to: number): Brush | null {
  const last = binCountOf(bins);
  const low = Math.max(0, Math.min(last, Math.round(from)));
  const high = Math.max(0, Math.min(last, Math.round(to)));
  if (high <= low) return null;
  return { kind: 'range', from: bins.edges[low]!, to: bins.edges[high]! };
}

/** Where a range lies among the bins, in fractions of a bin where it cuts one; outside it ends at the ends. */
export function binsOfBrush({ bins }: Pick<Facet, 'bins'>, brush: Brush | null): [number, number] | null {
  if (brush?.kind !== 'range') return null;
  return [placeOf(bins.edges, brush.from), placeOf(bins.edges, brush.to)];
}

function placeOf(edges: readonly number[], value: number): number {
  const last = edges.length - 1;
  if (last < 1 || value <= edges[0]!) return 0;
  if (value >= edges[last]!) return last;
  const at = edges.findLastIndex((edge) => edge <= value);
  return at + (value - edges[at]!) / (edges[at + 1]! - edges[at]!);
}

/** A value put into the choice of a facet, or taken out of it; null when none is left. */
export function toggleCode(facet: Facet, brush: Brush | null, code: number): Brush | null {
  const special = specialCodes(binCountOf(facet.bins));
  const before: Brush & { kind: 'values' } =
    brush?.kind === 'values' ? brush : { kind: 'values', values: [] };
  const value = facet.bins.kind === 'values' ? facet.bins.values[code] : undefined;
  const without = before.values.filter((one) => one !== value);
  const isIn = without.length < before.values.length;
  const values = value === undefined || isIn ? without : [...before.values, value];
  const hasNull = (code === special.null) !== (before.isNull ?? false);
  const hasNaN = (code === special.nan) !== (before.isNaN ?? false);
  if (values.length === 0 && !hasNull && !hasNaN) return null;
  return {
    kind: 'values',
    values,
    ...(hasNull ? { isNull: true } : {}),
    ...(hasNaN ? { isNaN: true } : {}),
  };
}

/** Whether a code is within the brush. */
export function isChosen(facet: Facet, brush: Brush | null, code: number): boolean {
  if (brush?.kind !== 'values') return false;
  return codesOfBrush(brush, facet.bins)?.includes(code) ?? false;
}
