/** Places are in pixels of the picture, from its upper left corner; half pixels count. */
export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface BoxShape extends Point, Size {
  kind: 'box';
}

/** A box that is turned about its middle; `angle` in degrees, clockwise as seen. */
export interface RotatedShape extends Size {
  kind: 'rotated';
  cx: number;
  cy: number;
  angle: number;
}

/** Rings of points; what lies in an odd number of them is inside. */
export interface PolygonShape {
  kind: 'polygon';
  rings: Point[][];
}

/** A mask as COCO counts it: run lengths down the columns, background first. */
export interface MaskShape extends Size {
  kind: 'mask';
  counts: number[];
}

/** `visibility` as COCO writes it: 0 not labelled, 1 hidden, 2 seen. */
export interface Keypoint extends Point {
  visibility: number;
}

export interface KeypointsShape {
  kind: 'keypoints';
  points: Keypoint[];
  /** What the way of writing can tell of a point: nothing (`none`), or only whether it is there (`flags`). */
  tells?: 'none' | 'flags';
}

export type Shape = BoxShape | RotatedShape | PolygonShape | MaskShape | KeypointsShape;

/** One thing that is drawn on a picture. */
export interface Annotation {
  /** Its place among the annotations of its set in the row. */
  index: number;
  shapes: Shape[];
  label: string | null;
  score: number | null;
  caption: string | null;
  /** In a video, in seconds or frames as the layout says; null where it is always seen. */
  time: number | null;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** A point turned about a middle by degrees, clockwise as seen. */
export function turnPoint({ x, y }: Point, { about, degrees }: { about: Point; degrees: number }): Point {
  const cos = Math.cos(radians(degrees));
  const sin = Math.sin(radians(degrees));
  const dx = x - about.x;
  const dy = y - about.y;
  return { x: about.x + dx * cos - dy * sin, y: about.y + dx * sin + dy * cos };
}

/** The corners of a box, from its own upper left on, clockwise. */
export function cornersOf(shape: BoxShape | RotatedShape): Point[] {
  if (shape.kind === 'box') {
    const { x, y, width, height } = shape;
    return [
      { x, y },
      { x: x + width, y },
      { x: x + width, y: y + height },
      { x, y: y + height },
    ];
  }
  const { cx, cy, width, height, angle } = shape;
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([sx = 0, sy = 0]) =>
    turnPoint(
      { x: cx + (sx * width) / 2, y: cy + (sy * height) / 2 },
      { about: { x: cx, y: cy }, degrees: angle },
    ),
  );
}

/** The upright box around points; null where there are none. */
export function boundsOfPoints(points: readonly Point[]): BoxShape | null {
  if (points.length === 0) return null;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return { kind: 'box', x: left, y: top, width: right - left, height: bottom - top };
}

/** Even-odd: whether a point lies inside rings. */
export function isInRings(rings: readonly (readonly Point[])[], { x, y }: Point): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
      const a = ring[at]!;
      const b = ring[before]!;
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
    }
  }
  return isInside;
}

/** The area of a ring, positive. */
export function ringArea(ring: readonly Point[]): number {
  let sum = 0;
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++)
    sum += ring[before]!.x * ring[at]!.y - ring[at]!.x * ring[before]!.y;
  return Math.abs(sum) / 2;
}
