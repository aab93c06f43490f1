import sharp from 'sharp';
import { expect, test } from 'vitest';
import { sniffMediaType } from '../../../media-type.ts';
import * as kinds from '../../../testing/media-zoo-kinds.ts';
import { flag } from '../../../testing/media-zoo-pictures.ts';
import { decodePicture } from './decode-picture.ts';
import type { DecodedPicture } from './decoded-picture.ts';
import { halfToFloat } from './half-float.ts';
import { mirrorPixels, turnPixels } from './turn-pixels.ts';

const { width, height } = kinds.kindSize;

async function colours(
  decoded: DecodedPicture,
): Promise<{ size: number[]; left: number[]; right: number[] }> {
  const { data, info } =
    decoded.kind === 'pixels'
      ? { data: decoded.data, info: { ...decoded, channels: 4 } }
      : await sharp(decoded.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number) => [...data.subarray((info.width * 3 + x) * 4, (info.width * 3 + x) * 4 + 4)];
  return { size: [info.width, info.height], left: at(2), right: at(info.width - 3) };
}

type Case = [name: string, make: () => Uint8Array | Promise<Uint8Array>, slack?: number];

const cases: Case[] = [
  ...[1, 4, 8, 24, 32].map((bits): Case => [`BMP of ${bits} bits`, () => kinds.bmp(bits)]),
  ['BMP of 16 bits', () => kinds.bmp(16), 8],
  ['BMP from the top', () => kinds.bmp(24, true)],
  ['BMP by masks', kinds.bmpFields, 8],
  ['BMP in runs of 8 bits', () => kinds.bmpRuns(8)],
  ['BMP in runs of 4 bits', () => kinds.bmpRuns(4)],
  ['BMP of OS/2', kinds.bmpCore],
  ['icon', () => kinds.ico()],
  [
    'icon with PNG',
    async () =>
      kinds.ico(
        await sharp(kinds.kindPixels, {
          raw: { width, height, channels: 3 },
        })
          .png()
          .toBuffer(),
      ),
  ],
  ['QOI', kinds.qoi],
  ['PPM as text', () => kinds.pnm(3)],
  ['PPM', () => kinds.pnm(6)],
  ['PPM of 16 bits', () => kinds.pnm(6, true)],
  ['PAM', () => kinds.pnm(7)],
  ['PFM', kinds.pfm, 2],
  ['OpenEXR, plain', () => kinds.exr(0), 2],
  ['OpenEXR, ZIPS', () => kinds.exr(2), 2],
  ['OpenEXR, ZIP', () => kinds.exr(3), 2],
  ['Photoshop', () => kinds.psd()],
  ['Photoshop, packed', () => kinds.psd({ isPacked: true })],
  ['Photoshop, CMYK', () => kinds.psd({ mode: 4 })],
  ['Photoshop, 16 bit', () => kinds.psd({ depth: 16 })],
  ['Photoshop, 32 bit', () => kinds.psd({ depth: 32 }), 2],
  ['Photoshop, large and packed', () => kinds.psd({ isLarge: true, isPacked: true })],
  ['JPEG XL', () => kinds.jxl, 12],
  ['JPEG 2000', () => kinds.jpeg2000, 6],
];

test.each(cases)('%s: red on the left, blue on the right', async (_name, make, slack = 0) => {
  const bytes = await make();
  const { size, left, right } = await colours(await decodePicture(bytes, sniffMediaType(bytes), 4096));
  expect(size).toEqual([width, height]);
  const distance = (a: number[], b: number[]) =>
    Math.max(...a.map((value, at) => Math.abs(value - (b[at] ?? 0))));
  expect(distance(left, [208, 32, 32, 255]), `left ${left}`).toBeLessThanOrEqual(slack);
  expect(distance(right, [32, 48, 208, 255]), `right ${right}`).toBeLessThanOrEqual(slack);
});

test.each([1, 2, 4, 5] as const)('a portable map of kind %i is light on the left', async (kind) => {
  const bytes = kinds.pnm(kind);
  const { left, right } = await colours(await decodePicture(bytes, sniffMediaType(bytes), 64));
  expect((left[0] ?? 0) - (right[0] ?? 0)).toBeGreaterThan(150);
});

test('light beyond white is brought to the screen', async () => {
  for (const isInRuns of [true, false]) {
    const bytes = kinds.radiance(isInRuns);
    const { left, right } = await colours(await decodePicture(bytes, sniffMediaType(bytes), 64));
    expect({ red: (left[0] ?? 0) > 200, blue: (right[2] ?? 0) > (right[0] ?? 0) }).toEqual({
      red: true,
      blue: true,
    });
  }
});

test('JPEG 2000 is decoded as small as it may be', async () => {
  const decoded = await decodePicture(kinds.jpeg2000, 'image/jp2', 8);
  expect(decoded).toMatchObject({ kind: 'pixels', width: 8, height: 4 });
});

test.each<[name: string, type: string, make: () => Buffer, code: string]>([
  ['a size of nothing', 'image/bmp', () => kinds.bmp(24).fill(0, 18, 22), 'INVALID_FILE'],
  ['a size beyond memory', 'image/bmp', () => kinds.bmp(24).fill(0x7f, 18, 22), 'UNSUPPORTED_MEDIA'],
  ['a way of packing that is not known', 'image/x-exr', () => kinds.exr(4), 'UNSUPPORTED_MEDIA'],
  ['an icon without pictures', 'image/x-icon', () => kinds.ico().fill(0, 4, 6), 'INVALID_FILE'],
])('%s is said', async (_name, type, make, code) => {
  await expect(decodePicture(make(), type, 64)).rejects.toMatchObject({ code });
});

test('halves are floats', () => {
  expect([0, 0x3c00, 0xc000, 0x7bff, 1, 0x7c00].map(halfToFloat)).toEqual([
    0,
    1,
    -2,
    65504,
    2 ** -24,
    Number.POSITIVE_INFINITY,
  ]);
  expect(halfToFloat(0x7e00)).toBeNaN();
});

test('turns and mirrors are those of sharp', async () => {
  const { data, info } = await flag(8, 4).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const raster = { data, width: info.width, height: info.height };
  const raw = { raw: { width: info.width, height: info.height, channels: 4 as const } };
  for (const quarters of [1, 2, 3])
    expect(Buffer.from(turnPixels(raster, quarters).data)).toEqual(
      await sharp(data, raw)
        .rotate(quarters * 90)
        .raw()
        .toBuffer(),
    );
  expect(Buffer.from(mirrorPixels(raster, true).data)).toEqual(
    await sharp(data, raw).flop().raw().toBuffer(),
  );
  expect(Buffer.from(mirrorPixels(raster, false).data)).toEqual(
    await sharp(data, raw).flip().raw().toBuffer(),
  );
});
