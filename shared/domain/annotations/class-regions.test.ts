import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClassMap, overlapRegions, type RegionOverlap } from './class-regions.ts';
import { paintShape } from './paint-shape.ts';
import { maskArea, paintMask, sharedMaskArea, toMask } from './rle.ts';
import type { Shape, Size } from './shape.ts';

const names = new Map([
  [1, 'road'],
  [2, 'car'],
]);
const mapOf = (rows: readonly string[], labels: ReadonlyMap<number, string> = names): ClassMap => ({
  width: rows[0]!.length,
  height: rows.length,
  values: Uint8Array.from(rows.join(''), Number),
  labels,
});
const iouOf = ({ truths, predictions, iouOf }: RegionOverlap, truth: string, prediction = truth) =>
  iouOf(
    truths.findIndex(({ label }) => label === truth),
    predictions.findIndex(({ label }) => label === prediction),
  );
const thing = (label: string | null, shape: Shape, score: number | null = null) => ({
  label,
  score,
  shapes: [shape],
});
const box = (x: number, y: number, width: number, height: number): Shape => ({
  kind: 'box',
  x,
  y,
  width,
  height,
});

test('two pictures of one size: IoU of each pair of classes, exact', () => {
  const truth = mapOf(['1110', '1122', '0022']);
  const prediction = mapOf(['1100', '1122', '0002']);
  const overlap = overlapRegions({ map: truth }, { map: prediction }, { width: 40, height: 30 });
  expect([iouOf(overlap, 'road'), iouOf(overlap, 'car'), iouOf(overlap, 'road', 'car')]).toEqual([
    4 / 5,
    3 / 4,
    0,
  ]);
  expect(overlap.truths.map(({ bounds }) => bounds)).toEqual([
    { kind: 'box', x: 0, y: 0, width: 30, height: 20 },
    { kind: 'box', x: 20, y: 10, width: 20, height: 20 },
  ]);
});

test('what is smaller is resampled to the larger by nearest', () => {
  const small = mapOf(['12', '10']);
  const large = mapOf(['1122', '1122', '1100', '0100']);
  for (const [truth, prediction] of [
    [small, large],
    [large, small],
  ] as const) {
    const overlap = overlapRegions({ map: truth }, { map: prediction }, { width: 2, height: 2 });
    expect([overlap.size.width, iouOf(overlap, 'road'), iouOf(overlap, 'car')]).toEqual([4, 7 / 8, 1]);
  }
});

test('shapes of a class count together, each pixel once; the surest tells the score', () => {
  const map = mapOf(['1111', '1111', '0000', '0022']);
  const annotations = [
    thing('road', box(0, 0, 20, 20), 0.5),
    thing('road', box(10, 0, 20, 20), 0.9),
    thing('tree', box(0, 0, 10, 10)),
  ];
  const overlap = overlapRegions({ map }, { annotations }, { width: 40, height: 40 });
  expect(iouOf(overlap, 'road')).toBe(600 / 800);
  expect(iouOf(overlap, 'road', 'tree')).toBe(100 / 800);
  expect(overlap.predictions.map(({ label, score, from }) => [label, score, from])).toEqual([
    ['road', 0.9, [0, 1]],
    ['tree', null, [2]],
  ]);
  const turned = overlapRegions({ annotations }, { map }, { width: 40, height: 40 });
  expect(iouOf(turned, 'road')).toBe(600 / 800);
});

test('more classes of shapes than marks are kept apart', () => {
  const map = mapOf(['1']);
  const annotations = Array.from({ length: 600 }, (_none, at) => thing(`c${at}`, box(0, 0, 2, 1)));
  const overlap = overlapRegions({ map }, { annotations }, { width: 2, height: 2 });
  expect(overlap.predictions.every((_one, at) => overlap.iouOf(0, at) === 0.5)).toBe(true);
});

test('a mask of runs of the same size as the picture: the IoU of runs, exact', () => {
  const bits = (count: number) =>
    fc
      .array(fc.constantFrom(0, 1), { minLength: count, maxLength: count })
      .map((one) => Uint8Array.from(one));
  fc.assert(
    fc.property(bits(35), bits(35), (a, b) => {
      const size = { width: 7, height: 5 };
      const [runsA, runsB] = [toMask(a, size), toMask(b, size)];
      const shared = sharedMaskArea(runsA, runsB);
      const union = maskArea(runsA) + maskArea(runsB) - shared;
      const map = { ...size, values: a, labels: new Map([[1, 'x']]) };
      const overlap = overlapRegions({ map }, { annotations: [thing('x', runsB)] }, size);
      expect(overlap.iouOf(0, 0)).toBe(union === 0 ? 0 : shared / union);
    }),
  );
});

const painted = (shape: Shape, on: Size, size = on) => {
  const pixels = new Uint8Array(size.width * size.height);
  paintShape(shape, { on, size }, (at) => {
    pixels[at] = 1;
  });
  return pixels;
};

test('runs are painted as they are, smaller by nearest, and larger in blocks', () => {
  const size = { width: 3, height: 2 };
  const mask = toMask([1, 0, 1, 0, 1, 1], size);
  expect([...painted(mask, size)]).toEqual([1, 0, 1, 0, 1, 1]);
  const half = { width: 2, height: 1 };
  expect(painted(mask, size, half)).toEqual(paintMask(mask, half));
  expect([...painted(mask, size, { width: 6, height: 4 })].join('')).toBe(
    ['110011', '110011', '001111', '001111'].join(''),
  );
});

test('polygons cover pixels whose middle is inside; rings inside rings are holes; what lies outside is left out', () => {
  const ring = (from: number, to: number) => [
    { x: from, y: from },
    { x: to, y: from },
    { x: to, y: to },
    { x: from, y: to },
  ];
  const frame = painted({ kind: 'polygon', rings: [ring(-3, 4), ring(1, 3)] }, { width: 5, height: 5 });
  expect([...frame].join('')).toBe(['11110', '10010', '10010', '11110', '00000'].join(''));
});
