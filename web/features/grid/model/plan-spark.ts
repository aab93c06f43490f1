/** The SVG path of a vector's shape: one bar per two pixels around zero (from the ground where nothing is below zero), scaled to the largest. */
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
  const isOneSided = means.every((mean) => mean >= 0);
  const ground = isOneSided ? height - 1 : height / 2;
  const reach = isOneSided ? height - 2 : height / 2 - 1;
  const step = width / bars;
  return means
    .map((mean, bar) => {
      const px = (mean / largest) * reach;
      const least = Math.abs(px) < 0.5 ? (mean < 0 ? -0.5 : 0.5) : px;
      return `M${round(bar * step + step / 2)} ${round(ground)}V${round(ground - least)}`;
    })
    .join('');
}

const round = (px: number): number => Math.round(px * 10) / 10;
