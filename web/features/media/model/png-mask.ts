import type { Pixels } from '#shared/domain/annotations/paint-pixels.ts';

/**
 * A PNG as the numbers that are in it: grey values and places in a palette as they are (up to 16 bits), colours as
 * `RRGGBB` or `RRGGBBAA`, grey with alpha as `GGAA`. A browser’s canvas would make colours of them.
 */
export interface PngMask {
  width: number;
  height: number;
  bitDepth: number;
  colourType: ColourType;
  values: Pixels;
  /** Chunks before the pixels, whole and as they were: palette, transparency, resolution, texts. */
  chunks: readonly Uint8Array[];
}

const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;
export type ColourType = keyof typeof channels;

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const mostPixels = 40_000_000;

/** Why a picture cannot be painted as numbers. */
export class PngProblem extends Error {}

/** Reads a PNG (W3C PNG, third edition). Inverse of {@link formatPng} but for how the pixels are packed. */
export async function parsePng(bytes: Uint8Array<ArrayBuffer>): Promise<PngMask> {
  if (!signature.every((byte, at) => bytes[at] === byte)) throw new PngProblem('It is no PNG.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Uint8Array<ArrayBuffer>[] = [];
  const chunks: Uint8Array[] = [];
  let header: DataView | null = null;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw new PngProblem('The PNG is cut off.');
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (type === 'IHDR') header = new DataView(bytes.buffer, bytes.byteOffset + at + 8, length);
    else if (type === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
    else if (type === 'IEND') break;
    else if (data.length === 0) chunks.push(bytes.slice(at, end));
    at = end;
  }
  if (!header || data.length === 0) throw new PngProblem('The PNG has no pixels.');
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  const [bitDepth, colourType, interlace] = [header.getUint8(8), header.getUint8(9), header.getUint8(12)];
  if (width * height > mostPixels) throw new PngProblem('It has more than 40 million pixels.');
  if (interlace !== 0) throw new PngProblem('Interlaced PNGs are not painted.');
  if (!isColourType(colourType)) throw new PngProblem('The PNG has no known kind of colours.');
  if (bitDepth > 8 && colourType !== 0) throw new PngProblem('Colours of 16 bits are not painted.');
  const size = { width, height, bitDepth, colourType };
  const raw = await inflate(data);
  return { ...size, values: readRows(raw, size), chunks };
}

const isColourType = (value: number): value is ColourType => Object.hasOwn(channels, value);

type Kind = Pick<PngMask, 'width' | 'height' | 'bitDepth' | 'colourType'>;

function readRows(raw: Uint8Array, { width, height, bitDepth, colourType }: Kind): Pixels {
  const bits = channels[colourType] * bitDepth;
  const rowBytes = Math.ceil((width * bits) / 8);
  const step = Math.max(1, bits >> 3);
  if (raw.length < height * (rowBytes + 1)) throw new PngProblem('The PNG is cut off.');
  const values = emptyValues({ width, height, bitDepth, colourType });
  let before = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1);
    const row = raw.subarray(start + 1, start + 1 + rowBytes);
    unfilter(row, before, { filter: raw[start]!, step });
    for (let x = 0; x < width; x++) values[y * width + x] = packedValue(row, x, bits);
    before = row as Uint8Array<ArrayBuffer>;
  }
  return values;
}

export function emptyValues({ width, height, bitDepth, colourType }: Kind): Pixels {
  const bits = channels[colourType] * bitDepth;
  const Values = bits <= 8 ? Uint8Array : bits === 16 ? Uint16Array : Uint32Array;
  return new Values(width * height);
}

function packedValue(row: Uint8Array, x: number, bits: number): number {
  if (bits < 8) return (row[(x * bits) >> 3]! >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1);
  let value = 0;
  for (let at = (x * bits) >> 3; at < ((x + 1) * bits) >> 3; at++) value = value * 256 + row[at]!;
  return value;
}

function unfilter(
  row: Uint8Array,
  above: Uint8Array,
  { filter, step }: { filter: number; step: number },
): void {
  if (filter === 0) return;
  if (filter > 4) throw new PngProblem('The PNG is broken.');
  for (let at = 0; at < row.length; at++) {
    const [a, b, c] = [row[at - step] ?? 0, above[at]!, above[at - step] ?? 0];
    const guess = filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : paeth(a, b, c);
    row[at] = row[at]! + guess;
  }
}

function paeth(a: number, b: number, c: number): number {
  const guess = a + b - c;
  const [toA, toB, toC] = [Math.abs(guess - a), Math.abs(guess - b), Math.abs(guess - c)];
  return toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
}

/** Writes a PNG with the same kind of pixels, palette and other chunks that it was read with. */
export async function formatPng(mask: PngMask): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, bitDepth, colourType, values } = mask;
  const bits = channels[colourType] * bitDepth;
  const rowBytes = Math.ceil((width * bits) / 8);
  const raw = new Uint8Array(height * (rowBytes + 1));
  for (let y = 0; y < height; y++) {
    const row = raw.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1));
    for (let x = 0; x < width; x++) {
      const value = values[y * width + x]!;
      if (bits < 8) row[(x * bits) >> 3]! |= value << (8 - bits - ((x * bits) & 7));
      else
        for (let byte = bits / 8 - 1, rest = value; byte >= 0; byte--, rest = Math.floor(rest / 256))
          row[(x * bits) / 8 + byte] = rest % 256;
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([bitDepth, colourType], 8);
  const parts = [
    new Uint8Array(signature),
    chunkOf('IHDR', header),
    ...mask.chunks,
    chunkOf('IDAT', await deflate(raw)),
    chunkOf('IEND', new Uint8Array()),
  ];
  return joined(parts);
}

function chunkOf(type: string, content: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(content.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, content.length);
  for (let at = 0; at < 4; at++) chunk[4 + at] = type.charCodeAt(at);
  chunk.set(content, 8);
  view.setUint32(content.length + 8, crcOf(chunk.subarray(4, content.length + 8)));
  return chunk;
}

const crcTable = Uint32Array.from({ length: 256 }, (_none, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const inflate = async (parts: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> => {
  try {
    return await piped(joined(parts), new DecompressionStream('deflate'));
  } catch (cause) {
    throw new PngProblem('The PNG is broken.', { cause });
  }
};

const deflate = (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  piped(bytes, new CompressionStream('deflate'));

const piped = async (
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Response(bytes).body!.pipeThrough(through)).arrayBuffer());

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
