import sharp, { type Sharp } from 'sharp';
import { AppError } from '#shared/api/problem.ts';
import type { Crop, CropBox } from '../../ports/media-maker.ts';
import { openPicture } from './open-picture.ts';
import { describePictureFailure, timeoutSeconds } from './picture-thumb.ts';

/** The picture is in memory as raw pixels while it is cut. */
const maxPixels = 120_000_000;
const quality = 95;
/** Decoded to four channels, whether or not they have alpha. */
const isPhotograph = /^image\/hei[cf]$/;

interface Raw {
  pixels: Buffer;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}

/** Cuts boxes out of a picture, upright by EXIF and in sRGB: PNG where the picture is lossless or has alpha, else JPEG. */
export async function makeCrops(
  bytes: Uint8Array,
  boxes: readonly CropBox[],
  signal: AbortSignal,
): Promise<(Crop | null)[]> {
  signal.throwIfAborted();
  try {
    const { picture, metadata, contentType } = await openPicture(bytes, {
      maxPixels,
      failOn: 'error',
      wantedPx: Number.POSITIVE_INFINITY,
    });
    const { format, hasAlpha } = metadata;
    const isLossless =
      !isPhotograph.test(contentType) && (hasAlpha || /^(png|raw|tiff|svg|gif)$/.test(format));
    const { data, info } = await picture
      .timeout({ seconds: timeoutSeconds })
      .rotate()
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const raw: Raw = { pixels: data, width: info.width, height: info.height, channels: info.channels as 3 };
    const crops: (Crop | null)[] = [];
    for (const box of boxes) {
      signal.throwIfAborted();
      crops.push(await cut(raw, box, isLossless));
    }
    return crops;
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error;
    throw describePictureFailure(error);
  }
}

/** The whole pixels of a box that lie in the picture; null where none do. */
function clip({ x, y, width, height }: Omit<CropBox, 'angle'>, room: { width: number; height: number }) {
  const left = Math.max(0, Math.round(x));
  const top = Math.max(0, Math.round(y));
  const right = Math.min(room.width, Math.round(x + width));
  const bottom = Math.min(room.height, Math.round(y + height));
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : null;
}

async function cut(raw: Raw, box: CropBox, isLossless: boolean): Promise<Crop | null> {
  const { pixels, width, height, channels } = raw;
  const open = () => sharp(pixels, { raw: { width, height, channels }, limitInputPixels: maxPixels });
  if (box.angle === 0) {
    const area = clip(box, raw);
    return area && encode(open().extract(area), isLossless);
  }
  return cutTurned(raw, box, isLossless);
}

/** The bounds of a turned box are cut first, turned back, and the box is cut from their middle. */
async function cutTurned(raw: Raw, box: CropBox, isLossless: boolean): Promise<Crop | null> {
  const { pixels, width, height, channels } = raw;
  const turn = (box.angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const reach = { width: box.width * cos + box.height * sin, height: box.width * sin + box.height * cos };
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const area = clip(
    {
      x: middle.x - reach.width / 2 - 1,
      y: middle.y - reach.height / 2 - 1,
      width: reach.width + 2,
      height: reach.height + 2,
    },
    raw,
  );
  if (!area) return null;
  const part = await sharp(pixels, { raw: { width, height, channels }, limitInputPixels: maxPixels })
    .extract(area)
    .raw()
    .toBuffer();
  const { data, info } = await sharp(part, { raw: { width: area.width, height: area.height, channels } })
    .rotate(-box.angle, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const away = { x: middle.x - (area.left + area.width / 2), y: middle.y - (area.top + area.height / 2) };
  const back = {
    x: info.width / 2 + away.x * Math.cos(-turn) - away.y * Math.sin(-turn),
    y: info.height / 2 + away.x * Math.sin(-turn) + away.y * Math.cos(-turn),
  };
  const inner = clip(
    { x: back.x - box.width / 2, y: back.y - box.height / 2, width: box.width, height: box.height },
    info,
  );
  const turned = sharp(data, {
    raw: { width: info.width, height: info.height, channels: info.channels as 3 },
    limitInputPixels: maxPixels,
  });
  return inner && encode(turned.extract(inner), isLossless);
}

async function encode(picture: Sharp, isLossless: boolean): Promise<Crop> {
  const encoded = isLossless
    ? picture.png()
    : picture.flatten().jpeg({ quality, chromaSubsampling: '4:4:4' });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return {
    bytes: data,
    contentType: isLossless ? 'image/png' : 'image/jpeg',
    width: info.width,
    height: info.height,
  };
}
