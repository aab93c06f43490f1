import {
  assertBytes,
  assertSize,
  type DecodedPicture,
  damaged,
  pixelsOf,
  unsupported,
} from './decoded-picture.ts';

/** Adobe Photoshop File Formats Specification, “File header section” and following. */
interface Document {
  isLarge: boolean;
  channels: number;
  height: number;
  width: number;
  depth: number;
  mode: number;
  palette: Buffer;
  resources: Map<number, Buffer>;
  /** The merged picture’s first further channel is its alpha. */
  hasAlpha: boolean;
  /** Where the merged picture begins. */
  at: number;
}

const modes: Record<number, string> = {
  0: 'bitmap',
  1: 'grey',
  2: 'palette',
  3: 'RGB',
  4: 'CMYK',
  7: 'multichannel',
  8: 'duotone',
  9: 'Lab',
};
const resourceIds = { versionInfo: 1057, thumbnail: 1036 } as const;

function readResources(bytes: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + 12 <= bytes.length && bytes.toString('latin1', at, at + 4) === '8BIM'; ) {
    const id = bytes.readUInt16BE(at + 4);
    const nameBytes = ((bytes[at + 6] as number) + 2) & ~1;
    const sizeAt = at + 6 + nameBytes;
    if (sizeAt + 4 > bytes.length) break;
    const size = bytes.readUInt32BE(sizeAt);
    found.set(id, bytes.subarray(sizeAt + 4, sizeAt + 4 + size));
    at = sizeAt + 4 + size + (size & 1);
  }
  return found;
}

function readDocument(bytes: Buffer): Document {
  assertBytes(bytes, 30);
  const version = bytes.readUInt16BE(4);
  if (version !== 1 && version !== 2) throw damaged(`version ${version} of its format is unknown`);
  const isLarge = version === 2;
  let at = 26;
  const section = (hasLongSize = false): Buffer => {
    const head = hasLongSize ? 8 : 4;
    assertBytes(bytes, at + head);
    const size = hasLongSize ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
    assertBytes(bytes, at + head + size);
    const body = bytes.subarray(at + head, at + head + size);
    at += head + size;
    return body;
  };
  const palette = section();
  const resources = readResources(section());
  const layers = section(isLarge);
  const countAt = isLarge ? 8 : 4;
  const hasAlpha = layers.length >= countAt + 2 && layers.readInt16BE(countAt) < 0;
  return {
    isLarge,
    channels: bytes.readUInt16BE(12),
    height: bytes.readUInt32BE(14),
    width: bytes.readUInt32BE(18),
    depth: bytes.readUInt16BE(22),
    mode: bytes.readUInt16BE(24),
    palette,
    resources,
    hasAlpha,
    at,
  };
}

/** Lines of the merged picture, one channel after the other: as they are, or in PackBits. */
function* linesOf(
  bytes: Buffer,
  { isLarge, channels, height, at }: Document,
  lineBytes: number,
): Generator<Buffer> {
  assertBytes(bytes, at + 2);
  const compression = bytes.readUInt16BE(at);
  const count = channels * height;
  if (compression === 0) {
    assertBytes(bytes, at + 2 + count * lineBytes);
    for (let line = 0; line < count; line++)
      yield bytes.subarray(at + 2 + line * lineBytes, at + 2 + (line + 1) * lineBytes);
    return;
  }
  if (compression !== 1) throw unsupported(`the merged picture is compressed in way ${compression}`);
  const entry = isLarge ? 4 : 2;
  let from = at + 2 + count * entry;
  // A run has 128 bytes at most, and two of its own.
  assertBytes(bytes, from + count * Math.ceil(lineBytes / 128) * 2);
  const line = Buffer.alloc(lineBytes);
  for (let index = 0; index < count; index++) {
    const sizeAt = at + 2 + index * entry;
    const size = isLarge ? bytes.readUInt32BE(sizeAt) : bytes.readUInt16BE(sizeAt);
    assertBytes(bytes, from + size);
    unpackBits(bytes.subarray(from, from + size), line);
    from += size;
    yield line;
  }
}

function unpackBits(packed: Uint8Array, line: Buffer): void {
  let to = 0;
  for (let at = 0; at < packed.length && to < line.length; ) {
    const code = packed[at] as number;
    at += 1;
    if (code === 128) continue;
    if (code > 128) {
      line.fill(packed[at] ?? 0, to, to + 257 - code);
      at += 1;
      to += 257 - code;
    } else {
      line.set(packed.subarray(at, Math.min(at + code + 1, at + line.length - to)), to);
      at += code + 1;
      to += code + 1;
    }
  }
}

const gamma = 1 / 2.2;

