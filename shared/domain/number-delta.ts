export interface NumberDiff {
  /** New minus old, as text that keeps every digit of whole numbers; `null` where there is no difference to name (NaN, infinity). */
  delta: string | null;
  direction: 'up' | 'down' | 'none';
  /** Share of the old value's size, 0.1 for ten per cent; `null` from zero. */
  relative: number | null;
}

const wholeNumber = /^-?\d+$/;

function toWhole(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && wholeNumber.test(value)) return BigInt(value);
  return null;
}

/** The difference of two numbers, exact for whole numbers of any size. */
export function diffNumbers(before: unknown, after: unknown): NumberDiff {
  const oldWhole = toWhole(before);
  const newWhole = toWhole(after);
  const a = Number(before);
  const b = Number(after);
  if (oldWhole !== null && newWhole !== null) {
    const delta = newWhole - oldWhole;
    return {
      delta: delta.toString(),
      direction: directionOf(delta > 0n ? 1 : delta < 0n ? -1 : 0),
      relative: relativeOf(a, Number(delta)),
    };
  }
  const delta = b - a;
  if (!Number.isFinite(delta)) return { delta: null, direction: 'none', relative: null };
  return {
    delta: String(trimNoise(delta, a, b)),
    direction: directionOf(delta),
    relative: relativeOf(a, delta),
  };
}

const directionOf = (delta: number): NumberDiff['direction'] =>
  delta > 0 ? 'up' : delta < 0 ? 'down' : 'none';

const relativeOf = (before: number, delta: number): number | null =>
  before === 0 || !Number.isFinite(before) ? null : delta / Math.abs(before);

/** Drops the digits that only binary rounding made: 0.3 − 0.1 is 0.2. */
function trimNoise(delta: number, a: number, b: number): number {
  const scale = Math.max(Math.abs(a), Math.abs(b));
  const digits =
    scale === 0 || delta === 0
      ? 15
      : Math.max(1, Math.min(15, 15 - Math.ceil(Math.log10(scale / Math.abs(delta)))));
  return Number(delta.toPrecision(digits));
}
