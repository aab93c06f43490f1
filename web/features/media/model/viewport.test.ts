import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitScale, panView, placeView, toPicture, viewOf, wholeView, zoomBy, zoomTo } from './viewport.ts';

const size = fc.record({
  width: fc.integer({ min: 1, max: 5000 }),
  height: fc.integer({ min: 1, max: 5000 }),
});
const stage = fc.record({
  width: fc.integer({ min: 50, max: 3000 }),
  height: fc.integer({ min: 50, max: 2000 }),
});

test('the whole picture fits, in the middle', () => {
  expect(placeView(wholeView, { width: 200, height: 100 }, { width: 400, height: 400 })).toEqual({
    scale: 2,
    x: 0,
    y: 100,
  });
  expect(fitScale({ width: 4, height: 4 }, { width: 400, height: 400 })).toBe(8);
});

test('a view and its placement say the same', () => {
  fc.assert(
    fc.property(size, stage, fc.double({ min: 0.2, max: 20, noNaN: true }), (picture, room, zoom) => {
      const view = { zoom, cx: 0.3, cy: 0.6 };
      const again = viewOf(placeView(view, picture, room), picture, room);
      expect(again.zoom).toBeCloseTo(zoom);
      expect([again.cx, again.cy]).toEqual([expect.closeTo(0.3), expect.closeTo(0.6)]);
    }),
  );
});

test('what is under the pointer stays there while one zooms in', () => {
  const on = { picture: { width: 1000, height: 800 }, stage: { width: 500, height: 400 } };
  const at = { x: 120, y: 300 };
  let view = wholeView;
  const before = toPicture(placeView(view, on.picture, on.stage), at);
  for (let step = 0; step < 6; step++) view = zoomBy(view, on, 1.4, at);
  const after = toPicture(placeView(view, on.picture, on.stage), at);
  expect([after.x, after.y]).toEqual([expect.closeTo(before.x), expect.closeTo(before.y)]);
  expect(placeView(zoomTo(view, on, 1), on.picture, on.stage).scale).toBe(1);
});

test('a picture never leaves its stage, and stands in the middle where it fits', () => {
  fc.assert(
    fc.property(
      size,
      stage,
      fc.array(
        fc.record({
          x: fc.integer({ min: -900, max: 900 }),
          y: fc.integer({ min: -900, max: 900 }),
          factor: fc.double({ min: 0.3, max: 3, noNaN: true }),
        }),
        { maxLength: 8 },
      ),
      (picture, room, moves) => {
        const on = { picture, stage: room };
        let view = wholeView;
        for (const { x, y, factor } of moves) view = panView(zoomBy(view, on, factor), on, { x, y });
        const { scale, x, y } = placeView(view, picture, room);
        const check = (from: number, length: number, space: number) => {
          if (length <= space) expect(from).toBeCloseTo((space - length) / 2, 3);
          else expect(from <= 0.01 && from + length >= space - 0.01).toBe(true);
        };
        check(x, picture.width * scale, room.width);
        check(y, picture.height * scale, room.height);
      },
    ),
  );
});
