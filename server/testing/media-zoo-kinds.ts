import { deflateSync } from 'node:zlib';

/** A picture of 16 × 8 pixels, its left half red and its right half blue, as most of these kinds write it. */
export const kindSize = { width: 16, height: 8 };
const { width, height } = kindSize;
type Rgb = [red: number, green: number, blue: number];
const red: Rgb = [208, 32, 32];
const blue: Rgb = [32, 48, 208];
const colourAt = (x: number): Rgb => (x < width / 2 ? red : blue);
const pixels: Rgb[] = Array.from({ length: width * height }, (_none, at) => colourAt(at % width));
/** Of it, three bytes each. */
export const kindPixels: Buffer = Buffer.from(pixels.flat());

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, at * 2);
  return bytes;
};
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, at * 4);
  return bytes;
};
const f32 = (values: number[]): Buffer => Buffer.from(Float32Array.from(values).buffer);
const swapped16 = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
const swapped32 = (bytes: Buffer): Buffer => Buffer.from(bytes).swap32();

const palette = Buffer.concat([red, blue].map(([r, g, b]) => Buffer.from([b, g, r, 0])));

function bitmapRows(bits: number): Buffer {
  const stride = Math.ceil((width * bits) / 32) * 4;
  const row = Buffer.alloc(stride);
  for (let x = 0; x < width; x++) {
    const [r, g, b] = colourAt(x);
    const index = x < width / 2 ? 0 : 1;
    if (bits <= 8) {
      const place = x * bits;
      row[place >> 3] = (row[place >> 3] as number) | (index << (8 - bits - (place & 7)));
    } else if (bits === 16) row.writeUInt16LE(((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3), x * 2);
    else if (bits === 24) row.set([b, g, r], x * 3);
    else row.set([b, g, r, 255], x * 4);
  }
  return Buffer.concat(Array.from({ length: height }, () => row));
}

const info = (bits: number, { compression = 0, tall = height, size = 0 } = {}): Buffer =>
  Buffer.concat([
    u32(40, width, tall),
    u16(1, bits),
    u32(compression, size, 2835, 2835, bits <= 8 ? 2 : 0, 0),
  ]);

function bitmapFile(header: Buffer, rows: Buffer): Buffer {
  const dataAt = 14 + header.length;
  return Buffer.concat([Buffer.from('BM'), u32(dataAt + rows.length, 0, dataAt), header, rows]);
}

/** Windows bitmaps of 1 to 32 bits. */
export const bmp = (bits: number, isTopDown = false): Buffer =>
  bitmapFile(
    Buffer.concat([
      info(bits, { tall: isTopDown ? -height : height }),
      bits <= 8 ? palette : Buffer.alloc(0),
    ]),
    bitmapRows(bits),
  );

/** With 5, 6 and 5 bits by masks. */
export const bmpFields = (): Buffer =>
  bitmapFile(
    Buffer.concat([info(16, { compression: 3 }), u32(0xf800, 0x7e0, 0x1f)]),
    Buffer.concat(
      Array.from({ length: height }, () =>
        u16(
          ...Array.from({ length: width }, (_none, x) => {
            const [r, g, b] = colourAt(x);
            return ((r >> 3) << 11) | ((g >> 2) << 5) | (b >> 3);
          }),
        ),
      ),
    ),
  );

/** In run lengths: runs, a part as it is, a step, the end. */
export const bmpRuns = (bits: 4 | 8): Buffer => {
  const whole = bits === 8 ? [8, 0, 8, 1, 0, 0] : [8, 0, 8, 0x11, 0, 0];
  const asIs =
    bits === 8 ? [8, 0, 0, 8, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0] : [8, 0, 0, 8, 0x11, 0x11, 0x11, 0x11, 0, 0];
  const lines = Array.from({ length: height }, (_none, y) => (y % 2 === 0 ? whole : asIs)).flat();
  return bitmapFile(
    Buffer.concat([info(bits, { compression: bits === 8 ? 1 : 2 }), palette]),
    Buffer.from([...lines, 0, 1]),
  );
};

/** OS/2’s header of twelve bytes. */
export const bmpCore = (): Buffer =>
  bitmapFile(Buffer.concat([u32(12), u16(width, height, 1, 24)]), bitmapRows(24));

/** An icon of a bitmap with 32 bits, or of a PNG. */
export function ico(png?: Uint8Array): Buffer {
  const mask = Buffer.alloc(4 * height);
  const inner = png
    ? Buffer.from(png)
    : Buffer.concat([info(32, { tall: height * 2 }), bitmapRows(32), mask]);
  const entry = Buffer.concat([Buffer.from([width, height, 0, 0]), u16(1, 32), u32(inner.length, 22)]);
  return Buffer.concat([u16(0, 1, 1), entry, inner]);
}

export function qoi(): Buffer {
  const head = Buffer.concat([Buffer.from('qoif'), swapped32(u32(width, height)), Buffer.from([3, 0])]);
  const row = [0xfe, ...red, 0xc0 | (width / 2 - 2), 0xfe, ...blue, 0xc0 | (width / 2 - 2)];
  const body = Array.from({ length: height }, () => row).flat();
  return Buffer.concat([head, Buffer.from([...body, 0, 0, 0, 0, 0, 0, 0, 1])]);
}

/** PBM, PGM and PPM as text (1 to 3) or bytes (4 to 6), PAM (7). */
export function pnm(kind: 1 | 2 | 3 | 4 | 5 | 6 | 7, isDeep = false): Buffer {
  const max = isDeep ? 65535 : 255;
  const head = `P${kind}\n# made by hand\n${width} ${height}\n${kind % 3 === 1 ? '' : `${max}\n`}`;
  const scale = isDeep ? 257 : 1;
  const rgb = pixels.flat().map((value) => value * scale);
  const grey = pixels.map(([r]) => r * scale);
  const bytes = (values: number[]) => (isDeep ? swapped16(u16(...values)) : Buffer.from(values));
  switch (kind) {
    case 1:
      return Buffer.from(`${head}${pixels.map(([r]) => (r > 99 ? 0 : 1)).join('')}\n`);
    case 2:
      return Buffer.from(`${head}${grey.join(' ')}\n`);
    case 3:
      return Buffer.from(`${head}${rgb.join('\n')}\n`);
    case 4:
      return Buffer.concat([Buffer.from(head), Buffer.from('00ff'.repeat(height), 'hex')]);
    case 5:
      return Buffer.concat([Buffer.from(head), bytes(grey)]);
    case 6:
      return Buffer.concat([Buffer.from(head), bytes(rgb)]);
    case 7:
      return Buffer.concat([
        Buffer.from(
          `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 4\nMAXVAL ${max}\nTUPLTYPE RGB_ALPHA\nENDHDR\n`,
        ),
        bytes(pixels.flatMap((rgbOfPixel) => [...rgbOfPixel.map((value) => value * scale), max])),
      ]);
  }
}

export const pfm = (): Buffer =>
  Buffer.concat([
    Buffer.from(`PF\n${width} ${height}\n-1.0\n`),
    f32(pixels.flat().map((value) => (value / 255) ** 2.2)),
  ]);

/** Light of up to a hundred times white. */
export function radiance(isInRuns = true): Buffer {
  const head = Buffer.from(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`);
  const coded = (x: number) => (x < width / 2 ? [200, 20, 20, 135] : [20, 30, 200, 131]);
  const line = isInRuns
    ? [
        2,
        2,
        0,
        width,
        ...[0, 1, 2, 3].flatMap((channel) => [
          128 + width / 2,
          coded(0)[channel] as number,
          width / 2,
          ...Array.from({ length: width / 2 }, () => coded(width - 1)[channel] as number),
        ]),
      ]
    : Array.from({ length: width }, (_none, x) => coded(x)).flat();
  return Buffer.concat([head, ...Array.from({ length: height }, () => Buffer.from(line))]);
}

const attribute = (name: string, type: string, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${name}\0${type}\0`), u32(value.length), value]);

