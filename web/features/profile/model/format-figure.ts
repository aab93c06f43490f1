import { formatCount } from '../../../ui/format-quantity.ts';

/** A number with at most four digits that say something; whole ones in full. */
export function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : 'NaN';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return formatCount(value).replace('-', '−');
  const size = Math.abs(value);
  if (size >= 1e9 || size < 1e-3) return value.toExponential(2).replaceAll('-', '−');
  const short = Number(value.toPrecision(4));
  return (Number.isInteger(short) ? formatCount(short) : String(short)).replace('-', '−');
}

/** What a figure covers, with grouped digits. */
export const formatScope = (scope: string): string =>
  scope.replace(/\d{4,}/g, (digits) => formatCount(BigInt(digits)));

/** How far two columns go together: always three decimals, so that they can be compared by eye; never −0. */
export const formatStrength = (value: number, decimals = 3): string => {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text.replace('-', '−');
};
