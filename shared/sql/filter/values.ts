import type { IntType, TimeUnit } from './value-type.ts';

/** Where a value stands among those that a type can hold. */
export type Fit<V> =
  | { kind: 'exact'; value: V }
  /** Between two neighbours; `floor` is the lower one. */
  | { kind: 'between'; floor: V }
  | { kind: 'below' }
  | { kind: 'above' };

const unitPerSecond: Record<TimeUnit, bigint> = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n };
const nanosPerDay = 86_400_000_000_000n;

export const nanosPer = (unit: TimeUnit): bigint => 1_000_000_000n / unitPerSecond[unit];

function floorDiv(value: bigint, by: bigint): { floor: bigint; isExact: boolean } {
  const quotient = value / by;
  const rest = value % by;
  return { floor: rest < 0n ? quotient - 1n : quotient, isExact: rest === 0n };
}

function fitScaled(value: bigint, by: bigint): Fit<bigint> {
  const { floor, isExact } = floorDiv(value, by);
  return isExact ? { kind: 'exact', value: floor } : { kind: 'between', floor };
}

/** A number's text as digits and a power of ten: `-1.50e3` is −150 · 10¹. Null for powers that no type reaches. */
export function readDecimal(text: string): { digits: bigint; exponent: number } | null {
  const match = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const trimmed = fraction.replace(/0+$/, '');
  const digits = BigInt(`${whole}${trimmed}` || '0');
  const exponent = Number(power) - trimmed.length;
  if (digits !== 0n && Math.abs(exponent) > 400) return null;
  return { digits: sign === '-' ? -digits : digits, exponent: digits === 0n ? 0 : exponent };
}

const ranges = new Map<string, { min: bigint; max: bigint }>();

export function intRange({ bits, isSigned }: IntType): { min: bigint; max: bigint } {
  const key = `${isSigned}${bits}`;
  const known = ranges.get(key);
  if (known) return known;
  const size = BigInt(bits);
  const range = isSigned
    ? { min: -(1n << (size - 1n)), max: (1n << (size - 1n)) - 1n }
    : { min: 0n, max: (1n << size) - 1n };
  ranges.set(key, range);
  return range;
}

const isPlainWhole = (text: string): boolean => text.length <= 18 && /^-?\d+$/.test(text);

function fitNumber(text: string): Fit<bigint> {
  if (isPlainWhole(text)) return { kind: 'exact', value: BigInt(text) };
  const decimal = readDecimal(text);
  const isNegative = text.startsWith('-');
  if (decimal === null) {
    if (/[eE]-/.test(text)) return { kind: 'between', floor: isNegative ? -1n : 0n };
    return { kind: isNegative ? 'below' : 'above' };
  }
  const { digits, exponent } = decimal;
  if (exponent >= 0) return { kind: 'exact', value: digits * 10n ** BigInt(exponent) };
  return fitScaled(digits, 10n ** BigInt(-exponent));
}

/** Where a number stands among the whole numbers of a type. */
export function fitInt(text: string, type: IntType): Fit<bigint> {
  const fit = fitNumber(text);
  if (fit.kind === 'below' || fit.kind === 'above') return fit;
  const { min, max } = intRange(type);
  const value = fit.kind === 'between' ? fit.floor : fit.value;
  if (value < min) return { kind: 'below' };
  if (value > max || (value === max && fit.kind === 'between')) return { kind: 'above' };
  return fit;
}

const float16Max = 65_504;

/** Rounds to the nearest value of a 16-bit float, ties to even. */
export function roundToFloat16(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const size = Math.abs(value);
  const step = size < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(size)) - 10);
  const scaled = size / step;
  const low = Math.floor(scaled);
  const rest = scaled - low;
  const rounded = rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
  const result = rounded * step;
  return Math.sign(value) * (result > float16Max ? Number.POSITIVE_INFINITY : result);
}

export function fitFloat(text: string, bits: 16 | 32 | 64): number {
  const value = Number(text);
  return bits === 64 ? value : bits === 32 ? Math.fround(value) : roundToFloat16(value);
}

const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/** Days since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, days_from_civil). */
function daysFromCivil(year: number, month: number, day: number): bigint {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return BigInt(era * 146_097 + dayOfEra - 719_468);
}