/** OpenEXR of floats in lines: 0 none, 2 ZIPS, 3 ZIP. */
export function exr(compression: 0 | 2 | 3 | 4 = 3): Buffer {
  const channels = Buffer.concat([
    ...['B', 'G', 'R'].map((name) => Buffer.concat([Buffer.from(`${name}\0`), u32(2, 0, 1, 1)])),
    Buffer.from([0]),
  ]);
  const window = u32(0, 0, width - 1, height - 1);
  const head = Buffer.concat([
    Buffer.from('762f310102000000', 'hex'),
    attribute('channels', 'chlist', channels),
    attribute('compression', 'compression', Buffer.from([compression])),
    attribute('dataWindow', 'box2i', window),
    attribute('displayWindow', 'box2i', window),
    attribute('lineOrder', 'lineOrder', Buffer.from([0])),
    attribute('pixelAspectRatio', 'float', f32([1])),
    Buffer.from([0]),
  ]);
  const linesAtOnce = compression === 3 ? 16 : 1;
  const count = Math.ceil(height / linesAtOnce);
  const line = f32(
    [2, 1, 0].flatMap((channel) =>
      Array.from({ length: width }, (_none, x) => ((colourAt(x)[channel] as number) / 255) ** 2.2),
    ),
  );
  let at = head.length + count * 8;
  const offsets = Buffer.alloc(count * 8);
  const blocks = Array.from({ length: count }, (_none, index) => {
    const lines = Math.min(linesAtOnce, height - index * linesAtOnce);
    const plain = Buffer.concat(Array.from({ length: lines }, () => line));
    const packed = compression === 0 ? plain : deflateSync(stepped(plain));
    const body = packed.length < plain.length ? packed : plain;
    offsets.writeBigUInt64LE(BigInt(at), index * 8);
    at += 8 + body.length;
    return Buffer.concat([u32(index * linesAtOnce, body.length), body]);
  });
  return Buffer.concat([head, offsets, ...blocks]);
}

