/** The SVG path of a vector's shape: one bar per two pixels, from the middle up or down, scaled to the largest bar. */
export function planSpark(values: ArrayLike<number>, width: number, height: number): string {
  const bars = Math.max(1, Math.min(values.length, Math.floor(width / 2)));
  const means = Array.from({ length: bars }, (_none, bar) => {
    const start = Math.floor((bar * values.length) / bars);
    const end = Math.max(start + 1, Math.floor(((bar + 1) * values.length) / bars));
    let sum = 0;
    for (let at = start; at < end; at += 1) sum += Number.isFinite(values[at]) ? Number(values[at]) : 0;
    return sum / (end - start);
  });
  const largest = Math.max(...means.map(Math.abs)) || 1;
  const middle = height / 2;
  const step = width / bars;
  return means
    .map((mean, bar) => {
      const x = round(bar * step + step / 2);
      const reach = (mean / largest) * (middle - 1);
      return `M${x} ${round(middle)}V${round(middle - (Math.abs(reach) < 0.5 ? Math.sign(reach || 1) * 0.5 : reach))}`;
    })
    .join('');
}

const round = (px: number): number => Math.round(px * 10) / 10;
