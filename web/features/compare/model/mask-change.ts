/** Shares of all pixels, 0 to 1. */
export interface MaskChange {
  added: number;
  removed: number;
  /** In both masks, as another class. */
  changed: number;
  /** Of what both masks cover with one class against what either covers; `null` where both are empty. */
  iou: number | null;
}

const isIn = (pixels: Uint8ClampedArray, at: number): boolean =>
  (pixels[at + 3] ?? 0) > 0 && (pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0) > 0;

const isSameColour = (a: Uint8ClampedArray, b: Uint8ClampedArray, at: number): boolean =>
  a[at] === b[at] && a[at + 1] === b[at + 1] && a[at + 2] === b[at + 2];

const tones = {
  added: [40, 190, 90, 170],
  removed: [230, 60, 60, 170],
  changed: [235, 165, 30, 170],
  same: [255, 255, 255, 90],
} as const;

/**
 * Paints to `out` what became of each pixel of a mask that is stored as a picture; black and transparent pixels are
 * outside of it. All three are RGBA of one size.
 */
export function paintMaskChange(
  before: Uint8ClampedArray | null,
  after: Uint8ClampedArray | null,
  out: Uint8ClampedArray,
): MaskChange {
  const counts = { added: 0, removed: 0, changed: 0, same: 0 };
  for (let at = 0; at < out.length; at += 4) {
    const was = before !== null && isIn(before, at);
    const is = after !== null && isIn(after, at);
    if (!was && !is) continue;
    const state = !was
      ? 'added'
      : !is
        ? 'removed'
        : before && after && isSameColour(before, after, at)
          ? 'same'
          : 'changed';
    counts[state] += 1;
    out.set(tones[state], at);
  }
  const pixels = Math.max(1, out.length / 4);
  const covered = counts.added + counts.removed + counts.changed + counts.same;
  return {
    added: counts.added / pixels,
    removed: counts.removed / pixels,
    changed: counts.changed / pixels,
    iou: covered === 0 ? null : counts.same / covered,
  };
}

const percent = (share: number): string => {
  const value = share * 100;
  return `${value > 0 && value < 0.1 ? '<0.1' : value.toFixed(1)} %`;
};

/** `+2.1 % of the picture, −0.4 %, IoU 0.91`. */
export function describeMaskChange({ added, removed, changed, iou }: MaskChange): string {
  if (added + removed + changed === 0) return 'Pixel for pixel the same mask';
  return [
    added > 0 && `+ ${percent(added)} of the picture`,
    removed > 0 && `− ${percent(removed)} of the picture`,
    changed > 0 && `~ ${percent(changed)} another class`,
    iou !== null && `IoU ${iou.toFixed(2)}`,
  ]
    .filter((part) => part !== false)
    .join(' · ');
}
