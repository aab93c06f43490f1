import { isInMask, maskArea, maskBounds, sharedMaskArea } from './rle.ts';
import {
  type BoxShape,
  boundsOfPoints,
  cornersOf,
  isInRings,
  type Point,
  ringArea,
  type Shape,
} from './shape.ts';

/** The upright box around a shape; null where it has no place. */
export function boundsOf(shape: Shape): BoxShape | null {
  switch (shape.kind) {
    case 'box':
      return shape;
    case 'rotated':
      return boundsOfPoints(cornersOf(shape));
    case 'polygon':
      return boundsOfPoints(shape.rings.flat());
    case 'mask':
      return maskBounds(shape);
    case 'keypoints':
      return boundsOfPoints(shape.points.filter(({ visibility }) => visibility > 0));
  }
}

/** The upright box around all shapes of an annotation. */
export function boundsOfAll(shapes: readonly Shape[]): BoxShape | null {
  return boundsOfPoints(
    shapes.flatMap((shape) => {
      const bounds = boundsOf(shape);
      return bounds ? cornersOf(bounds) : [];
    }),
  );
}

/** The area of a shape in pixels; that of keypoints is the area of the box around them. */
export function areaOf(shape: Shape): number {
  switch (shape.kind) {
    case 'box':
    case 'rotated':
      return Math.abs(shape.width * shape.height);
    case 'polygon':
      return shape.rings.reduce((sum, ring) => sum + ringArea(ring), 0);
    case 'mask':
      return maskArea(shape);
    case 'keypoints': {
      const bounds = boundsOf(shape);
      return bounds ? bounds.width * bounds.height : 0;
    }
  }
}

/** Whether a point lies in a shape. */
export function containsPoint(shape: Shape, point: Point): boolean {
  switch (shape.kind) {
    case 'box':
    case 'rotated':
      return isInRings([cornersOf(shape)], point);
    case 'polygon':
      return isInRings(shape.rings, point);
    case 'mask':
      return isInMask(shape, point.x, point.y);
    case 'keypoints': {
      const bounds = boundsOf(shape);
      return bounds !== null && isInRings([cornersOf(bounds)], point);
    }
  }
}

/** The part of a ring at the left of each edge of a convex ring (Sutherland and Hodgman). */
function clipRing(ring: readonly Point[], clip: readonly Point[]): Point[] {
  let shown = [...ring];
  const isClockwise = signedArea(clip) > 0;
  clip.forEach((from, at) => {
    const to = clip[(at + 1) % clip.length]!;
    const side = ({ x, y }: Point) =>
      ((to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)) * (isClockwise ? 1 : -1);
    const before = shown;
    shown = [];
    before.forEach((point, index) => {
      const last = before[(index + before.length - 1) % before.length]!;
      const [here, there] = [side(point), side(last)];
      if (here >= 0 !== there >= 0) {
        const share = there / (there - here);
        shown.push({ x: last.x + (point.x - last.x) * share, y: last.y + (point.y - last.y) * share });
      }
      if (here >= 0) shown.push(point);
    });
  });
  return shown;
}

const signedArea = (ring: readonly Point[]): number =>
  ring.reduce((sum, point, at) => {
    const next = ring[(at + 1) % ring.length]!;
    return sum + point.x * next.y - next.x * point.y;
  }, 0);

const convexRing = (shape: Shape): Point[] | null => {
  if (shape.kind === 'box' || shape.kind === 'rotated') return cornersOf(shape);
  const bounds = shape.kind === 'keypoints' ? boundsOf(shape) : null;
  return bounds ? cornersOf(bounds) : null;
};

const gridSteps = 160;

/**
 * Intersection over union, 0 to 1. Exact for boxes, rotated boxes and masks of one size; others are measured on a grid
 * of 160 × 160 places over both. Keypoints count as the box around them.
 */
export function iouOf(a: Shape, b: Shape): number {
  const [ringA, ringB] = [convexRing(a), convexRing(b)];
  if (ringA && ringB) {
    const shared = a.kind === 'box' && b.kind === 'box' ? sharedBox(a, b) : ringArea(clipRing(ringA, ringB));
    return ratio(shared, areaOf(a), areaOf(b));
  }
  if (a.kind === 'mask' && b.kind === 'mask' && a.width === b.width && a.height === b.height)
    return ratio(sharedMaskArea(a, b), areaOf(a), areaOf(b));
  return gridIou(a, b);
}

function sharedBox(a: BoxShape, b: BoxShape): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}

function ratio(shared: number, areaA: number, areaB: number): number {
  const union = areaA + areaB - shared;
  return union <= 0 ? 0 : Math.min(1, Math.max(0, shared / union));
}

function gridIou(a: Shape, b: Shape): number {
  const [boundsA, boundsB] = [boundsOf(a), boundsOf(b)];
  if (!boundsA || !boundsB || sharedBox(boundsA, boundsB) === 0) return 0;
  const all = boundsOfPoints([...cornersOf(boundsA), ...cornersOf(boundsB)])!;
  let [shared, union] = [0, 0];
  for (let row = 0; row < gridSteps; row++)
    for (let column = 0; column < gridSteps; column++) {
      const point = {
        x: all.x + ((column + 0.5) * all.width) / gridSteps,
        y: all.y + ((row + 0.5) * all.height) / gridSteps,
      };
      const [inA, inB] = [containsPoint(a, point), containsPoint(b, point)];
      if (inA && inB) shared++;
      if (inA || inB) union++;
    }
  return union === 0 ? 0 : shared / union;
}
