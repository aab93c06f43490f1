import { boundsOf, boundsOfAll, containsPoint } from './measure.ts';
import {
  type Annotation,
  type BoxShape,
  cornersOf,
  type Point,
  type RotatedShape,
  type Shape,
  type Size,
  turnPoint,
} from './shape.ts';

/** A place of a shape by which it is changed: a side or corner of a box, a point of an outline or skeleton, the turn. */
export type Handle =
  | { kind: 'edge'; shape: number; x: -1 | 0 | 1; y: -1 | 0 | 1 }
  | { kind: 'vertex'; shape: number; ring: number; point: number }
  | { kind: 'middle'; shape: number; ring: number; point: number }
  | { kind: 'turn'; shape: number };

export interface PlacedHandle extends Point {
  handle: Handle;
}

const edges = [-1, 0, 1] as const;

/** Where the handles of an annotation are; masks have none. A turn handle stands `reach` above a rotated box. */
export function handlesOf(shapes: readonly Shape[], reach: number): PlacedHandle[] {
  const hasOutline = shapes.some(({ kind }) => kind === 'polygon');
  const placed = (shape: Shape, at: number): PlacedHandle[] => {
    switch (shape.kind) {
      case 'box':
        return hasOutline ? [] : boxHandles(shape, at);
      case 'rotated':
        return [
          ...boxHandles(shape, at),
          {
            ...turnPoint(
              { x: shape.cx, y: shape.cy - shape.height / 2 - reach },
              { about: { x: shape.cx, y: shape.cy }, degrees: shape.angle },
            ),
            handle: { kind: 'turn', shape: at },
          },
        ];
      case 'polygon':
        return shape.rings.flatMap((ring, ringAt) => [
          ...ring.map(
            ({ x, y }, point): PlacedHandle => ({
              x,
              y,
              handle: { kind: 'vertex', shape: at, ring: ringAt, point },
            }),
          ),
          ...ring.map((from, point): PlacedHandle => {
            const to = ring[(point + 1) % ring.length]!;
            return {
              x: (from.x + to.x) / 2,
              y: (from.y + to.y) / 2,
              handle: { kind: 'middle', shape: at, ring: ringAt, point },
            };
          }),
        ]);
      case 'keypoints':
        return shape.points.flatMap(({ x, y, visibility }, point): PlacedHandle[] =>
          visibility === 0 ? [] : [{ x, y, handle: { kind: 'vertex', shape: at, ring: 0, point } }],
        );
      case 'mask':
        return [];
    }
  };
  return shapes.flatMap(placed);
}

function boxHandles(shape: BoxShape | RotatedShape, at: number): PlacedHandle[] {
  const middle = middleOf(shape);
  const angle = shape.kind === 'rotated' ? shape.angle : 0;
  return edges.flatMap((x) =>
    edges.flatMap((y): PlacedHandle[] =>
      x === 0 && y === 0
        ? []
        : [
            {
              ...turnPoint(
                { x: middle.x + (x * shape.width) / 2, y: middle.y + (y * shape.height) / 2 },
                { about: middle, degrees: angle },
              ),
              handle: { kind: 'edge', shape: at, x, y },
            },
          ],
    ),
  );
}

const middleOf = (shape: BoxShape | RotatedShape): Point =>
  shape.kind === 'rotated'
    ? { x: shape.cx, y: shape.cy }
    : { x: shape.x + shape.width / 2, y: shape.y + shape.height / 2 };

/** All shapes moved by so much, but not out of the picture; masks stay. */
export function moveShapes(shapes: readonly Shape[], by: Point, size: Size): Shape[] {
  const bounds = boundsOfAll(shapes.filter(({ kind }) => kind !== 'mask'));
  if (!bounds) return [...shapes];
  const within = (delta: number, start: number, length: number, room: number) =>
    length >= room
      ? delta
      : Math.max(Math.min(0, -start), Math.min(Math.max(0, room - start - length), delta));
  const dx = within(by.x, bounds.x, bounds.width, size.width);
  const dy = within(by.y, bounds.y, bounds.height, size.height);
  const moved = <P extends Point>(point: P): P => ({ ...point, x: point.x + dx, y: point.y + dy });
  const shifted = (shape: Shape): Shape => {
    switch (shape.kind) {
      case 'box':
        return moved(shape);
      case 'rotated':
        return { ...shape, cx: shape.cx + dx, cy: shape.cy + dy };
      case 'polygon':
        return { ...shape, rings: shape.rings.map((ring) => ring.map(moved)) };
      case 'keypoints':
        return {
          ...shape,
          points: shape.points.map((point) => (point.visibility > 0 ? moved(point) : point)),
        };
      case 'mask':
        return shape;
    }
  };
  return shapes.map(shifted);
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));
const inside = ({ x, y }: Point, { width, height }: Size): Point => ({
  x: clamp(x, 0, width),
  y: clamp(y, 0, height),
});

