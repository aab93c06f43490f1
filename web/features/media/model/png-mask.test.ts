import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  blankMask,
  encodeCells,
  groundOf,
  labelOfValue,
  PaintedMask,
  valueOfLabel,
  valuesOf,
} from './painted-mask.ts';
import { type ColourType, formatPng, type PngMask, parsePng } from './png-mask.ts';

const maskOf = (colourType: ColourType, bitDepth: number, values: PngMask['values']): PngMask => ({
  width: 5,
  height: 2,
  colourType,
  bitDepth,
  values,
  chunks: [],
});

test('grey, palette and colours of every depth are read as they were written', async () => {
  for (const [colourType, bitDepth] of [
    [0, 1],
    [0, 2],
    [0, 4],
    [0, 8],
    [0, 16],
    [2, 8],
    [4, 8],
    [6, 8],
  ] as const) {
    const bits = bitDepth * { 0: 1, 2: 3, 4: 2, 6: 4 }[colourType];
    const Values = bits <= 8 ? Uint8Array : bits === 16 ? Uint16Array : Uint32Array;
    const numbers = Array.from({ length: 10 }, (_none, at) => Math.floor(((2 ** bits - 1) * at) / 9));
    const mask = maskOf(colourType, bitDepth, new Values(numbers));
    expect(await parsePng(await formatPng(mask))).toEqual(mask);
  }
});

test('what a picture program wrote with filters is read, and what is written it reads alike', async () => {
  const raw = Uint8Array.from(
    { length: 64 * 48 },
    (_none, at) => ((at % 64) * 3 + Math.floor(at / 64)) % 200,
  );
  const bytes = await sharp(raw, { raw: { width: 64, height: 48, channels: 1 } })
    .toColourspace('b-w')
    .png({ adaptiveFiltering: true })
    .toBuffer();
  const mask = await parsePng(new Uint8Array(bytes));
  const { data } = await sharp(await formatPng(mask))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([mask.colourType, [...mask.values]]).toEqual([0, [...raw]]);
  expect([...data]).toEqual([...raw]);
});

test('a palette stays a palette with its colours', async () => {
  const raw = Uint8Array.from({ length: 16 * 16 * 3 }, (_none, at) => (at % 48 < 24 ? 0 : 200));
  const bytes = await sharp(raw, { raw: { width: 16, height: 16, channels: 3 } })
    .png({ palette: true, colours: 4 })
    .toBuffer();
  const mask = await parsePng(new Uint8Array(bytes));
  expect(mask.colourType).toBe(3);
  const { data } = await sharp(await formatPng(mask))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([...data]).toEqual([...raw]);
});

test('a palette of any depth tells classes by their places in it, whatever its colours are', async () => {
  for (const bitDepth of [1, 2, 4, 8]) {
    const most = Math.min(2 ** bitDepth - 1, 21);
    const places = Uint8Array.from([0, 1, most, most, 0, 1, 0, most, 1, 1]);
    const entries = new Uint8Array(3 * (most + 1)).map((_none, at) => (at * 37) % 256);
    const palette = new Uint8Array(12 + entries.length);
    new DataView(palette.buffer).setUint32(0, entries.length);
    palette.set(
      [...'PLTE'].map((letter) => letter.charCodeAt(0)),
      4,
    );
    palette.set(entries, 8);
    new DataView(palette.buffer).setUint32(
      8 + entries.length,
      crc32(palette.subarray(4, 8 + entries.length)),
    );
    const bytes = await formatPng({ ...maskOf(3, bitDepth, places), chunks: [palette] });
    expect((await sharp(bytes).metadata()).width).toBe(5);
    const mask = await parsePng(bytes);
    expect([mask.colourType, mask.bitDepth, [...mask.values]]).toEqual([3, bitDepth, [...places]]);
    const labels = valuesOf(mask, mask.values, ['', 'road'])?.map(({ label, pixels }) => [label, pixels]);
    expect(Object.fromEntries(labels!)).toEqual(most === 1 ? { road: 7 } : { road: 4, [most]: 3 });
  }
});

test('strokes are kept apart from the pixels: undone ones leave nothing, and the PNG has the newest', async () => {
  const none = new PaintedMask(blankMask({ width: 8, height: 8 }));
  const dab = { kind: 'brush' as const, points: [{ x: 4, y: 4 }], diameter: 4, value: 3 };
  const one = none.with(dab);
  const two = one.with({ kind: 'fill', points: [{ x: 0, y: 0 }], diameter: 1, value: 9 });
  expect(one.with(dab)).toBe(one);
  const counted = (mask: PaintedMask) =>
    valuesOf(mask.png, mask.values(), null)?.map(({ label, pixels }) => [label, pixels]);
  expect(counted(two)).toEqual([
    ['9', 52],
    ['3', 12],
  ]);
  expect(counted(one)).toEqual([['3', 12]]);
  expect(counted(none)).toEqual([]);
  const { mask } = (await encodeCells({ mask: two })) as { mask: { base64: string } };
  const { data } = await sharp(Buffer.from(mask.base64, 'base64'))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([...data].filter((value) => value === 9)).toHaveLength(52);
});

test('classes are numbers, names of numbers or colours, as far as the mask can hold them', () => {
  const grey = { colourType: 0, bitDepth: 2 } as const;
  expect(['1', 'road', '4', 'x', '0'].map((label) => valueOfLabel(grey, label, ['', 'a', 'road']))).toEqual([
    1,
    2,
    null,
    null,
    null,
  ]);
  const rgb = { colourType: 2, bitDepth: 8 } as const;
  expect(['#ff0010', '7'].map((label) => valueOfLabel(rgb, label, null))).toEqual([0xff0010, 0x070707]);
  const rgba = { colourType: 6, bitDepth: 8 } as const;
  expect(labelOfValue(6, valueOfLabel(rgba, '#ff0010', null)!, null)).toBe('#ff0010');
  expect([
    groundOf(maskOf(6, 8, Uint32Array.of(0xff0010ff, 0x000000ff))),
    groundOf(maskOf(6, 8, Uint32Array.of(0xff0010ff, 0))),
    groundOf(maskOf(3, 8, Uint8Array.of(1, 0))),
  ]).toEqual([255, 0, 0]);
});

test('what cannot be painted says why', async () => {
  await expect(parsePng(new Uint8Array([1, 2, 3]))).rejects.toThrow('It is no PNG.');
  const bytes = await formatPng(maskOf(0, 8, new Uint8Array(10)));
  await expect(parsePng(bytes.slice(0, 50))).rejects.toThrow(/cut off|broken|no pixels/);
});
