import { arrow } from './arrow.ts';

const { TimeUnit, IntervalUnit } = arrow;

const digitsOf = (unit: number): number => unit * 3;
const perSecondOf = (unit: number): bigint => 10n ** BigInt(digitsOf(unit));
const secondsPerDay = 86_400n;

function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

const pad = (value: bigint | number, width = 2): string => value.toString().padStart(width, '0');

/** Year, month and day of a day count from 1970-01-01 (Howard Hinnant, “chrono-compatible low-level date algorithms”). */
function civilOf(days: bigint): string {
  const shifted = days + 719_468n;
  const era = floorDiv(shifted, 146_097n);
  const dayOfEra = shifted - era * 146_097n;
  const yearOfEra = (dayOfEra - dayOfEra / 1460n + dayOfEra / 36_524n - dayOfEra / 146_096n) / 365n;
  const dayOfYear = dayOfEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n);
  const shiftedMonth = (5n * dayOfYear + 2n) / 153n;
  const day = dayOfYear - (153n * shiftedMonth + 2n) / 5n + 1n;
  const month = shiftedMonth < 10n ? shiftedMonth + 3n : shiftedMonth - 9n;
  const year = yearOfEra + era * 400n + (month <= 2n ? 1n : 0n);
  const yearText =
    year >= 0n && year <= 9999n
      ? pad(year, 4)
      : `${year < 0n ? '-' : '+'}${pad(year < 0n ? -year : year, 6)}`;
  return `${yearText}-${pad(month)}-${pad(day)}`;
}

const fractionOf = (value: bigint, unit: number): string =>
  unit === TimeUnit.SECOND ? '' : `.${pad(value, digitsOf(unit))}`;

/** `HH:MM:SS` with as many decimals as the unit has. */
export function formatTime(value: bigint, unit: number): string {
  const perSecond = perSecondOf(unit);
  const seconds = floorDiv(value, perSecond);
  return `${pad(seconds / 3600n)}:${pad((seconds / 60n) % 60n)}:${pad(seconds % 60n)}${fractionOf(value - seconds * perSecond, unit)}`;
}

/** ISO 8601 with as many decimals as the unit has; `Z` only when the column has a zone. */
export function formatTimestamp(value: bigint, unit: number, isZoned: boolean): string {
  const perDay = secondsPerDay * perSecondOf(unit);
  const days = floorDiv(value, perDay);
  return `${civilOf(days)}T${formatTime(value - days * perDay, unit)}${isZoned ? 'Z' : ''}`;
}

/** `YYYY-MM-DD` from days or milliseconds since 1970. */
export function formatDate(value: bigint, isInDays: boolean): string {
  return civilOf(isInDays ? value : floorDiv(value, secondsPerDay * 1000n));
}

/** ISO 8601 in seconds, such as `PT1.500S` or `-PT2S`. */
export function formatDuration(value: bigint, unit: number): string {
  const perSecond = perSecondOf(unit);
  const size = value < 0n ? -value : value;
  return `${value < 0n ? '-' : ''}PT${size / perSecond}${fractionOf(size % perSecond, unit)}S`;
}

/** ISO 8601 of a calendar interval. */
export function formatInterval(parts: ArrayLike<number>, unit: number): string {
  switch (unit) {
    case IntervalUnit.YEAR_MONTH:
      return `P${parts[0]}M`;
    case IntervalUnit.DAY_TIME:
      return `P${parts[0]}DT${(parts[1] ?? 0) / 1000}S`;
    default:
      return `P${parts[0]}M${parts[1]}D`;
  }
}