/** The shapes after a handle was dragged to a point; a box beside an outline is fitted to it again. */
export function dragHandle(
  shapes: readonly Shape[],
  { handle, to, size }: { handle: Handle; to: Point; size: Size },
): Shape[] {
  const shape = shapes[handle.shape];
  if (!shape) return [...shapes];
  const next = dragShape(shape, handle, to, size);
  const changed = shapes.map((one, at) => (at === handle.shape ? next : one));
  if (next.kind !== 'polygon') return changed;
  const bounds = boundsOf(next);
  return changed.map((one) => (one.kind === 'box' && bounds ? bounds : one));
}

function dragShape(shape: Shape, handle: Handle, to: Point, size: Size): Shape {
  if (handle.kind === 'edge' && shape.kind === 'box') return resizeBox(shape, handle, inside(to, size));
  if (handle.kind === 'edge' && shape.kind === 'rotated') return resizeRotated(shape, handle, to);
  if (handle.kind === 'turn' && shape.kind === 'rotated') {
    const angle = (Math.atan2(to.y - shape.cy, to.x - shape.cx) * 180) / Math.PI + 90;
    return { ...shape, angle: normalAngle(angle) };
  }
  const at = inside(to, size);
  if (handle.kind === 'vertex' && shape.kind === 'keypoints')
    return {
      ...shape,
      points: shape.points.map((point, index) => (index === handle.point ? { ...point, ...at } : point)),
    };
  if (shape.kind === 'polygon' && (handle.kind === 'vertex' || handle.kind === 'middle'))
    return {
      ...shape,
      rings: shape.rings.map((ring, index) => {
        if (index !== handle.ring) return ring;
        return handle.kind === 'vertex'
          ? ring.map((point, place) => (place === handle.point ? at : point))
          : [...ring.slice(0, handle.point + 1), at, ...ring.slice(handle.point + 1)];
      }),
    };
  return shape;
}

