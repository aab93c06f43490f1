import {
  assertBytes,
  assertSize,
  type DecodedPicture,
  damaged,
  pixelsOf,
  unsupported,
} from './decoded-picture.ts';
import { halfToFloat } from './half-float.ts';
import { unpackBlock } from './open-exr-blocks.ts';
import { toneMap } from './tone-map.ts';

/** A channel of an OpenEXR file; sampled types are 0 uint, 1 half, 2 float. */
interface Channel {
  name: string;
  type: number;
  isEven: boolean;
}

interface Header {
  channels: Channel[];
  compression: number;
  left: number;
  top: number;
  width: number;
  height: number;
  isTiled: boolean;
  tile: { width: number; height: number };
  /** Where the table of offsets begins. */
  at: number;
}

const compressionNames = ['none', 'RLE', 'ZIPS', 'ZIP', 'PIZ', 'PXR24', 'B44', 'B44A', 'DWAA', 'DWAB'];
const linesOfBlock: Record<number, number> = { 0: 1, 1: 1, 2: 1, 3: 16 };
/** Floats of four channels are in memory. */
const maxPixels = 40_000_000;
const maxChannels = 1024;
const maxAttributes = 4096;

const sampleBytes = (type: number): number => (type === 1 ? 2 : 4);

function textAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(0, at);
  if (end < 0 || end - at > 255) throw damaged('its header is cut off');
  return bytes.toString('latin1', at, end);
}

function readChannels(body: Buffer): Channel[] {
  const found: Channel[] = [];
  for (let at = 0; at < body.length && body[at] !== 0; ) {
    const name = textAt(body, at);
    at += name.length + 1;
    assertBytes(body, at + 16);
    found.push({
      name,
      type: body.readUInt32LE(at),
      isEven: body.readUInt32LE(at + 8) === 1 && body.readUInt32LE(at + 12) === 1,
    });
    at += 16;
    if (found.length > maxChannels) throw damaged('it has too many channels');
  }
  return found;
}

