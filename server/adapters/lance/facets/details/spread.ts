const bins = 32;

export interface Spread {
  min: number;
  max: number;
  mean: number;
  histogram: { from: number; to: number; rows: number }[];
}

/** Least, most, mean and a histogram of finite numbers; null where there are none. */
export function spreadOf(values: readonly number[], { isWhole }: { isWhole: boolean }): Spread | null {
  if (values.length === 0) return null;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
  }
  const span = isWhole ? max - min + 1 : max - min;
  const width = isWhole ? Math.max(1, Math.ceil(span / bins)) : span / bins;
  const count = width === 0 ? 1 : isWhole ? Math.ceil(span / width) : bins;
  const rows = new Array<number>(count).fill(0);
  for (const value of values)
    rows[width === 0 ? 0 : Math.min(count - 1, Math.floor((value - min) / width))]! += 1;
  const histogram = rows.map((inBin, bin) => ({
    from: min + bin * width,
    to: bin === count - 1 && !isWhole ? max : min + (bin + 1) * width,
    rows: inBin,
  }));
  return { min, max, mean: sum / values.length, histogram };
}
