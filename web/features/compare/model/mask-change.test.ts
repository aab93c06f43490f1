import { expect, test } from 'vitest';
import { describeMaskChange, paintMaskChange } from './mask-change.ts';

const none = [0, 0, 0, 255];
const one = [1, 1, 1, 255];
const two = [2, 2, 2, 255];
const pixels = (...all: number[][]) => new Uint8ClampedArray(all.flat());

test('a mask gains, loses and keeps pixels, and some become another class', () => {
  const out = new Uint8ClampedArray(20);
  const change = paintMaskChange(pixels(none, one, one, one, none), pixels(one, none, two, one, none), out);
  expect(change).toEqual({ added: 0.2, removed: 0.2, changed: 0.2, iou: 0.25 });
  expect([3, 7, 11, 15, 19].map((at) => (out[at] ?? 0) > 0)).toEqual([true, true, true, true, false]);
  expect(describeMaskChange(change)).toBe(
    '+ 20.0 % of the picture · − 20.0 % of the picture · ~ 20.0 % another class · IoU 0.25',
  );
});

test('a mask that was not there, and one that is the same', () => {
  const out = new Uint8ClampedArray(8);
  expect(paintMaskChange(null, pixels(one, none), out)).toEqual({
    added: 0.5,
    removed: 0,
    changed: 0,
    iou: 0,
  });
  const same = paintMaskChange(pixels(one, none), pixels(one, none), new Uint8ClampedArray(8));
  expect(describeMaskChange(same)).toBe('Pixel for pixel the same mask');
});
