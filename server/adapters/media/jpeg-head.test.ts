import * as fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { isSequentialJpeg } from './jpeg-head.ts';

const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#285' } });

test('sequential and progressive JPEG are told apart by their header, with and without EXIF', async () => {
  const make = (progressive: boolean) =>
    picture.clone().withMetadata({ orientation: 6 }).jpeg({ progressive }).toBuffer();
  const plain = await picture.clone().jpeg().toBuffer();
  expect([plain, await make(false), await make(true)].map(isSequentialJpeg)).toEqual([true, true, false]);
  expect(isSequentialJpeg(plain.subarray(0, 100))).toBe(false);
});

test('other pictures are none, and no bytes make it fail', async () => {
  expect(isSequentialJpeg(await picture.clone().png().toBuffer())).toBe(false);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      isSequentialJpeg(bytes);
      isSequentialJpeg(Uint8Array.of(0xff, 0xd8, ...bytes));
    }),
  );
});
