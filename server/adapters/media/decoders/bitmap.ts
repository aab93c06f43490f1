import { readRunLengths } from './bitmap-runs.ts';
import {
  assertBytes,
  assertSize,
  type DecodedPicture,
  damaged,
  pixelsOf,
  unsupported,
} from './decoded-picture.ts';

/** Header of a bitmap (BITMAPCOREHEADER to BITMAPV5HEADER, [MS-WMF] 2.2.2 and wingdi.h). */
interface BitmapHeader {
  width: number;
  height: number;
  isTopDown: boolean;
  bits: number;
  compression: number;
  palette: Uint8Array[];
  /** Where masks for red, green, blue and alpha are given; 0 for none. */
  masks: [red: number, green: number, blue: number, alpha: number];
  /** Where header, masks and palette end. */
  end: number;
}

const compressions = { none: 0, runs8: 1, runs4: 2, fields: 3, jpeg: 4, png: 5, alphaFields: 6 } as const;
const depths: ReadonlySet<number> = new Set([1, 2, 4, 8, 16, 24, 32]);

export function readBitmapHeader(bytes: Buffer, at: number, dataAt: number | null): BitmapHeader {
  assertBytes(bytes, at + 12);
  const size = bytes.readUInt32LE(at);
  assertBytes(bytes, at + size);
  const isCore = size === 12;
  if (!isCore && (size < 16 || size > 1000))
    throw damaged(`its header of ${size} bytes is none that is known`);
  const optional = (offset: number): number => (size >= offset + 4 ? bytes.readUInt32LE(at + offset) : 0);
  const width = isCore ? bytes.readUInt16LE(at + 4) : bytes.readInt32LE(at + 4);
  const tall = isCore ? bytes.readInt16LE(at + 6) : bytes.readInt32LE(at + 8);
  const bits = bytes.readUInt16LE(at + (isCore ? 10 : 14));
  const compression = isCore ? 0 : optional(16);
  if (!depths.has(bits) && bits !== 0) throw damaged(`${bits} bits per pixel are none of its depths`);
  const hasOuterMasks =
    size === 40 && (compression === compressions.fields || compression === compressions.alphaFields);
  const outerMasks = hasOuterMasks ? (compression === compressions.alphaFields ? 4 : 3) : 0;
  const maskAt = at + 40;
  const isMasked = compression === compressions.fields || compression === compressions.alphaFields;
  const given = size >= 56 ? 4 : size >= 52 ? 3 : outerMasks;
  if (isMasked) assertBytes(bytes, maskAt + given * 4);
  const mask = (index: number) => (isMasked && index < given ? bytes.readUInt32LE(maskAt + index * 4) : 0);
  const masks: BitmapHeader['masks'] = isMasked
    ? [mask(0), mask(1), mask(2), mask(3)]
    : bits === 16
      ? [0x7c00, 0x3e0, 0x1f, 0]
      : [0xff0000, 0xff00, 0xff, 0];
  const paletteAt = at + size + outerMasks * 4;
  const entryBytes = isCore ? 3 : 4;
  const most = bits > 0 && bits <= 8 ? 2 ** bits : 0;
  const told = isCore ? 0 : optional(32);
  const room = dataAt === null ? most : Math.max(0, Math.floor((dataAt - paletteAt) / entryBytes));
  const entries = Math.min(most, told === 0 ? most : told, room);
  assertBytes(bytes, paletteAt + entries * entryBytes);
  const palette = Array.from({ length: entries }, (_none, index) =>
    bytes.subarray(paletteAt + index * entryBytes, paletteAt + index * entryBytes + 3),
  );
  return {
    width,
    height: Math.abs(tall),
    isTopDown: tall < 0,
    bits,
    compression,
    palette,
    masks,
    end: paletteAt + (told > most ? Math.min(told, 256) : entries) * entryBytes,
  };
}

/** Places of the bits of a mask, and what its highest value is. */
function fieldOf(mask: number): { shift: number; max: number } {
  if (mask === 0) return { shift: 0, max: 0 };
  const shift = 31 - Math.clz32(mask & -mask);
  return { shift, max: mask >>> shift };
}

