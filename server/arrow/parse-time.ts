const secondsPerDay = 86_400n;
const digitsOf = (unit: number): number => unit * 3;

/** Why a text is no moment, as the end of a sentence. */
export class TimeFault extends Error {}

/** Days from 1970-01-01 to a date (Howard Hinnant, “chrono-compatible low-level date algorithms”). */
function daysOf(year: bigint, month: bigint, day: bigint): bigint {
  const shifted = month <= 2n ? year - 1n : year;
  const era = (shifted >= 0n ? shifted : shifted - 399n) / 400n;
  const yearOfEra = shifted - era * 400n;
  const dayOfYear = (153n * (month + (month > 2n ? -3n : 9n)) + 2n) / 5n + day - 1n;
  const dayOfEra = yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear;
  return era * 146_097n + dayOfEra - 719_468n;
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: bigint): boolean => (year % 4n === 0n && year % 100n !== 0n) || year % 400n === 0n;

function readDays(year: string, month: string, day: string): bigint {
  const y = BigInt(year.replace(/^\+/, ''));
  const m = Number(month);
  const length = m === 2 && isLeap(y) ? 29 : monthDays[m - 1];
  if (length === undefined) throw new TimeFault(`there is no month ${month}`);
  if (Number(day) < 1 || Number(day) > length) throw new TimeFault(`the month has no day ${day}`);
  return daysOf(y, BigInt(m), BigInt(day));
}

/** A fraction of a second in units of `unit`; only zeros may be beyond it. */
function readFraction(fraction: string, unit: number): bigint {
  const digits = digitsOf(unit);
  if (/[1-9]/.test(fraction.slice(digits)))
    throw new TimeFault(
      `the column keeps ${digits === 0 ? 'whole seconds' : `${digits} decimals of a second`}`,
    );
  return BigInt(fraction.slice(0, digits).padEnd(digits, '0') || '0');
}

function readClock(hour: string, minute: string, second: string, fraction: string, unit: number): bigint {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw new TimeFault(`there is no time ${hour}:${minute}:${second}`);
  const seconds = BigInt(hour) * 3600n + BigInt(minute) * 60n + BigInt(second);
  return seconds * 10n ** BigInt(digitsOf(unit)) + readFraction(fraction, unit);
}

const datePattern = /^([+-]?\d{4,6})-(\d\d)-(\d\d)$/;
const timePattern = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?$/;
const timestampPattern =
  /^([+-]?\d{4,6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?\s*(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Inverse of `formatTimestamp`: the instant in units of `unit`. A column with a zone takes any offset and reads a text
 * without one as UTC; a column without takes wall time, with nothing or `Z` behind it. Throws TimeFault.
 */
export function parseTimestamp(text: string, unit: number, isZoned: boolean): bigint {
  const match = timestampPattern.exec(text.trim());
  if (!match) throw new TimeFault('a moment is written like 2024-05-01T12:30:00');
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = match;
  const days = readDays(year!, month!, day!);
  const perSecond = 10n ** BigInt(digitsOf(unit));
  const wall = days * secondsPerDay * perSecond + readClock(hour, minute, second, fraction, unit);
  if (zone === undefined || /^z$/i.test(zone)) return wall;
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)!;
  const offset = (BigInt(hours!) * 3600n + BigInt(minutes) * 60n) * (sign === '-' ? -1n : 1n);
  if (!isZoned && offset !== 0n) throw new TimeFault('the column has no time zone, so none can be given');
  return wall - offset * perSecond;
}

/** Inverse of `formatDate`: days, or milliseconds, since 1970. Throws TimeFault. */
export function parseDate(text: string, isInDays: boolean): bigint {
  const match = datePattern.exec(text.trim());
  if (!match) throw new TimeFault('a date is written like 2024-05-01');
  const days = readDays(match[1]!, match[2]!, match[3]!);
  return isInDays ? days : days * secondsPerDay * 1000n;
}

/** Inverse of `formatTime`: units of `unit` since midnight. Throws TimeFault. */
export function parseTime(text: string, unit: number): bigint {
  const match = timePattern.exec(text.trim());
  if (!match) throw new TimeFault('a time is written like 12:30:00');
  const [, hour, minute, second = '00', fraction = ''] = match;
  return readClock(hour!, minute!, second, fraction, unit);
}

/** Inverse of `formatDuration`; also takes days, hours and minutes. Throws TimeFault. */
export function parseDuration(text: string, unit: number): bigint {
  const match = /^(-)?P(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,12}))?S)?)?$/.exec(
    text.trim(),
  );
  if (!match || /^-?P(T)?$/.test(text.trim()))
    throw new TimeFault('a duration is written like PT1.5S or PT2H30M');
  const [, minus, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const total =
    BigInt(days) * secondsPerDay + BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
  const value = total * 10n ** BigInt(digitsOf(unit)) + readFraction(fraction, unit);
  return minus ? -value : value;
}
