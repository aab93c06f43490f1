import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchAnnotations } from './match.ts';
import { areaOf, boundsOfAll, containsPoint, iouOf } from './measure.ts';
import {
  annotationAt,
  dragHandle,
  growShapes,
  handleAt,
  handlesOf,
  moveShapes,
  removeVertex,
  turnShapes,
} from './reshape.ts';
import { toMask } from './rle.ts';
import type { Annotation, BoxShape, PolygonShape, RotatedShape } from './shape.ts';

const size = { width: 200, height: 100 };
const box = (x: number, y: number, width: number, height: number): BoxShape => ({
  kind: 'box',
  x,
  y,
  width,
  height,
});
const polygonOf = ({ x, y, width, height }: BoxShape): PolygonShape => ({
  kind: 'polygon',
  rings: [
    [
      { x, y },
      { x: x + width, y },
      { x: x + width, y: y + height },
      { x, y: y + height },
    ],
  ],
});
const someBox = fc
  .record({
    x: fc.nat(60),
    y: fc.nat(60),
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ x, y, width, height }) => box(x, y, width, height));

test('IoU is symmetric, 1 for the same and 0 for what is apart, and the same as a turned box or a mask', () => {
  fc.assert(
    fc.property(someBox, someBox, (a, b) => {
      const turned = ({ x, y, width, height }: BoxShape): RotatedShape => ({
        kind: 'rotated',
        cx: x + width / 2,
        cy: y + height / 2,
        width: height,
        height: width,
        angle: 90,
      });
      const stencil = (one: BoxShape) =>
        toMask(
          Array.from({ length: 100 * 100 }, (_none, at) =>
            Number(containsPoint(one, { x: (at % 100) + 0.5, y: Math.floor(at / 100) + 0.5 })),
          ),
          { width: 100, height: 100 },
        );
      const iou = iouOf(a, b);
      expect(iouOf(b, a)).toBe(iou);
      expect(iouOf(a, a)).toBe(1);
      expect(iouOf(turned(a), b)).toBeCloseTo(iou, 6);
      expect(iouOf(stencil(a), stencil(b))).toBeCloseTo(iou, 6);
      expect(Math.abs(iouOf(polygonOf(a), polygonOf(b)) - iou)).toBeLessThan(0.06);
    }),
    { numRuns: 40 },
  );
  expect(iouOf(box(0, 0, 10, 10), box(20, 0, 10, 10))).toBe(0);
  expect(iouOf(box(0, 0, 10, 10), box(5, 0, 10, 10))).toBeCloseTo(1 / 3);
});

const thing = (index: number, shape: BoxShape, label: string, score: number | null = null): Annotation => ({
  index,
  shapes: [shape],
  label,
  score,
  caption: null,
  time: null,
});

test('the surest prediction takes the truth first; the rest are misses and false ones', () => {
  const truths = [thing(0, box(0, 0, 10, 10), 'cat'), thing(1, box(50, 0, 10, 10), 'dog')];
  const predictions = [
    thing(0, box(1, 0, 10, 10), 'cat', 0.4),
    thing(1, box(0, 0, 10, 10), 'cat', 0.9),
    thing(2, box(50, 0, 10, 10), 'cat', 0.8),
  ];
  const strict = matchAnnotations(truths, predictions, { minIou: 0.5, isByClass: true });
  expect(strict).toEqual({ matches: [{ truth: 0, prediction: 1, iou: 1 }], misses: [1], falses: [2, 0] });
  const loose = matchAnnotations(truths, predictions, { minIou: 0.5, isByClass: false });
  expect([loose.matches.length, loose.misses, loose.falses]).toEqual([2, [], [0]]);
});

test('every truth and every prediction is in exactly one of the three', () => {
  const things = fc.array(
    fc.tuple(someBox, fc.constantFrom('a', 'b'), fc.double({ min: 0, max: 1, noNaN: true })),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(
      things,
      things,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
      (left, right, minIou, isByClass) => {
        const make = (list: typeof left) =>
          list.map(([shape, label, score], at) => thing(at, shape, label, score));
        const { matches, misses, falses } = matchAnnotations(make(left), make(right), { minIou, isByClass });
        const count = (length: number) => Array.from({ length }, (_none, at) => at);
        expect([...matches.map(({ truth }) => truth), ...misses].sort((a, b) => a - b)).toEqual(
          count(left.length),
        );
        expect([...matches.map(({ prediction }) => prediction), ...falses].sort((a, b) => a - b)).toEqual(
          count(right.length),
        );
        expect(matches.every(({ iou }) => iou >= minIou)).toBe(true);
      },
    ),
  );
});

