import type { Point, Size } from './shape.ts';

/** One value per pixel, row by row. */
export type Pixels = Uint8Array | Uint16Array | Uint32Array;

/** Painting by a round brush along a line, or of all that hangs together with the pixel where it begins. */
export interface PaintStroke {
  kind: 'brush' | 'fill';
  /** In pixels; a fill begins at the first. */
  points: readonly Point[];
  /** Of the brush, in pixels. */
  diameter: number;
  value: number;
}

/** Paints into pixels and says how many changed. A brush costs the pixels that it covers, a fill those that it fills. */
export function paintPixels(pixels: Pixels, size: Size, stroke: PaintStroke): number {
  const [first] = stroke.points;
  if (!first) return 0;
  if (stroke.kind === 'fill') return fillPixels(pixels, size, { at: first, value: stroke.value });
  let changed = 0;
  stroke.points.forEach((to, at) => {
    const from = stroke.points[Math.max(0, at - 1)]!;
    changed += paintLine(pixels, size, { from, to, radius: stroke.diameter / 2, value: stroke.value });
  });
  return changed;
}

interface Line {
  from: Point;
  to: Point;
  radius: number;
  value: number;
}

/** Pixels whose middle is at most the radius from the line; at least those in which it begins and ends. */
function paintLine(pixels: Pixels, { width, height }: Size, { from, to, radius, value }: Line): number {
  let changed = 0;
  const set = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= width || y >= height || pixels[y * width + x] === value) return;
    pixels[y * width + x] = value;
    changed++;
  };
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const top = Math.max(0, Math.floor(Math.min(from.y, to.y) - radius));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(from.y, to.y) + radius));
  const left = Math.max(0, Math.floor(Math.min(from.x, to.x) - radius));
  const right = Math.min(width - 1, Math.ceil(Math.max(from.x, to.x) + radius));
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const [px, py] = [x + 0.5 - from.x, y + 0.5 - from.y];
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length));
      if ((px - share * dx) ** 2 + (py - share * dy) ** 2 <= radius * radius) set(x, y);
    }
  for (const { x, y } of [from, to]) set(Math.floor(x), Math.floor(y));
  return changed;
}

/** Flood fill by rows, over the four sides. */
function fillPixels(
  pixels: Pixels,
  { width, height }: Size,
  { at, value }: { at: Point; value: number },
): number {
  const [x0, y0] = [Math.floor(at.x), Math.floor(at.y)];
  if (x0 < 0 || y0 < 0 || x0 >= width || y0 >= height) return 0;
  const before = pixels[y0 * width + x0]!;
  if (before === value) return 0;
  let changed = 0;
  const waiting: number[] = [y0 * width + x0];
  for (let seed = waiting.pop(); seed !== undefined; seed = waiting.pop()) {
    if (pixels[seed] !== before) continue;
    const row = seed - (seed % width);
    let left = seed;
    while (left > row && pixels[left - 1] === before) left--;
    let right = seed;
    while (right < row + width - 1 && pixels[right + 1] === before) right++;
    for (let place = left; place <= right; place++) pixels[place] = value;
    changed += right - left + 1;
    for (const next of [row - width, row + width]) {
      if (next < 0 || next >= width * height) continue;
      let isInside = false;
      for (let x = left - row; x <= right - row; x++) {
        const isSame = pixels[next + x] === before;
        if (isSame && !isInside) waiting.push(next + x);
        isInside = isSame;
      }
    }
  }
  return changed;
}