/** Rows of pixels from `at` on, as RGBA. `usesAlpha`: the fourth byte of 32 bits counts without a mask, as in icons. */
export function readBitmapRows(
  bytes: Buffer,
  header: BitmapHeader,
  at: number,
  usesAlpha: boolean,
): Uint8Array {
  const { width, height, bits, palette, isTopDown } = header;
  const stride = Math.ceil((width * bits) / 32) * 4;
  assertBytes(bytes, at + stride * (height - 1) + Math.ceil((width * bits) / 8));
  const data = new Uint8Array(width * height * 4);
  const masks = usesAlpha && bits === 32 ? [0xff0000, 0xff00, 0xff, 0xff000000] : header.masks;
  const fields = masks.map((mask) => fieldOf(mask >>> 0));
  const sample = (value: number, channel: number): number => {
    const { shift, max } = fields[channel] as { shift: number; max: number };
    return max === 0 ? 0 : Math.round((((value >>> shift) & max) >>> 0) * (255 / max));
  };
  const hasAlpha = (fields[3] as { max: number }).max > 0;
  for (let row = 0; row < height; row++) {
    const from = at + row * stride;
    let to = (isTopDown ? row : height - 1 - row) * width * 4;
    for (let x = 0; x < width; x++, to += 4) {
      if (bits <= 8) {
        const place = x * bits;
        const value = ((bytes[from + (place >> 3)] as number) >> (8 - bits - (place & 7))) & (2 ** bits - 1);
        setIndexed(data, to, palette[value]);
      } else if (bits === 24) {
        data[to] = bytes[from + x * 3 + 2] as number;
        data[to + 1] = bytes[from + x * 3 + 1] as number;
        data[to + 2] = bytes[from + x * 3] as number;
        data[to + 3] = 255;
      } else {
        const value = bits === 16 ? bytes.readUInt16LE(from + x * 2) : bytes.readUInt32LE(from + x * 4);
        data[to] = sample(value, 0);
        data[to + 1] = sample(value, 1);
        data[to + 2] = sample(value, 2);
        data[to + 3] = hasAlpha ? sample(value, 3) : 255;
      }
    }
  }
  return data;
}

export function setIndexed(data: Uint8Array, to: number, entry: Uint8Array | undefined): void {
  data[to] = entry?.[2] ?? 0;
  data[to + 1] = entry?.[1] ?? 0;
  data[to + 2] = entry?.[0] ?? 0;
  data[to + 3] = 255;
}

const names: Record<number, string> = {
  [compressions.runs8]: 'run lengths',
  [compressions.runs4]: 'run lengths',
  [compressions.fields]: 'bit fields',
  [compressions.alphaFields]: 'bit fields',
};

/** Windows bitmaps of every depth and coding. */
export function decodeBitmap(bytes: Buffer): DecodedPicture {
  assertBytes(bytes, 18);
  const dataAt = bytes.readUInt32LE(10);
  const header = readBitmapHeader(bytes, 14, dataAt);
  const { width, height, bits, compression, palette, isTopDown } = header;
  const facts = { format: 'bmp', colours: `${bits} bits per pixel`, coding: names[compression] ?? null };
  if (compression === compressions.jpeg || compression === compressions.png)
    return { kind: 'inner', bytes: bytes.subarray(dataAt), facts: [{ name: 'format', value: 'bmp' }] };
  assertSize(width, height);
  if (bits === 0) throw damaged('0 bits per pixel are none of its depths');
  if (compression === compressions.runs8 || compression === compressions.runs4) {
    if (bits !== (compression === compressions.runs8 ? 8 : 4)) throw damaged('run lengths need 4 or 8 bits');
    const indices = readRunLengths(bytes.subarray(dataAt), { width, height, bits });
    const data = new Uint8Array(width * height * 4);
    for (let row = 0; row < height; row++)
      for (let x = 0; x < width; x++) {
        const to = ((isTopDown ? row : height - 1 - row) * width + x) * 4;
        setIndexed(data, to, palette[indices[row * width + x] as number]);
      }
    return pixelsOf(data, width, height, facts);
  }
  if (compression > compressions.alphaFields) throw unsupported(`a bitmap of coding ${compression}`);
  return pixelsOf(readBitmapRows(bytes, header, dataAt, false), width, height, facts);
}
