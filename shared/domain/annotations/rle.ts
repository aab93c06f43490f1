import type { BoxShape, MaskShape, Size } from './shape.ts';

/**
 * COCO's compressed runs: numbers of five bits in printable characters from `0` on, from the third run on as the
 * difference to the run before the last (cocoapi, `rleToString`). Inverse of {@link parseRleText}.
 */
export function formatRleText(counts: readonly number[]): string {
  let text = '';
  counts.forEach((count, at) => {
    let rest = at > 2 ? count - (counts[at - 2] ?? 0) : count;
    for (let hasMore = true; hasMore; ) {
      let bits = ((rest % 32) + 32) % 32;
      rest = Math.floor(rest / 32);
      hasMore = bits & 0x10 ? rest !== -1 : rest !== 0;
      if (hasMore) bits += 0x20;
      text += String.fromCharCode(bits + 48);
    }
  });
  return text;
}

/** Reads COCO's compressed runs; null where the text is none. */
export function parseRleText(text: string): number[] | null {
  const counts: number[] = [];
  for (let at = 0; at < text.length; ) {
    let count = 0;
    let place = 1;
    for (let hasMore = true; hasMore; at++) {
      const bits = text.charCodeAt(at) - 48;
      if (!(bits >= 0 && bits < 64) || place > 2 ** 40) return null;
      count += (bits & 0x1f) * place;
      place *= 32;
      hasMore = (bits & 0x20) !== 0;
      if (!hasMore && bits & 0x10) count -= place;
    }
    if (counts.length > 2) count += counts[counts.length - 2]!;
    if (count < 0) return null;
    counts.push(count);
  }
  return counts;
}

/** Whether the runs fill the mask exactly. */
export const isWholeMask = ({ width, height, counts }: MaskShape): boolean =>
  counts.every((count) => Number.isInteger(count) && count >= 0) &&
  counts.reduce((sum, count) => sum + count, 0) === width * height;

/** Pixels that are set. */
export const maskArea = ({ counts }: Pick<MaskShape, 'counts'>): number =>
  counts.reduce((sum, count, at) => (at % 2 === 1 ? sum + count : sum), 0);

/** Runs of a picture of ones and zeros, row by row; inverse of {@link paintMask} at the mask's own size. */
export function toMask(pixels: ArrayLike<number>, { width, height }: Size): MaskShape {
  const counts: number[] = [];
  let isSet = false;
  let run = 0;
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) {
      if ((pixels[y * width + x] !== 0) === isSet) run++;
      else {
        counts.push(run);
        isSet = !isSet;
        run = 1;
      }
    }
  counts.push(run);
  return { kind: 'mask', width, height, counts };
}

/** The mask as ones and zeros, row by row, scaled to a size by nearest pixel: what it costs grows with runs and pixels painted. */
export function paintMask({ width, height, counts }: MaskShape, size: Size): Uint8Array {
  const pixels = new Uint8Array(size.width * size.height);
  let run = 0;
  let end = counts[0] ?? 0;
  for (let x = 0; x < size.width; x++) {
    const column = Math.floor(((x + 0.5) * width) / size.width) * height;
    for (let y = 0; y < size.height; y++) {
      const at = column + Math.floor(((y + 0.5) * height) / size.height);
      while (at >= end && run < counts.length - 1) end += counts[++run]!;
      if (run % 2 === 1 && at < end) pixels[y * size.width + x] = 1;
    }
  }
  return pixels;
}

/** The upright box around what is set; null where nothing is. */
export function maskBounds({ height, counts }: MaskShape): BoxShape | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  let start = 0;
  counts.forEach((count, at) => {
    if (at % 2 === 1 && count > 0) {
      const last = start + count - 1;
      left = Math.min(left, Math.floor(start / height));
      right = Math.max(right, Math.floor(last / height));
      const isOneColumn = Math.floor(start / height) === Math.floor(last / height);
      top = Math.min(top, isOneColumn ? start % height : 0);
      bottom = Math.max(bottom, isOneColumn ? last % height : height - 1);
    }
    start += count;
  });
  return right < 0
    ? null
    : { kind: 'box', x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Whether the pixel at a place is set. */
export function isInMask({ width, height, counts }: MaskShape, x: number, y: number): boolean {
  if (x < 0 || y < 0 || x >= width || y >= height) return false;
  const at = Math.floor(x) * height + Math.floor(y);
  let end = 0;
  for (let run = 0; run < counts.length; run++) {
    end += counts[run]!;
    if (at < end) return run % 2 === 1;
  }
  return false;
}

/** Pixels that are set in both of two masks of one size. */
export function sharedMaskArea(a: MaskShape, b: MaskShape): number {
  let shared = 0;
  let [runA, runB, at] = [0, 0, 0];
  let [endA, endB] = [a.counts[0] ?? 0, b.counts[0] ?? 0];
  while (runA < a.counts.length && runB < b.counts.length) {
    const end = Math.min(endA, endB);
    if (runA % 2 === 1 && runB % 2 === 1) shared += end - at;
    at = end;
    if (endA === end) endA += a.counts[++runA] ?? 0;
    if (endB === end) endB += b.counts[++runB] ?? 0;
  }
  return shared;
}
