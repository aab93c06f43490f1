import type { Facet, FacetsAnswer } from '#shared/api/facets.ts';
import type { ColumnProfile } from '#shared/api/tables.ts';
import { binCountOf, specialCodes } from '#shared/domain/facets/bins.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { formatInstant } from '../../facets/index.ts';
import { formatFigure, formatScope } from './format-figure.ts';

export interface FiguresInput {
  profile: ColumnProfile;
  /** The column's distribution, where all rows were counted. */
  counted: { facet: Facet; answer: FacetsAnswer } | null;
  isTime: boolean;
}

export interface Figures {
  facts: [name: string, value: string][];
  /** What they cover. */
  note: string;
}

/** The figures of a column: those that were counted over all rows before those of a sample, and which are which. */
export function planFigures({ profile, counted, isTime }: FiguresInput): Figures {
  const show = (value: unknown): string => showValue(value, isTime);
  const isWhole = counted !== null && counted.answer.matching === counted.answer.rows;
  const exact = profile.isSample ? counted : null;
  const figures = (isWhole && exact?.facet.figures) || null;
  const found: [name: string, value: string, isOfSample: boolean][] = [];
  const add = (name: string, value: string, isOfSample: boolean) =>
    found.push([name, value, (profile.isSample ?? false) && isOfSample]);

  add('Nulls', formatCount(exact ? nullsOf(exact.facet) : profile.nulls), !exact);
  const isListed = exact?.facet.kind === 'text' || exact?.facet.kind === 'bool';
  const values = isWhole && isListed ? (exact?.facet.distinct ?? null) : null;
  if (values !== null) add('Distinct', formatCount(values), false);
  else if (figures) add('Distinct', `about ${formatCount(figures.distinct)}`, false);
  else if (profile.distinct !== null)
    add(
      profile.isSample ? 'Distinct in the sample' : 'Distinct',
      `${profile.isDistinctExact ? '' : 'about '}${formatCount(profile.distinct)}`,
      true,
    );
  const { min, max, mean } = figures ?? profile;
  if (min !== null && min !== undefined) {
    add('Least', show(min), !figures);
    add('Most', show(max), !figures);
  }
  if (mean !== null) add('Mean', show(mean), !figures);
  const { quantiles } = profile;
  if (quantiles) {
    add('Median', show(quantiles[2]), true);
    add('Middle half', `${show(quantiles[1])} to ${show(quantiles[3])}`, true);
    add('5 % to 95 %', `${show(quantiles[0])} to ${show(quantiles[4])}`, true);
  }
  return { facts: found.map(([name, value]) => [name, value]), note: noteOf(found, profile, exact) };
}

function noteOf(
  found: readonly (readonly [name: string, value: string, isOfSample: boolean])[],
  profile: ColumnProfile,
  exact: FiguresInput['counted'],
): string {
  const scope = formatScope(profile.scope);
  const sampled = found.filter(([, , isOfSample]) => isOfSample).map(([name]) => name.toLowerCase());
  if (sampled.length === found.length || !exact) return `Covers ${scope}.`;
  const { matching, rows } = exact.answer;
  const all = `all ${formatOf(matching, 'row')}${matching === rows ? '' : ' that match'}`;
  if (sampled.length === 0) return `Covers ${all}.`;
  const names =
    sampled.length === 1 ? sampled[0]! : `${sampled.slice(0, -1).join(', ')} and ${sampled.at(-1)!}`;
  const first = `${names.charAt(0).toUpperCase()}${names.slice(1)}`;
  return `${first} cover${sampled.length === 1 ? 's' : ''} ${scope}, the others ${all}.`;
}

const nullsOf = ({ bins, inside }: Facet): number => inside[specialCodes(binCountOf(bins)).null] ?? 0;

function showValue(value: unknown, isTime: boolean): string {
  if (value === null || value === undefined) return '–';
  if (isTime) return formatInstant(Math.round(toMs(value) / 1000) * 1000);
  if (typeof value === 'number') return formatFigure(value);
  if (typeof value === 'string' && /^-?\d{4,19}$/.test(value))
    return formatCount(BigInt(value)).replace('-', '−');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const toMs = (value: unknown): number => {
  if (typeof value === 'number') return value;
  const text = String(value);
  return Date.parse(/T.*(Z|[+-]\d\d:\d\d)$|^[^T]*$/.test(text) ? text : `${text}Z`);
};