function sampleReader(depth: number): (line: Buffer, x: number) => number {
  switch (depth) {
    case 1:
      return (line, x) => (((line[x >> 3] as number) >> (7 - (x & 7))) & 1 ? 0 : 255);
    case 8:
      return (line, x) => line[x] as number;
    case 16:
      return (line, x) => line[x * 2] as number;
    case 32:
      return (line, x) => Math.round(255 * Math.min(1, Math.max(0, line.readFloatBE(x * 4) || 0)) ** gamma);
    default:
      throw damaged(`${depth} bits per sample are none of its depths`);
  }
}

/** What the planes mean: in place, from what was read into red, green, blue and alpha. */
function toColour(data: Uint8Array, { mode, palette }: Document, hasAlpha: boolean): void {
  for (let at = 0; at < data.length; at += 4) {
    const first = data[at] as number;
    const second = data[at + 1] as number;
    const third = data[at + 2] as number;
    const fourth = data[at + 3] as number;
    if (mode === 2) {
      data[at] = palette[first] ?? 0;
      data[at + 1] = palette[256 + first] ?? 0;
      data[at + 2] = palette[512 + first] ?? 0;
    } else if (mode === 4) {
      data[at] = (first * fourth) / 255;
      data[at + 1] = (second * fourth) / 255;
      data[at + 2] = (third * fourth) / 255;
    } else if (mode === 9) {
      data.set(labToRgb(first, second, third), at);
    } else if (mode !== 3) {
      data[at + 1] = first;
      data[at + 2] = first;
    }
    if (!hasAlpha) data[at + 3] = 255;
  }
}

function labToRgb(lightness: number, first: number, second: number): [number, number, number] {
  const y = ((lightness * 100) / 255 + 16) / 116;
  const linear = (value: number) => (value > 6 / 29 ? value ** 3 : (value - 16 / 116) / 7.787);
  const [X, Y, Z] = [
    0.9642 * linear(y + (first - 128) / 500),
    linear(y),
    0.8249 * linear(y - (second - 128) / 200),
  ];
  const encode = (light: number) => Math.round(255 * Math.min(1, Math.max(0, light)) ** gamma);
  return [
    encode(3.1339 * X - 1.6169 * Y - 0.4906 * Z),
    encode(-0.9788 * X + 1.9161 * Y + 0.0335 * Z),
    encode(0.0719 * X - 0.229 * Y + 1.4052 * Z),
  ];
}

/** The small JPEG that a document without a merged picture still brings along. */
function innerThumbnail({ resources }: Document): DecodedPicture | null {
  const [version, thumbnail] = [resources.get(resourceIds.versionInfo), resources.get(resourceIds.thumbnail)];
  const hasMerged = version === undefined || version.length < 5 || version[4] !== 0;
  if (hasMerged) return null;
  if (!thumbnail || thumbnail.length < 28)
    throw unsupported('it was saved without its merged picture (“Maximize compatibility”)');
  return {
    kind: 'inner',
    bytes: thumbnail.subarray(28),
    facts: [{ name: 'shown', value: 'its small preview: it was saved without its merged picture' }],
  };
}

/** Photoshop documents (PSD, PSB): the merged picture, of all modes and depths. */
export function decodePhotoshop(bytes: Buffer): DecodedPicture {
  const document = readDocument(bytes);
  const { width, height, channels, depth, mode, isLarge } = document;
  assertSize(width, height);
  if (channels < 1 || channels > 56) throw damaged(`${channels} channels cannot be`);
  const preview = innerThumbnail(document);
  if (preview) return preview;
  const read = sampleReader(depth);
  const colours = mode === 3 || mode === 9 ? 3 : mode === 4 ? 4 : 1;
  if (channels < colours) throw damaged(`${channels} channels are too few for ${modes[mode]}`);
  const hasAlpha = document.hasAlpha && mode !== 4 && channels > colours;
  const data = new Uint8Array(width * height * 4);
  let line = 0;
  for (const samples of linesOf(bytes, document, Math.ceil((width * depth) / 8))) {
    const channel = Math.floor(line / height);
    const y = line % height;
    line += 1;
    const place = channel < colours ? channel : hasAlpha && channel === colours ? 3 : -1;
    if (channel > colours) break;
    if (place < 0) continue;
    for (let x = 0; x < width; x++) data[(y * width + x) * 4 + place] = read(samples, x);
  }
  toColour(data, document, hasAlpha);
  return pixelsOf(data, width, height, {
    format: isLarge ? 'Photoshop, large' : 'Photoshop',
    colours: `${modes[mode] ?? `mode ${mode}`}, ${channels === 1 ? '1 channel' : `${channels} channels`}, ${depth} bit`,
  });
}
