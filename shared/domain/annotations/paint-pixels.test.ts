import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paintPixels } from './paint-pixels.ts';
import { paintMask, toMask } from './rle.ts';

const draw = (pixels: Uint8Array, width: number): string[] =>
  Array.from({ length: pixels.length / width }, (_none, y) =>
    [...pixels.subarray(y * width, (y + 1) * width)].join(''),
  );

test('a brush is round, reaches over the edge, and of one pixel sets the pixel it is in', () => {
  const size = { width: 5, height: 4 };
  const pixels = new Uint8Array(20);
  expect(
    paintPixels(pixels, size, { kind: 'brush', points: [{ x: 2.5, y: 1.5 }], diameter: 3, value: 1 }),
  ).toBe(9);
  expect(draw(pixels, 5)).toEqual(['01110', '01110', '01110', '00000']);
  paintPixels(pixels, size, {
    kind: 'brush',
    points: [
      { x: 4.9, y: 3.2 },
      { x: 0.1, y: 3.2 },
    ],
    diameter: 1,
    value: 2,
  });
  expect(draw(pixels, 5)).toEqual(['01110', '01110', '01110', '22222']);
  expect(paintPixels(pixels, size, { kind: 'brush', points: [{ x: -9, y: 2 }], diameter: 4, value: 3 })).toBe(
    0,
  );
});

test('a fill stays within what has one value and hangs together by its sides', () => {
  const size = { width: 4, height: 4 };
  const ring = new Uint8Array([1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1]);
  expect(paintPixels(ring, size, { kind: 'fill', points: [{ x: 1.2, y: 1.7 }], diameter: 1, value: 5 })).toBe(
    1,
  );
  expect(paintPixels(ring, size, { kind: 'fill', points: [{ x: 3.5, y: 0.5 }], diameter: 1, value: 7 })).toBe(
    7,
  );
  expect(draw(ring, 4)).toEqual(['1117', '1517', '1177', '7771']);
  expect(paintPixels(ring, size, { kind: 'fill', points: [{ x: 4, y: 0 }], diameter: 1, value: 9 })).toBe(0);
});

test('what is painted says how many pixels changed, and runs keep it', () => {
  const place = fc.record({
    x: fc.double({ min: -3, max: 30, noNaN: true }),
    y: fc.double({ min: -3, max: 20, noNaN: true }),
  });
  const stroke = fc.record({
    kind: fc.constantFrom('brush' as const, 'fill' as const),
    points: fc.array(place, { minLength: 1, maxLength: 4 }),
    diameter: fc.integer({ min: 1, max: 9 }),
    value: fc.constantFrom(0, 1),
  });
  fc.assert(
    fc.property(fc.array(stroke, { maxLength: 6 }), (strokes) => {
      const size = { width: 25, height: 17 };
      const pixels = new Uint8Array(25 * 17);
      for (const one of strokes) {
        const before = pixels.slice();
        const changed = paintPixels(pixels, size, one);
        expect(pixels.filter((value, at) => value !== before[at])).toHaveLength(changed);
      }
      expect(paintMask(toMask(pixels, size), size)).toEqual(pixels);
    }),
  );
});
