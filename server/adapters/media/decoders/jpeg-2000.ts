import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import {
  assertBytes,
  assertSize,
  type DecodedPicture,
  damaged,
  pixelsOf,
  unsupported,
} from './decoded-picture.ts';

interface FrameInfo {
  width: number;
  height: number;
  bitsPerSample: number;
  componentCount: number;
  isSigned: boolean;
}

interface Decoder {
  getEncodedBuffer(sizeBytes: number): Uint8Array;
  getDecodedBuffer(): Uint8Array;
  getFrameInfo(): FrameInfo;
  getColorSpace(): number;
  decodeSubResolution(level: number, layer: number): void;
  delete(): void;
}

interface Module {
  J2KDecoder: new () => Decoder;
}

/** It has 32 bits of each sample in memory. */
const maxPixels = 60_000_000;

let loading: Promise<Module> | null = null;
const require = createRequire(import.meta.url);

async function loadModule(): Promise<Module> {
  const create: (options: object) => Promise<Module> = require('@cornerstonejs/codec-openjpeg/decodewasmjs');
  const wasmBinary = await readFile(require.resolve('@cornerstonejs/codec-openjpeg/decodewasm'));
  const quiet = () => undefined;
  return create({ wasmBinary, print: quiet, printErr: quiet });
}

/** What the marker SIZ of the codestream says, and how many times it can be halved (COD); ITU-T T.800, A.5. */
function readSize(bytes: Buffer): {
  width: number;
  height: number;
  components: number;
  halvings: number;
  isEven: boolean;
} {
  const at = bytes.indexOf(Buffer.from('ff4fff51', 'hex'));
  if (at < 0) throw damaged('it holds no codestream');
  assertBytes(bytes, at + 42);
  const word = (offset: number) => bytes.readUInt32BE(at + offset);
  const components = bytes.readUInt16BE(at + 40);
  assertBytes(bytes, at + 42 + components * 3);
  const isEven = Array.from(
    { length: components },
    (_none, index) => bytes[at + 43 + index * 3] === 1 && bytes[at + 44 + index * 3] === 1,
  ).every(Boolean);
  const coding = bytes.indexOf(Buffer.from('ff52', 'hex'), at + 42 + components * 3);
  const halvings = coding < 0 ? 0 : Math.min(32, bytes[coding + 9] ?? 0);
  return { width: word(8) - word(16), height: word(12) - word(20), components, halvings, isEven };
}

/** JPEG 2000, in the resolution that is needed: it holds the smaller ones. */
export async function decodeJpeg2000(bytes: Buffer, wantedPx: number): Promise<DecodedPicture> {
  const { width, height, components, halvings, isEven } = readSize(bytes);
  if (!(width > 0 && height > 0)) throw damaged(`its size of ${width} × ${height} pixels cannot be`);
  if (components < 1 || components > 4) throw unsupported(`JPEG 2000 of ${components} channels`);
  if (!isEven) throw unsupported('JPEG 2000 with colours coarser than light');
  let level = 0;
  while (level < halvings && Math.max(width, height) / 2 ** (level + 1) >= wantedPx) level += 1;
  assertSize(Math.ceil(width / 2 ** level), Math.ceil(height / 2 ** level), maxPixels);
  loading ??= loadModule();
  const { J2KDecoder } = await loading;
  const decoder = new J2KDecoder();
  try {
    decoder.getEncodedBuffer(bytes.length).set(bytes);
    decoder.decodeSubResolution(level, 0);
    const frame = decoder.getFrameInfo();
    const divisor = 2 ** level;
    const size = { width: Math.ceil(frame.width / divisor), height: Math.ceil(frame.height / divisor) };
    assertSize(size.width, size.height);
    const samples = decoder.getDecodedBuffer();
    return pixelsOf(toRgba(samples, frame, size, decoder.getColorSpace()), size.width, size.height, {
      format: 'JPEG 2000',
      size: `${width} × ${height}`,
      colours: `${frame.componentCount === 1 ? '1 channel' : `${frame.componentCount} channels`}, ${frame.bitsPerSample} bit`,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error;
    throw damaged('its codestream is broken or cut off');
  } finally {
    decoder.delete();
  }
}

function toRgba(
  samples: Uint8Array,
  { bitsPerSample, componentCount, isSigned }: FrameInfo,
  { width, height }: { width: number; height: number },
  colourSpace: number,
): Uint8Array {
  const isWide = bitsPerSample > 8;
  const count = width * height;
  if (samples.byteLength < count * componentCount * (isWide ? 2 : 1))
    throw damaged('its bytes end too early');
  const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength);
  const max = 2 ** bitsPerSample - 1;
  const offset = isSigned ? 2 ** (bitsPerSample - 1) : 0;
  const read = (index: number): number => {
    const value = isWide
      ? isSigned
        ? view.getInt16(index * 2, true)
        : view.getUint16(index * 2, true)
      : isSigned
        ? view.getInt8(index)
        : view.getUint8(index);
    return Math.round((Math.min(max, Math.max(0, value + offset)) * 255) / max);
  };
  const isYcc = colourSpace === 3 && componentCount >= 3;
  const data = new Uint8ClampedArray(count * 4);
  for (let pixel = 0; pixel < count; pixel++) {
    const from = pixel * componentCount;
    const to = pixel * 4;
    const first = read(from);
    const isGrey = componentCount < 3;
    const [second, third] = isGrey ? [first, first] : [read(from + 1), read(from + 2)];
    data[to] = isYcc ? first + 1.402 * (third - 128) : first;
    data[to + 1] = isYcc ? first - 0.344 * (second - 128) - 0.714 * (third - 128) : second;
    data[to + 2] = isYcc ? first + 1.772 * (second - 128) : third;
    data[to + 3] = componentCount === 4 ? read(from + 3) : componentCount === 2 ? read(from + 1) : 255;
  }
  return new Uint8Array(data.buffer);
}