/** Bytes at even places first, then those at odd ones, and each as the step from the one before. */
function stepped(plain: Buffer): Buffer {
  const parted = Buffer.concat([
    plain.filter((_byte, at) => at % 2 === 0),
    plain.filter((_byte, at) => at % 2 === 1),
  ]);
  return Buffer.from(
    parted.map((byte, at) => (at === 0 ? byte : (byte - (parted[at - 1] as number) + 384) & 255)),
  );
}

/** Photoshop documents: modes 1 grey, 3 RGB, 4 CMYK; plain or in PackBits; 8, 16 or 32 bits. */
export function psd({ mode = 3, depth = 8, isPacked = false, isLarge = false } = {}): Buffer {
  const channels = mode === 1 ? 1 : mode === 4 ? 4 : 3;
  const valueAt = (x: number, channel: number): number => {
    const rgb = colourAt(x);
    return mode === 4 ? (channel === 3 ? 255 : (rgb[channel] as number)) : (rgb[channel] as number);
  };
  const lineOf = (channel: number): Buffer => {
    const values = Array.from({ length: width }, (_none, x) => valueAt(x, channel));
    if (depth === 8) return Buffer.from(values);
    if (depth === 16) return swapped16(u16(...values.map((value) => value * 257)));
    return swapped32(f32(values.map((value) => (value / 255) ** 2.2)));
  };
  const lines = Array.from({ length: channels * height }, (_none, at) => lineOf(Math.floor(at / height)));
  const packed = lines.map((line) => Buffer.concat([Buffer.from([line.length - 1]), line]));
  const sizes = isLarge
    ? swapped32(u32(...packed.map(({ length }) => length)))
    : swapped16(u16(...packed.map(({ length }) => length)));
  return Buffer.concat([
    Buffer.from('8BPS'),
    swapped16(u16(isLarge ? 2 : 1, 0, 0, 0, channels)),
    swapped32(u32(height, width)),
    swapped16(u16(depth, mode)),
    swapped32(u32(0, 0, ...(isLarge ? [0, 0] : [0]))),
    swapped16(u16(isPacked ? 1 : 0)),
    ...(isPacked ? [sizes, ...packed] : lines),
  ]);
}

/** A GIF of so many frames of one size, with next to nothing in them. */
export function gif(side: number, frames = 1): Buffer {
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0]),
    u16(side, side),
    Buffer.from([0, 2, 2, 0x44, 0x01, 0]),
  ]);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    u16(side, side),
    Buffer.from([0x80, 0, 0, ...red, ...blue]),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ]);
}

/** A TIFF whose directories follow each other in a circle. */
export function tiffInCircle(): Buffer {
  const entry = (tag: number, type: number, value: number) => Buffer.concat([u16(tag, type), u32(1, value)]);
  const entries = [
    entry(256, 3, 1),
    entry(257, 3, 1),
    entry(258, 3, 8),
    entry(259, 3, 1),
    entry(262, 3, 1),
    entry(273, 4, 0),
    entry(277, 3, 1),
    entry(278, 3, 1),
    entry(279, 4, 1),
  ];
  return Buffer.concat([Buffer.from('II*\0'), u32(8), u16(entries.length), ...entries, u32(8)]);
}

/** 16 × 8 pixels, by libjxl. */
export const jxl: Buffer = Buffer.from(
  '/wrBwU4ASIAoABwCVQ8AAKhQGWXc4OVcz5cfOiymbVxnaKttC0sSRaabi9O5RfBAQzMkBQU2NEZFxagYFYMhxRicVWOMKu3EKi8VgCRJkiRJkiRJkiRJkiRJkiRJkiRJkiRJEuiS+SMwAQB61xIFdQ/44LuPA4Al8gWIrSRRRuY29dEZ8AE4ACCmQAHI2QMGQFQL',
  'base64',
);
/** 16 × 8 pixels without loss, by OpenJPEG. */
export const jpeg2000: Buffer = Buffer.from(
  '/0//UQAvAAAAAAAQAAAACAAAAAAAAAAAAAAAEAAAAAgAAAAAAAAAAAADBwEBBwEBBwEB/1IADAACAAEBAwQEAAH/XAANQEBISFBISFBISFD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjT/kAAKAAAAAABmAAH/k8fUBggn58+0DApHZ9+AGAOLfsB8IQAFr8faBgAFk2vH2gYAAtaXwHwhgA4LO8faDAAODaaMF3/H2goADQ4iW1HAfCGAIW4Hx9oMACFuGutGQMfaBgAiGrv/2Q==',
  'base64',
);