test('what is moved stays whole and inside, and comes back', () => {
  fc.assert(
    fc.property(
      someBox,
      fc.integer({ min: -300, max: 300 }),
      fc.integer({ min: -300, max: 300 }),
      (shape, x, y) => {
        const moved = moveShapes([shape, polygonOf(shape)], { x, y }, size);
        const bounds = boundsOfAll(moved)!;
        expect([bounds.width, bounds.height]).toEqual([shape.width, shape.height]);
        expect(
          bounds.x >= 0 && bounds.y >= 0 && bounds.x + bounds.width <= 200 && bounds.y + bounds.height <= 100,
        ).toBe(true);
        const back = moveShapes(moved, { x: shape.x - bounds.x, y: shape.y - bounds.y }, size);
        expect(boundsOfAll(back)).toEqual(boundsOfAll([shape]));
      },
    ),
  );
});

test('sides and corners are dragged, also past the other side', () => {
  const drag = (x: -1 | 0 | 1, y: -1 | 0 | 1, to: { x: number; y: number }) =>
    dragHandle([box(10, 10, 20, 20)], { handle: { kind: 'edge', shape: 0, x, y }, to, size })[0];
  expect(drag(1, 1, { x: 50, y: 40 })).toEqual(box(10, 10, 40, 30));
  expect(drag(-1, 0, { x: 5, y: 99 })).toEqual(box(5, 10, 25, 20));
  expect(drag(-1, -1, { x: 60, y: 50 })).toEqual(box(30, 30, 30, 20));
  expect(drag(1, 0, { x: 999, y: 0 })).toEqual(box(10, 10, 190, 20));
});

test('the far side of a turned box stays where it is, and its turn follows the pointer', () => {
  const shape: RotatedShape = { kind: 'rotated', cx: 50, cy: 50, width: 20, height: 10, angle: 90 };
  const [grown] = dragHandle([shape], {
    handle: { kind: 'edge', shape: 0, x: 1, y: 0 },
    to: { x: 50, y: 70 },
    size,
  });
  expect(grown).toMatchObject({ width: 30, height: 10 });
  expect((grown as RotatedShape).cy).toBeCloseTo(55);
  const [turned] = dragHandle([shape], { handle: { kind: 'turn', shape: 0 }, to: { x: 90, y: 50 }, size });
  expect((turned as RotatedShape).angle).toBeCloseTo(90);
  expect(turnShapes([shape], 100)[0]).toMatchObject({ angle: -170 });
});

test('points of an outline are moved, added and removed, and the box beside it fits', () => {
  const shapes = [box(0, 0, 10, 10), polygonOf(box(0, 0, 10, 10))];
  const moved = dragHandle(shapes, {
    handle: { kind: 'vertex', shape: 1, ring: 0, point: 2 },
    to: { x: 30, y: 20 },
    size,
  });
  expect(moved[0]).toEqual(box(0, 0, 30, 20));
  const added = dragHandle(shapes, {
    handle: { kind: 'middle', shape: 1, ring: 0, point: 0 },
    to: { x: 5, y: 2 },
    size,
  });
  expect((added[1] as PolygonShape).rings[0]).toHaveLength(5);
  const fewer = removeVertex(added, { kind: 'vertex', shape: 1, ring: 0, point: 1 })!;
  expect(fewer[1]).toEqual(shapes[1]);
  const triangle = removeVertex(shapes, { kind: 'vertex', shape: 1, ring: 0, point: 0 })!;
  expect(removeVertex(triangle, { kind: 'vertex', shape: 1, ring: 0, point: 0 })).toBeNull();
});

test('growing keeps at least a pixel and stays inside', () => {
  expect(growShapes([box(190, 90, 5, 5)], { x: 50, y: -50 }, size)).toEqual([box(190, 90, 10, 1)]);
});

test('the smallest thing under the pointer is found, and the nearest handle', () => {
  const things = [thing(0, box(0, 0, 100, 100), 'a'), thing(1, box(40, 40, 10, 10), 'b')];
  expect(annotationAt(things, { x: 45, y: 45 }, 2)?.label).toBe('b');
  expect(annotationAt(things, { x: 5, y: 5 }, 2)?.label).toBe('a');
  expect(annotationAt(things, { x: 150, y: 5 }, 2)).toBeNull();
  const handles = handlesOf([box(0, 0, 100, 100)], 10);
  expect([
    handles.length,
    handleAt(handles, { x: 99, y: 101 }, 5)?.handle,
    handleAt(handles, { x: 60, y: 60 }, 5),
  ]).toEqual([8, { kind: 'edge', shape: 0, x: 1, y: 1 }, null]);
});

test('areas', () => {
  expect([areaOf(box(0, 0, 3, 4)), areaOf(polygonOf(box(0, 0, 3, 4)))]).toEqual([12, 12]);
});