/** An angle from −180 (not) to 180. */
export const normalAngle = (degrees: number): number => {
  const turned = ((degrees % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
};

function resizeBox(box: BoxShape, { x, y }: { x: number; y: number }, to: Point): BoxShape {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const [x1, x2] = x < 0 ? [to.x, right] : x > 0 ? [box.x, to.x] : [box.x, right];
  const [y1, y2] = y < 0 ? [to.y, bottom] : y > 0 ? [box.y, to.y] : [box.y, bottom];
  return {
    kind: 'box',
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
  };
}

/** The opposite side stays where it is. */
function resizeRotated(shape: RotatedShape, { x, y }: { x: number; y: number }, to: Point): RotatedShape {
  const about = { x: shape.cx, y: shape.cy };
  const local = turnPoint(to, { about, degrees: -shape.angle });
  const upright = resizeBox(
    {
      kind: 'box',
      x: shape.cx - shape.width / 2,
      y: shape.cy - shape.height / 2,
      width: shape.width,
      height: shape.height,
    },
    { x, y },
    local,
  );
  const middle = turnPoint(
    { x: upright.x + upright.width / 2, y: upright.y + upright.height / 2 },
    { about, degrees: shape.angle },
  );
  return { ...shape, cx: middle.x, cy: middle.y, width: upright.width, height: upright.height };
}

/** The first keypoint that is not placed yet; null where all are, or where the way of writing knows none such. */
export function nextUnplaced(shapes: readonly Shape[]): number | null {
  const shape = shapes.find(({ kind }) => kind === 'keypoints');
  if (shape?.kind !== 'keypoints') return null;
  if (shape.tells === 'none') return shape.points.length;
  const at = shape.points.findIndex(({ visibility }) => visibility === 0);
  return at < 0 ? null : at;
}

/** A keypoint placed at a point; one more where it is the place after the last. */
export function placeKeypoint(
  shapes: readonly Shape[],
  { point, at, size }: { point: number; at: Point; size: Size },
): Shape[] {
  const placed = { ...inside(at, size), visibility: 2 };
  return shapes.map((shape) =>
    shape.kind !== 'keypoints'
      ? shape
      : {
          ...shape,
          points:
            point >= shape.points.length
              ? [...shape.points, placed]
              : shape.points.map((one, index) => (index === point ? placed : one)),
        },
  );
}

/** A keypoint that was seen is hidden, and the other way; null where that cannot be written. */
export function toggleHidden(shapes: readonly Shape[], point: number): Shape[] | null {
  const shape = shapes.find(({ kind }) => kind === 'keypoints');
  if (shape?.kind !== 'keypoints' || shape.tells || !shape.points[point]?.visibility) return null;
  const points = shape.points.map((one, index) =>
    index === point ? { ...one, visibility: one.visibility === 1 ? 2 : 1 } : one,
  );
  return shapes.map((one) => (one === shape ? { ...shape, points } : one));
}

/** Shapes without one point of an outline; an outline keeps at least three. A keypoint is marked as not labelled, or goes where that cannot be written. */
export function removeVertex(shapes: readonly Shape[], handle: Handle): Shape[] | null {
  if (handle.kind !== 'vertex') return null;
  const shape = shapes[handle.shape];
  if (shape?.kind === 'keypoints')
    return shapes.map((one, at) =>
      at === handle.shape
        ? {
            ...shape,
            points:
              shape.tells === 'none'
                ? shape.points.filter((_point, index) => index !== handle.point)
                : shape.points.map((point, index) =>
                    index === handle.point ? { x: 0, y: 0, visibility: 0 } : point,
                  ),
          }
        : one,
    );
  if (shape?.kind !== 'polygon' || (shape.rings[handle.ring]?.length ?? 0) <= 3) return null;
  const next: Shape = {
    ...shape,
    rings: shape.rings.map((ring, index) =>
      index === handle.ring ? ring.filter((_one, place) => place !== handle.point) : ring,
    ),
  };
  const bounds = boundsOf(next);
  return shapes.map((one, at) => (at === handle.shape ? next : one.kind === 'box' && bounds ? bounds : one));
}

/** The box after its lower right corner moved by so much, or a rotated box grown about its middle: for keys. */
export function growShapes(shapes: readonly Shape[], by: Point, size: Size): Shape[] {
  const hasOutline = shapes.some(({ kind }) => kind === 'polygon' || kind === 'mask');
  return shapes.map((shape) => {
    if (shape.kind === 'box' && !hasOutline) {
      return {
        ...shape,
        width: clamp(shape.width + by.x, 1, Math.max(1, size.width - shape.x)),
        height: clamp(shape.height + by.y, 1, Math.max(1, size.height - shape.y)),
      };
    }
    if (shape.kind === 'rotated')
      return { ...shape, width: Math.max(1, shape.width + by.x), height: Math.max(1, shape.height + by.y) };
    return shape;
  });
}

/** Rotated boxes turned by degrees, clockwise. */
export const turnShapes = (shapes: readonly Shape[], degrees: number): Shape[] =>
  shapes.map((shape) =>
    shape.kind === 'rotated' ? { ...shape, angle: normalAngle(shape.angle + degrees) } : shape,
  );

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The nearest handle within `reach` of a point; real points before the middles between them. */
export function handleAt(handles: readonly PlacedHandle[], point: Point, reach: number): PlacedHandle | null {
  const near = handles.filter((one) => distance(one, point) <= reach);
  const rank = (one: PlacedHandle) => distance(one, point) + (one.handle.kind === 'middle' ? reach : 0);
  return near.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

function edgeDistance(corners: readonly Point[], point: Point): number {
  let least = Infinity;
  corners.forEach((a, at) => {
    const b = corners[(at + 1) % corners.length]!;
    const length = distance(a, b) ** 2;
    const share =
      length === 0
        ? 0
        : clamp(((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / length, 0, 1);
    least = Math.min(least, distance(point, { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) }));
  });
  return least;
}

/** The annotations under a point, the smallest first: those that hold it, or whose edge is within `reach`. */
export function annotationsAt<A extends Pick<Annotation, 'shapes'>>(
  annotations: readonly A[],
  point: Point,
  reach: number,
): A[] {
  const isHit = (shape: Shape): boolean => {
    if (containsPoint(shape, point)) return true;
    if (shape.kind === 'box' || shape.kind === 'rotated')
      return edgeDistance(cornersOf(shape), point) <= reach;
    if (shape.kind === 'polygon') return shape.rings.some((ring) => edgeDistance(ring, point) <= reach);
    return (
      shape.kind === 'keypoints' &&
      shape.points.some((at) => at.visibility > 0 && distance(at, point) <= reach)
    );
  };
  return annotations
    .flatMap((one) => {
      const bounds = one.shapes.some(isHit) ? boundsOfAll(one.shapes) : null;
      return bounds ? [{ one, area: bounds.width * bounds.height }] : [];
    })
    .sort((a, b) => a.area - b.area)
    .map(({ one }) => one);
}

/** The smallest annotation under a point. */
export const annotationAt = <A extends Pick<Annotation, 'shapes'>>(
  annotations: readonly A[],
  point: Point,
  reach: number,
): A | null => annotationsAt(annotations, point, reach)[0] ?? null;
