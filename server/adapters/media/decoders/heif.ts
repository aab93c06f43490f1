import { AppError } from '#shared/api/problem.ts';
import { loadNativeCodecs } from '../native-codecs.ts';
import { assertSize, type DecodedPicture, damaged, pixelsOf, unsupported } from './decoded-picture.ts';
import { type HeifFile, type HeifItem, readHeif } from './heif-boxes.ts';
import { mirrorPixels, type Raster, turnPixels } from './turn-pixels.ts';

const maxTiles = 4096;

/** RFC 6381 name of a codec by the parameters of HEVC (ISO/IEC 14496-15, E.3). */
function codecOf(configuration: Buffer): string {
  if (configuration.length < 23) throw damaged('the parameters of its codec are cut off');
  const [, general = 0] = configuration;
  const space = ['', 'A', 'B', 'C'][general >> 6] ?? '';
  let flags = 0;
  for (let bit = 0; bit < 32; bit++)
    flags = ((flags << 1) | ((configuration.readUInt32BE(2) >>> bit) & 1)) >>> 0;
  const constraints = [...configuration.subarray(6, 12)];
  while (constraints.length > 0 && constraints.at(-1) === 0) constraints.pop();
  const tail = constraints.map((byte) => `.${byte.toString(16)}`).join('');
  return `hvc1.${space}${general & 31}.${flags.toString(16)}.${general & 32 ? 'H' : 'L'}${configuration[12]}${tail}`;
}

const propertyOf = (item: HeifItem, type: string): Buffer | undefined =>
  item.properties.find((property) => property.type === type)?.body;

function sizeOf(item: HeifItem): { width: number; height: number } {
  const size = propertyOf(item, 'ispe');
  if (!size || size.length < 12) throw damaged('the size of one of its items is missing');
  return { width: size.readUInt32BE(4), height: size.readUInt32BE(8) };
}

/** Decodes items, all with the same parameters, and gives each to `onTile` as RGBA. */
async function decodeTiles(
  file: HeifFile,
  tiles: readonly HeifItem[],
  onTile: (index: number, raster: Raster) => void,
): Promise<void> {
  const [first] = tiles;
  const configuration = first && propertyOf(first, 'hvcC');
  if (!first || !configuration) throw unsupported(`an item of kind ${first?.type ?? 'none'}`);
  if (!(await loadNativeCodecs())) throw unsupported('HEVC, on this machine');
  const frames: Promise<void>[] = [];
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const copy = async (frame: VideoFrame): Promise<void> => {
    try {
      const width = frame.visibleRect?.width ?? frame.codedWidth;
      const height = frame.visibleRect?.height ?? frame.codedHeight;
      const data = new Uint8Array(width * height * 4);
      await frame.copyTo(data, { format: 'RGBA' });
      onTile(frame.timestamp, { data, width, height });
    } finally {
      frame.close();
    }
  };
  const decoder = new VideoDecoder({
    output: (frame) => frames.push(copy(frame)),
    error: (error) => reject(error),
  });
  try {
    decoder.configure({ codec: codecOf(configuration), description: configuration });
    for (const [index, tile] of tiles.entries()) {
      decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp: index, data: file.read(tile) }));
      if (decoder.decodeQueueSize > 8) await Promise.race([decoder.flush(), failed]);
    }
    await Promise.race([decoder.flush(), failed]);
    await Promise.all(frames);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged('what is coded as HEVC in it is broken');
  } finally {
    if (decoder.state !== 'closed') decoder.close();
  }
  if (frames.length === 0) throw damaged('no picture came out of it');
}

/** Where the tiles of a grid lie (ISO/IEC 23008-12, 6.6.2.3.2). */
function readGrid(body: Buffer): { rows: number; columns: number; width: number; height: number } {
  const isWide = ((body[1] ?? 0) & 1) === 1;
  if (body.length < (isWide ? 12 : 8)) throw damaged('its grid is cut off');
  return {
    rows: (body[2] as number) + 1,
    columns: (body[3] as number) + 1,
    width: isWide ? body.readUInt32BE(4) : body.readUInt16BE(4),
    height: isWide ? body.readUInt32BE(8) : body.readUInt16BE(6),
  };
}

async function decodeItem(file: HeifFile, item: HeifItem): Promise<Raster> {
  if (item.type !== 'grid') {
    const { width, height } = sizeOf(item);
    assertSize(width, height);
    let whole: Raster | null = null;
    await decodeTiles(file, [item], (_index, raster) => {
      whole = raster;
    });
    return whole ?? { data: new Uint8Array(width * height * 4), width, height };
  }
  const { rows, columns, width, height } = readGrid(file.read(item));
  assertSize(width, height);
  const tiles = item.parts.slice(0, rows * columns).map((id) => file.items.get(id));
  if (tiles.length < rows * columns || rows * columns > maxTiles || tiles.includes(undefined))
    throw damaged('tiles of its grid are missing');
  const data = new Uint8Array(width * height * 4);
  const first = sizeOf(tiles[0] as HeifItem);
  await decodeTiles(file, tiles as HeifItem[], (index, tile) => {
    const left = (index % columns) * first.width;
    const top = Math.floor(index / columns) * first.height;
    const taken = Math.min(tile.width, first.width, width - left);
    for (let row = 0; row < Math.min(tile.height, first.height, height - top) && taken > 0; row++)
      data.set(
        tile.data.subarray(row * tile.width * 4, (row * tile.width + taken) * 4),
        ((top + row) * width + left) * 4,
      );
  });
  return { data, width, height };
}

/** HEIC: the main picture, of one piece or of tiles, upright as its properties say. */
export async function decodeHeif(bytes: Buffer): Promise<DecodedPicture> {
  const file = readHeif(bytes);
  const item = file.items.get(file.primary);
  if (!item) throw damaged('its main picture is missing');
  let raster = await decodeItem(file, item);
  for (const { type, body } of item.properties) {
    if (type === 'irot') raster = turnPixels(raster, (4 - ((body[0] ?? 0) & 3)) % 4);
    if (type === 'imir') raster = mirrorPixels(raster, ((body[0] ?? 0) & 1) === 1);
  }
  return pixelsOf(raster.data, raster.width, raster.height, {
    format: 'HEIC',
    tiles: item.type === 'grid' ? String(item.parts.length) : null,
  });
}
