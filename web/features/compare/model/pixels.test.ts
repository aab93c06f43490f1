import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonSize, diffPixels, panBy, wholePicture, zoomAt } from './pixels.ts';

const pixels = (...values: number[][]) => new Uint8ClampedArray(values.flat());

test('pixels that differ are counted and shown bright, noise is not', () => {
  const before = pixels([10, 10, 10, 255], [200, 0, 0, 255], [0, 0, 0, 255], [9, 9, 9, 0]);
  const after = pixels([14, 10, 10, 255], [0, 0, 0, 255], [0, 0, 0, 255], [9, 9, 9, 255]);
  const out = new Uint8ClampedArray(16);
  expect(diffPixels(before, after, out)).toEqual({ changedShare: 0.5, largest: 255 });
  expect([out[0], out[4], out[8], out[15]]).toEqual([23, 255, 20, 255]);
  expect(diffPixels(after, after, out)).toEqual({ changedShare: 0, largest: 0 });
  expect(diffPixels(pixels(), pixels(), pixels())).toEqual({ changedShare: 0, largest: 0 });
});

test('pictures are compared at the larger size, within reason', () => {
  expect(commonSize({ width: 40, height: 30 }, { width: 20, height: 50 })).toEqual({ width: 40, height: 50 });
  const huge = commonSize({ width: 10_000, height: 10_000 }, { width: 1, height: 1 });
  expect(huge.width * huge.height).toBeLessThanOrEqual(1_500_000);
});

test('zooming keeps the point, and the picture always fills the frame', () => {
  const share = fc.double({ min: -0.5, max: 0.5, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0.2, max: 5, noNaN: true }), share, share)),
      share,
      share,
      (steps, dx, dy) => {
        const zoomed = steps.reduce((zoom, [factor, x, y]) => zoomAt(zoom, factor, { x, y }), wholePicture);
        const { scale, x, y } = panBy(zoomed, dx, dy);
        expect(scale).toBeGreaterThanOrEqual(1);
        expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual((scale - 1) / 2 + 1e-9);
      },
    ),
  );
  const once = zoomAt(wholePicture, 2, { x: 0.25, y: 0 });
  expect(once).toEqual({ scale: 2, x: -0.25, y: 0 });
  expect(zoomAt(once, 0.5, { x: 0.25, y: 0 })).toEqual(wholePicture);
});
