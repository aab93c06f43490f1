import type { Facet } from '#shared/api/facets.ts';
import type { Brush } from '#shared/domain/facets/brush.ts';
import { formatCount } from '../../../ui/format-quantity.ts';

const day = 86_400_000;

/** A number with few digits: whole ones grouped, others with up to six that say something. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : 'NaN';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return value.toExponential(3).replace('-', '−');
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  const [whole = '', part] = text.replace('-', '').split('.');
  return `${value < 0 ? '−' : ''}${formatCount(BigInt(whole))}${part ? `.${part}` : ''}`;
}

/** An instant in UTC: a day where it is the start of one, else to the minute or finer. */
export function formatInstant(ms: number): string {
  if (Number.isNaN(ms)) return '–';
  if (!Number.isFinite(ms)) return ms > 0 ? 'the end' : 'the beginning';
  const text = new Date(ms).toISOString();
  if (ms % day === 0) return text.slice(0, -14);
  return text
    .replace('T', ' ')
    .replace(/(:00)?\.000Z$/, '')
    .replace('Z', '');
}

type Kind = Facet['kind'];
const isTime = (kind: Kind): boolean => kind === 'timestamp' || kind === 'date';
const hasWholeSteps = (kind: Kind): boolean => kind === 'whole' || kind === 'length';

export const formatEdge = (value: number, kind: Kind): string =>
  isTime(kind) ? formatInstant(value) : formatNumber(value);

/** `10 to 19`, `2001-01 to before 2001-02`. */
export function formatRange(from: number, to: number, kind: Kind): string {
  if (hasWholeSteps(kind)) {
    if (to - from <= 1) return formatEdge(from, kind);
    return `${formatEdge(from, kind)} to ${formatEdge(to - 1, kind)}`;
  }
  if (from === Number.NEGATIVE_INFINITY) return `before ${formatEdge(to, kind)}`;
  if (to === Number.POSITIVE_INFINITY) return `from ${formatEdge(from, kind)}`;
  return `${formatEdge(from, kind)} to ${isTime(kind) ? 'before' : 'below'} ${formatEdge(to, kind)}`;
}

export const formatFacetValue = (value: string | boolean): string =>
  typeof value === 'boolean' ? String(value) : value === '' ? 'empty' : value;

/** A brush in words. */
export function formatBrush(brush: Brush, kind: Kind): string {
  if (brush.kind === 'range') return formatRange(brush.from, brush.to, kind);
  const words = [
    ...brush.values.map(formatFacetValue),
    ...(brush.isNull ? ['null'] : []),
    ...(brush.isNaN ? ['NaN'] : []),
  ];
  return words.length > 3 ? `${words.slice(0, 3).join(', ')} and ${words.length - 3} more` : words.join(', ');
}
