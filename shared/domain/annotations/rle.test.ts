import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatRleText,
  isInMask,
  isWholeMask,
  maskArea,
  maskBounds,
  paintMask,
  parseRleText,
  sharedMaskArea,
  toMask,
} from './rle.ts';

const picture = fc
  .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
  .chain(({ width, height }) =>
    fc
      .array(fc.integer({ min: 0, max: 1 }), { minLength: width * height, maxLength: width * height })
      .map((pixels) => ({ width, height, pixels })),
  );

test('writes runs as COCO does', () => {
  expect([formatRleText([0, 1]), formatRleText([16]), formatRleText([6, 1, 40, 4, 5, 4, 5, 4, 21])]).toEqual([
    '01',
    '`0',
    '61X13mN000`0',
  ]);
  expect(parseRleText('61X13mN000`0')).toEqual([6, 1, 40, 4, 5, 4, 5, 4, 21]);
});

test('compressed runs are read as they were written, also very long ones', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 40)), (counts) => {
      expect(parseRleText(formatRleText(counts))).toEqual(counts);
    }),
  );
});

test('text that is no runs is none', () => {
  expect([parseRleText('~~~'), parseRleText('O'), parseRleText(' '), parseRleText('o'.repeat(99))]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('a picture becomes a mask and the same picture again, with its area and bounds', () => {
  fc.assert(
    fc.property(picture, ({ width, height, pixels }) => {
      const mask = toMask(pixels, { width, height });
      const set = pixels.flatMap((pixel, at) =>
        pixel ? [{ x: at % width, y: Math.floor(at / width) }] : [],
      );
      const xs = set.map(({ x }) => x);
      const ys = set.map(({ y }) => y);
      expect([...paintMask(mask, mask)]).toEqual(pixels);
      expect(isWholeMask(mask)).toBe(true);
      expect(maskArea(mask)).toBe(set.length);
      expect(
        pixels.map((_pixel, at) => Number(isInMask(mask, (at % width) + 0.5, Math.floor(at / width) + 0.5))),
      ).toEqual(pixels);
      expect(maskBounds(mask)).toEqual(
        set.length === 0
          ? null
          : {
              kind: 'box',
              x: Math.min(...xs),
              y: Math.min(...ys),
              width: Math.max(...xs) - Math.min(...xs) + 1,
              height: Math.max(...ys) - Math.min(...ys) + 1,
            },
      );
    }),
  );
});

test('what two masks share is counted from their runs', () => {
  fc.assert(
    fc.property(
      picture,
      fc.infiniteStream(fc.integer({ min: 0, max: 1 })),
      ({ width, height, pixels }, stream) => {
        const others = [...stream.take(pixels.length)];
        const shared = pixels.filter((pixel, at) => pixel && others[at]).length;
        const size = { width, height };
        expect(sharedMaskArea(toMask(pixels, size), toMask(others, size))).toBe(shared);
      },
    ),
  );
});

test('masks of a wrong length are not whole', () => {
  expect(isWholeMask({ kind: 'mask', width: 3, height: 3, counts: [4, 4] })).toBe(false);
  expect(isWholeMask({ kind: 'mask', width: 2, height: 2, counts: [-1, 5] })).toBe(false);
});