function readClock(hour: string, minute: string, second = '0', fraction = ''): bigint | null {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
  return seconds * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0') || '0');
}

/** `2024-03-09`, `2024-03-09 14:05:00.25`, with `Z` or an offset; without one it is UTC. Nanoseconds since 1970, or null. */
export function readInstant(text: string): { nanos: bigint; isDate: boolean } | null {
  const match =
    /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|z|UTC|[+-]\d{2}(?::?\d{2})?)?)?\s*$/.exec(
      text,
    );
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const y = Number(year);
  const m = Number(month);
  const d = Number(day);
  if (y < 1 || m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m)) return null;
  const days = daysFromCivil(y, m, d) * nanosPerDay;
  if (hour === undefined) return { nanos: days, isDate: true };
  const clock = readClock(hour, minute!, second, fraction);
  if (clock === null) return null;
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? '');
  const minutes = offset
    ? (Number(offset[2]) * 60 + Number(offset[3] ?? 0)) * (offset[1] === '-' ? -1 : 1)
    : 0;
  return { nanos: days + clock - BigInt(minutes) * 60_000_000_000n, isDate: false };
}

export const fitInstant = (nanos: bigint, unit: TimeUnit): Fit<bigint> => fitScaled(nanos, nanosPer(unit));

export const fitDay = (nanos: bigint): Fit<bigint> => fitScaled(nanos, nanosPerDay);

/** `14:05`, `14:05:00.25`; nanoseconds since midnight, or null. */
export function readTime(text: string): bigint | null {
  const match = /^\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*$/.exec(text);
  return match ? readClock(match[1]!, match[2]!, match[3], match[4]) : null;
}

const intervalUnits: Record<string, { months?: number; nanos?: bigint; days?: number }> = {
  year: { months: 12 },
  quarter: { months: 3 },
  month: { months: 1 },
  week: { days: 7 },
  day: { days: 1 },
  hour: { nanos: 3_600_000_000_000n },
  minute: { nanos: 60_000_000_000n },
  second: { nanos: 1_000_000_000n },
  millisecond: { nanos: 1_000_000n },
  microsecond: { nanos: 1_000n },
};

export interface Interval {
  months: number;
  days: number;
  nanos: bigint;
}

/** `7 days`, `1 hour 30 minutes`; null when it cannot be read. */
export function readInterval(text: string): Interval | null {
  const interval: Interval = { months: 0, days: 0, nanos: 0n };
  const rest = text
    .trim()
    .replaceAll(/\s*([+-]?\d+)\s*([a-zA-Z]+)\s*/g, (part, amount: string, name: string) => {
      const unit = intervalUnits[name.toLowerCase().replace(/s$/, '')];
      if (!unit || amount.length > 9) return part;
      interval.months += Number(amount) * (unit.months ?? 0);
      interval.days += Number(amount) * (unit.days ?? 0);
      interval.nanos += BigInt(amount) * (unit.nanos ?? 0n);
      return '';
    });
  return rest === '' && text.trim() !== '' ? interval : null;
}

const pad = (value: number | bigint, size: number): string => String(value).padStart(size, '0');

function formatClock(nanos: bigint): string {
  const seconds = Number(nanos / 1_000_000_000n);
  const fraction = nanos % 1_000_000_000n;
  const tail = fraction === 0n ? '' : `.${pad(fraction, 9).replace(/0+$/, '')}`;
  return `${pad(Math.floor(seconds / 3600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}${tail}`;
}

/** Inverse of {@link readTime}. */
export const formatTime = (value: bigint, unit: TimeUnit): string => formatClock(value * nanosPer(unit));

/** `2024-03-09` from days since 1970. */
export function formatDay(days: bigint): string {
  const date = new Date(Number(days) * 86_400_000);
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
}

/** `2024-03-09T14:05:00.25` in UTC, without a zone. */
export function formatInstant(value: bigint, unit: TimeUnit): string {
  const { floor } = floorDiv(value * nanosPer(unit), nanosPerDay);
  return `${formatDay(floor)}T${formatClock(value * nanosPer(unit) - floor * nanosPerDay)}`;
}
