import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BoxForm, boxForms, boxUnits, formatBox, parseBox } from './box-form.ts';
import {
  formatKeypoints,
  formatOutline,
  type Keypoints,
  type OutlineStyle,
  parseKeypoints,
  parseOutline,
} from './outline-form.ts';

const size = { width: 640, height: 480 };
const place = fc.double({ min: 0, max: 600, noNaN: true });
const box = fc.record({ x: place, y: place, width: place, height: place });
const frame = { unit: 'pixel', size } as const;

test('what the four numbers of a box mean', () => {
  const read = (form: BoxForm, unit: (typeof boxUnits)[number] = 'pixel') =>
    parseBox([0.1, 0.2, 0.3, 0.4], { form, unit, size: { width: 1000, height: 100 } });
  expect(read('xywh', 'share')).toEqual({ kind: 'box', x: 100, y: 20, width: 300, height: 40 });
  expect(read('cxcywh', 'share')).toMatchObject({ width: 300, height: 40 });
  expect(read('cxcywh', 'share').x).toBeCloseTo(-50);
  expect(read('xyxy').width).toBeCloseTo(0.2);
  expect(read('yxyx')).toMatchObject({ x: 0.2, y: 0.1 });
  expect(parseBox([500, 500, 250, 250], { form: 'xywh', unit: 'thousand', size })).toEqual({
    kind: 'box',
    x: 320,
    y: 240,
    width: 160,
    height: 120,
  });
});

test('boxes in every order and unit are read as they were written', () => {
  fc.assert(
    fc.property(box, fc.constantFrom(...boxForms), fc.constantFrom(...boxUnits), (shape, form, unit) => {
      const again = parseBox(formatBox(shape, { form, unit, size }), { form, unit, size });
      for (const name of ['x', 'y', 'width', 'height'] as const)
        expect(again[name]).toBeCloseTo(shape[name], 6);
    }),
  );
});

const points = fc.array(fc.record({ x: fc.nat(600), y: fc.nat(400) }), { minLength: 3, maxLength: 8 });

test('outlines in every way of writing them are read as they were written', () => {
  fc.assert(
    fc.property(
      fc.array(points, { minLength: 1, maxLength: 3 }),
      fc.constantFrom<OutlineStyle>('rings', 'ring', 'pairs', 'ringsOfPairs', 'points'),
      (rings, style) => {
        const shape = { kind: 'polygon' as const, rings: style === 'points' ? rings.slice(0, 1) : rings };
        expect(parseOutline(formatOutline({ shape, style }, frame), frame)?.shape).toEqual(shape);
      },
    ),
  );
});

test('masks are runs as text or as numbers, and none where they do not fill the picture', () => {
  const shape = { kind: 'mask' as const, width: 3, height: 2, counts: [1, 2, 3] };
  for (const style of ['rleText', 'rleList'] as const) {
    const written = formatOutline({ shape, style }, frame);
    expect(parseOutline(written, frame)).toEqual({ shape, style });
  }
  expect(parseOutline({ size: [2, 3], counts: [1, 2] }, frame)).toBeNull();
  expect(parseOutline({ size: [2], counts: '12' }, frame)).toBeNull();
});

test('keypoints in every way of writing them are read as they were written', () => {
  const style = fc.constantFrom<Keypoints['style']>('flat3', 'flat2', 'triples', 'pairs', 'points');
  const list = fc.array(fc.record({ x: fc.nat(600), y: fc.nat(400), visibility: fc.constantFrom(0, 1, 2) }), {
    minLength: 2,
    maxLength: 7,
  });
  fc.assert(
    fc.property(list, style, (made, way) => {
      fc.pre(way !== 'flat2' || made.length % 3 !== 0);
      const isPlain = way === 'flat2' || way === 'pairs';
      const shape = {
        kind: 'keypoints' as const,
        points: isPlain ? made.map((point) => ({ ...point, visibility: 2 })) : made,
        ...(isPlain ? { tells: 'none' as const } : {}),
      };
      const known = { shape, style: way, visibilityName: way === 'points' ? 'v' : null };
      expect(parseKeypoints(formatKeypoints(known, frame), frame)).toEqual(known);
    }),
  );
});

test('what is no shape is none', () => {
  expect([
    parseOutline([1, 2, 3], frame),
    parseOutline('x', frame),
    parseOutline([['a', 'b']], frame),
    parseKeypoints([1, 'x'], frame),
    parseKeypoints([[1, 2], [3]], frame),
    parseKeypoints(null, frame),
  ]).toEqual([null, null, null, null, null, null]);
});
