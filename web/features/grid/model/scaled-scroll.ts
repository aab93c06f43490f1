/** Chromium clamps an element at 33,554,432 px; above this height the scroll bar stands for a longer, logical one. */
export const mostPhysicalPx = 8_000_000;

/** How long after the last scroll the thumb is put where it belongs. */
export const settleMs = 200;

export interface ScrollSizes {
  /** Height of all rows. */
  contentPx: number;
  /** Height of the scroller's window. */
  viewportPx: number;
  /** What else scrolls with the rows: the sticky header, a foot. */
  extraPx: number;
}

export interface ScrollPlace {
  /** Where the scroll bar stands. */
  physical: number;
  /** Which pixel of the rows is on top. */
  logical: number;
}

/** Height that the rows take in the document. */
export const physicalHeight = ({ contentPx }: Pick<ScrollSizes, 'contentPx'>): number =>
  Math.min(contentPx, mostPhysicalPx);

/** Largest scroll offsets, logical and physical. */
export function scrollEnds({ contentPx, viewportPx, extraPx }: ScrollSizes): ScrollPlace {
  const beyond = extraPx - viewportPx;
  return {
    logical: Math.max(0, contentPx + beyond),
    physical: Math.max(0, physicalHeight({ contentPx }) + beyond),
  };
}

/**
 * The new place after the scroll bar moved to `physical`. Small moves (wheel, keys) go pixel by pixel through the
 * logical height; moves of more than four windows (the thumb is dragged, End is pressed) go in proportion. Both ends
 * are exact.
 */
export function planScroll(from: ScrollPlace, physical: number, sizes: ScrollSizes): ScrollPlace {
  const ends = scrollEnds(sizes);
  if (ends.logical === ends.physical) return { physical, logical: physical };
  if (physical <= 0) return { physical, logical: 0 };
  if (physical >= ends.physical - 1) return { physical, logical: ends.logical };
  const moved = physical - from.physical;
  const isJump = Math.abs(moved) > 4 * sizes.viewportPx;
  const logical = isJump ? (physical * ends.logical) / ends.physical : from.logical + moved;
  return { physical, logical: Math.max(0, Math.min(ends.logical, logical)) };
}

/** Where the scroll bar belongs for a logical place. */
export function settlePhysical(logical: number, sizes: ScrollSizes): number {
  const ends = scrollEnds(sizes);
  if (ends.logical === ends.physical) return logical;
  if (logical <= 0) return 0;
  if (logical >= ends.logical) return ends.physical;
  return Math.min(ends.physical - 2, Math.max(1, Math.round((logical * ends.physical) / ends.logical)));
}

/** Rows that are this many screens away are jumped to, and come to stand in the middle. */
const farScreens = 2;

/** The logical place that brings a row wholly into sight with the least move; null when it is in sight. */
export function planReveal(
  row: { topPx: number; heightPx: number },
  logical: number,
  sizes: ScrollSizes,
): number | null {
  const roomPx = sizes.viewportPx - sizes.extraPx;
  const awayPx = Math.max(logical - row.topPx, row.topPx - logical - roomPx);
  if (awayPx > farScreens * roomPx) {
    const lastPx = Math.max(0, sizes.contentPx - roomPx);
    return Math.max(0, Math.min(lastPx, row.topPx + row.heightPx / 2 - roomPx / 2));
  }
  if (row.topPx < logical) return row.topPx;
  if (row.topPx + row.heightPx > logical + roomPx) return Math.max(0, row.topPx + row.heightPx - roomPx);
  return null;
}
