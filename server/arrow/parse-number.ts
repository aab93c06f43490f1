/** The bits of the nearest float16 (ties to even, as IEEE 754 rounds); too large becomes infinite. */
export function numberToHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY || size >= 65_520) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(size || 1)), -14);
  const step = 2 ** (Math.max(exponent, -14) - 10);
  let steps = roundToEven(size / step);
  let scale = exponent;
  if (steps === 2048) {
    steps = 1024;
    scale += 1;
  }
  if (steps < 1024) return sign | steps;
  return sign | ((scale + 15) << 10) | (steps - 1024);
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1;
  return floor;
}

/** The unscaled value of a decimal text, or null when it is none or has more decimals (other than zeros) than `scale`. */
export function parseDecimal(text: string, scale: number): bigint | null {
  const match = /^\s*([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,3}))?\s*$/.exec(text);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (!match || whole + fraction === '') return null;
  const digits = BigInt(whole + fraction);
  const shift = scale - fraction.length + Number(exponent);
  const factor = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % factor !== 0n) return null;
  const value = shift < 0 ? digits / factor : digits * factor;
  return sign === '-' ? -value : value;
}
