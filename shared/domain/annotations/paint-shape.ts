import { boundsOf } from './measure.ts';
import { cornersOf, type MaskShape, type Point, type Shape, type Size } from './shape.ts';

/**
 * Tells the pixels that a shape covers, by their places row by row in a grid of a size that lies over a picture: those
 * whose middle is inside. A mask of runs lies over the whole picture, whatever its own size. Keypoints are the box
 * around them.
 */
export function paintShape(
  shape: Shape,
  { on, size }: { on: Size; size: Size },
  set: (at: number) => void,
): void {
  if (shape.kind === 'mask') {
    paintRuns(shape, size, set);
    return;
  }
  const box = shape.kind === 'keypoints' ? boundsOf(shape) : shape;
  if (!box) return;
  const rings = box.kind === 'polygon' ? box.rings : [cornersOf(box)];
  const [across, down] = [size.width / on.width, size.height / on.height];
  paintRings(
    rings.map((ring) => ring.map(({ x, y }) => ({ x: x * across, y: y * down }))),
    size,
    set,
  );
}

function paintRuns({ width, height, counts }: MaskShape, size: Size, set: (at: number) => void): void {
  const rows = Uint32Array.from({ length: size.height }, (_none, y) =>
    Math.floor(((y + 0.5) * height) / size.height),
  );
  let run = 0;
  let start = 0;
  let end = counts[0] ?? 0;
  for (let x = 0; x < size.width; x++) {
    const column = Math.floor(((x + 0.5) * width) / size.width) * height;
    for (let y = 0; y < size.height; y++) {
      const at = column + rows[y]!;
      while (at < start) {
        end = start;
        start -= counts[--run]!;
      }
      while (at >= end && run < counts.length - 1) {
        start = end;
        end += counts[++run]!;
      }
      if (run % 2 === 1 && at < end) set(y * size.width + x);
    }
  }
}

/** Even-odd, a row of pixels after the other. */
function paintRings(
  rings: readonly (readonly Point[])[],
  { width, height }: Size,
  set: (at: number) => void,
): void {
  const crossings = new Map<number, number[]>();
  for (const ring of rings)
    ring.forEach((a, at) => {
      const b = ring[(at + 1) % ring.length]!;
      const [upper, lower] = a.y <= b.y ? [a, b] : [b, a];
      const first = Math.max(0, Math.ceil(upper.y - 0.5));
      const last = Math.min(height, Math.ceil(lower.y - 0.5));
      for (let y = first; y < last; y++) {
        const x = upper.x + ((y + 0.5 - upper.y) * (lower.x - upper.x)) / (lower.y - upper.y);
        const row = crossings.get(y);
        if (row) row.push(x);
        else crossings.set(y, [x]);
      }
    });
  for (const [y, places] of crossings) {
    places.sort((a, b) => a - b);
    for (let at = 0; at + 1 < places.length; at += 2) {
      const from = Math.max(0, Math.ceil(places[at]! - 0.5));
      const to = Math.min(width, Math.ceil(places[at + 1]! - 0.5));
      for (let x = from; x < to; x++) set(y * width + x);
    }
  }
}