function readHeader(bytes: Buffer): Header {
  assertBytes(bytes, 8);
  const flags = bytes.readUInt32LE(4) >>> 8;
  if (flags & 0x18) throw unsupported('OpenEXR of several parts or of deep pixels');
  const attributes = new Map<string, Buffer>();
  let at = 8;
  for (let count = 0; bytes[at] !== 0; count++) {
    const name = textAt(bytes, at);
    at += name.length + 1;
    at += textAt(bytes, at).length + 1;
    assertBytes(bytes, at + 4);
    const size = bytes.readUInt32LE(at);
    assertBytes(bytes, at + 4 + size);
    attributes.set(name, bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
    if (count > maxAttributes) throw damaged('its header has no end');
  }
  const [channels, compression, window, tiles] = ['channels', 'compression', 'dataWindow', 'tiles'].map(
    (name) => attributes.get(name),
  );
  if (!channels || !compression || !window || window.length < 16) throw damaged('its header is not whole');
  const [left, top] = [window.readInt32LE(0), window.readInt32LE(4)];
  const isTiled = (flags & 2) !== 0;
  if (isTiled && (!tiles || tiles.length < 9)) throw damaged('its tiles have no size');
  return {
    channels: readChannels(channels),
    compression: compression[0] ?? 0,
    left,
    top,
    width: window.readInt32LE(8) - left + 1,
    height: window.readInt32LE(12) - top + 1,
    isTiled,
    tile: tiles ? { width: tiles.readUInt32LE(0), height: tiles.readUInt32LE(4) } : { width: 0, height: 0 },
    at: at + 1,
  };
}

/** Which channels are red, green, blue and alpha: of the main layer, else of the first one that has colours, else grey. */
function pickChannels(channels: readonly Channel[]): { colours: [number, number, number]; alpha: number } {
  const find = (name: string): number => channels.findIndex((channel) => channel.name === name);
  const layer = channels.find(({ name }) => name === 'R' || name.endsWith('.R'))?.name.slice(0, -1) ?? '';
  const red = find(`${layer}R`);
  const alpha = find(`${layer}A`);
  if (red >= 0 && find(`${layer}G`) >= 0 && find(`${layer}B`) >= 0)
    return { colours: [red, find(`${layer}G`), find(`${layer}B`)], alpha };
  const grey = Math.max(0, find('Y'));
  return { colours: [grey, grey, grey], alpha: grey === alpha ? -1 : alpha };
}

interface Block {
  x: number;
  y: number;
  width: number;
  height: number;
  packed: Buffer;
}

function* blocksOf(bytes: Buffer, header: Header): Generator<Block> {
  const { width, height, isTiled, tile, at, top, compression } = header;
  const lines = linesOfBlock[compression] ?? 1;
  const across = isTiled ? Math.ceil(width / tile.width) : 1;
  const count = across * Math.ceil(height / (isTiled ? tile.height : lines));
  assertBytes(bytes, at + count * 8);
  for (let index = 0; index < count; index++) {
    const from = Number(bytes.readBigUInt64LE(at + index * 8));
    const head = isTiled ? 20 : 8;
    assertBytes(bytes, from + head);
    const size = bytes.readUInt32LE(from + head - 4);
    assertBytes(bytes, from + head + size);
    const packed = bytes.subarray(from + head, from + head + size);
    const x = isTiled ? bytes.readUInt32LE(from) * tile.width : 0;
    const y = isTiled ? bytes.readUInt32LE(from + 4) * tile.height : bytes.readInt32LE(from) - top;
    if (x >= width || y < 0 || y >= height) throw damaged('a block of it lies outside of the picture');
    yield {
      x,
      y,
      width: isTiled ? Math.min(tile.width, width - x) : width,
      height: Math.min(isTiled ? tile.height : lines, height - y),
      packed,
    };
  }
}

/** OpenEXR (https://openexr.com/en/latest/OpenEXRFileLayout.html): lines or tiles, plain or by RLE and ZIP. */
export function decodeOpenExr(bytes: Buffer): DecodedPicture {
  const header = readHeader(bytes);
  const { channels, compression, width, height, isTiled, tile } = header;
  assertSize(width, height, maxPixels);
  if (isTiled && !(tile.width > 0 && tile.height > 0 && tile.width * tile.height <= 2 ** 26))
    throw damaged('its tiles have no size');
  if (channels.length === 0) throw damaged('it has no channel');
  if (!channels.every(({ isEven }) => isEven)) throw unsupported('OpenEXR with colours coarser than light');
  if (!(compression in linesOfBlock))
    throw unsupported(`OpenEXR compressed as ${compressionNames[compression] ?? compression}`);
  const { colours, alpha } = pickChannels(channels);
  const planes = new Float32Array(width * height * 4);
  const pixelBytes = channels.reduce((sum, { type }) => sum + sampleBytes(type), 0);
  const wanted = [...colours, alpha];
  for (const block of blocksOf(bytes, header)) {
    const data = unpackBlock(block.packed, compression, block.width * block.height * pixelBytes);
    let at = 0;
    for (let row = 0; row < block.height; row++)
      for (const [index, { type }] of channels.entries()) {
        const size = sampleBytes(type);
        const places = wanted.flatMap((channel, place) => (channel === index ? [place] : []));
        for (let x = 0; x < block.width && places.length > 0; x++) {
          const from = at + x * size;
          const value =
            type === 1
              ? halfToFloat(data.readUInt16LE(from))
              : type === 2
                ? data.readFloatLE(from)
                : data.readUInt32LE(from) / 0xffffffff;
          for (const place of places) planes[((block.y + row) * width + block.x + x) * 4 + place] = value;
        }
        at += block.width * size;
      }
  }
  const pixels = toneMap({
    width,
    height,
    valueAt: (pixel, channel) => planes[pixel * 4 + channel] as number,
    ...(alpha >= 0 ? { alphaAt: (pixel: number) => planes[pixel * 4 + 3] as number } : {}),
  });
  return pixelsOf(pixels, width, height, {
    format: 'OpenEXR',
    colours: `${channels
      .map(({ name }) => name)
      .slice(0, 12)
      .join(', ')}, ${compressionNames[compression]}`,
    'shown with': 'light mapped to the screen',
  });
}
