/** Places from `start` (inclusive) to `end` (exclusive). */
export interface Span {
  start: number;
  end: number;
}

export interface WindowFacts {
  /** First and last row on the screen. */
  first: number;
  last: number;
  /** Null before the first answer. */
  total: number | null;
  /** What is there or on its way: in order, without overlaps. */
  held: readonly Span[];
  /** Most rows of one request. */
  windowRows: number;
  /** How near the end of what is there the screen may come before more is fetched. */
  marginRows: number;
  /** Rows of a request that stands alone: small, for the first paint and for jumps. */
  firstRows: number;
}

/**
 * The next span to fetch, or null when nothing is missing. Never overlaps what is held. A screen that stands alone gets
 * few rows around it, at once; one that goes on from what is there gets a whole window, so that scrolling costs one
 * request per `windowRows` rows.
 */
export function planWindow(facts: WindowFacts): Span | null {
  const { held, windowRows, marginRows, firstRows } = facts;
  const limit = facts.total ?? Number.POSITIVE_INFINITY;
  if (limit <= 0) return null;
  const first = Math.max(0, Math.min(facts.first, limit - 1));
  const end = Math.max(first, Math.min(facts.last, limit - 1)) + 1;
  const missing = firstGap({ start: first, end }, held);
  if (missing === null) return planAhead(facts, first, end, limit);
  const gap = gapAround(missing, held, limit);
  const inGap = (start: number, stop: number): Span => ({
    start: Math.max(gap.start, Math.min(start, missing)),
    end: Math.min(gap.end, Math.max(stop, missing + 1)),
  });
  if (gap.start > 0 && gap.start >= first - marginRows) return inGap(gap.start, gap.start + windowRows);
  if (gap.end < limit && gap.end <= end + marginRows) return inGap(gap.end - windowRows, gap.end);
  const spare = Math.max(0, firstRows - (end - first));
  const start = Math.max(0, first - Math.floor(spare / 2));
  return inGap(start, start + Math.max(firstRows, end - first));
}

function planAhead(
  { held, windowRows, marginRows }: WindowFacts,
  first: number,
  end: number,
  limit: number,
): Span | null {
  const below = firstGap({ start: end - 1, end: end + marginRows }, held);
  if (below !== null && below < limit) {
    const gap = gapAround(below, held, limit);
    return { start: gap.start, end: Math.min(gap.end, gap.start + windowRows) };
  }
  const run = lastGap({ start: Math.max(0, first - marginRows), end: first }, held);
  if (run === null) return null;
  const gap = gapAround(run, held, limit);
  return { start: Math.max(gap.start, gap.end - windowRows), end: gap.end };
}

/** The first place in a span that is not held. */
export function firstGap(wanted: Span, held: readonly Span[]): number | null {
  let at = wanted.start;
  for (const span of held) {
    if (span.start > at) break;
    if (span.end > at) at = span.end;
  }
  return at < wanted.end ? at : null;
}

function lastGap(wanted: Span, held: readonly Span[]): number | null {
  let at = wanted.end;
  for (const span of held.toReversed()) {
    if (span.end < at) break;
    if (span.start < at) at = span.start;
  }
  return at > wanted.start ? at - 1 : null;
}

function gapAround(place: number, held: readonly Span[], limit: number): Span {
  return {
    start: held.findLast((span) => span.end <= place)?.end ?? 0,
    end: held.find((span) => span.start > place)?.start ?? limit,
  };
}
