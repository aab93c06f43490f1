export interface JustifiedRow {
  /** Items from `start` (inclusive) to `end` (exclusive). */
  start: number;
  end: number;
  heightPx: number;
}

export interface JustifiedOptions {
  /** Width over height of each item. */
  aspects: readonly number[];
  widthPx: number;
  /** Wanted height of a row. */
  targetPx: number;
  gapPx: number;
  /** The last row may stay short at its end: for the end of the whole list. */
  isEnd: boolean;
}

const leastAspect = 0.35;
const mostAspect = 3.5;

/** Very long or tall pictures take no more than this; they are shown whole inside of it. */
export const boundAspect = (aspect: number): number =>
  Math.max(leastAspect, Math.min(mostAspect, Number.isFinite(aspect) && aspect > 0 ? aspect : 4 / 3));

/**
 * Parts items into rows that fill the width, all of about the wanted height: the number of rows is chosen first, then
 * the breaks that keep the heights as even as can be (Knuth and Plass's way of breaking lines).
 */
export function planJustified({
  aspects,
  widthPx,
  targetPx,
  gapPx,
  isEnd,
}: JustifiedOptions): JustifiedRow[] {
  const bounded = aspects.map(boundAspect);
  const count = bounded.length;
  if (count === 0 || widthPx <= 0) return [];
  const sums = [0];
  for (const aspect of bounded) sums.push((sums.at(-1) as number) + aspect);
  const heightOf = (start: number, end: number) =>
    (widthPx - gapPx * (end - start - 1)) / ((sums[end] as number) - (sums[start] as number));
  const cost = (start: number, end: number) => {
    const height = heightOf(start, end);
    if (isEnd && end === count && height > targetPx) return 0;
    if (height < targetPx * 0.4) return Number.POSITIVE_INFINITY;
    return Math.log(height / targetPx) ** 2;
  };
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  const mostInRow = Math.max(2, Math.ceil((widthPx / targetPx / leastAspect) * 1.5));
  for (let end = 1; end <= count; end += 1) {
    let found = { cost: Number.POSITIVE_INFINITY, from: end - 1 };
    for (let start = end - 1; start >= Math.max(0, end - mostInRow); start -= 1) {
      const total = (best[start] as { cost: number }).cost + cost(start, end);
      if (total < found.cost) found = { cost: total, from: start };
      if (heightOf(start, end) < targetPx * 0.4) break;
    }
    best.push(found);
  }
  const rows: JustifiedRow[] = [];
  for (let end = count; end > 0; ) {
    const start = (best[end] as { from: number }).from;
    const isShort = isEnd && end === count && heightOf(start, end) > targetPx;
    rows.unshift({
      start,
      end,
      heightPx: isShort ? targetPx : Math.min(heightOf(start, end), targetPx * 2.2),
    });
    end = start;
  }
  return rows;
}

/** How tall a block of unknown pictures will be, about. */
export const estimateBlockPx = ({
  count,
  widthPx,
  targetPx,
  captionPx,
  gapPx,
}: {
  count: number;
  widthPx: number;
  targetPx: number;
  captionPx: number;
  gapPx: number;
}): number =>
  Math.max(1, Math.round((count * targetPx * (4 / 3)) / Math.max(1, widthPx))) *
  (targetPx + captionPx + gapPx);
