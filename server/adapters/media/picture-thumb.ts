import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError } from '#shared/api/problem.ts';
import { isSequentialJpeg } from './jpeg-head.ts';
import { openPicture } from './open-picture.ts';

export interface Thumb {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** What a decoded picture may hold at most; a bomb of 40,000 × 40,000 pixels is refused by its header. */
export const maxPixels = 400_000_000;
/** What of a picture may have to be in memory at once where its format cannot be decoded line by line. */
const maxWholeBytes = 600_000_000;
export const timeoutSeconds = 12;
const quality = 82;

sharp.cache({ memory: 64, items: 64, files: 0 });
sharp.concurrency(1);

/** Scales a picture to at most `size` pixels on its longer side: upright by EXIF, in sRGB, alpha kept, first frame. */
export async function makePictureThumb(input: Uint8Array | string, size: number): Promise<Thumb> {
  try {
    const picture = await openChecked(input, size);
    const { data, info } = await picture
      .timeout({ seconds: timeoutSeconds })
      .rotate()
      .resize(size, size, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality, effort: 3 })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch (error) {
    throw describePictureFailure(error);
  }
}

/** A plain photograph needs no look at its header ahead of decoding, which has its own limit of pixels. */
async function openChecked(input: Uint8Array | string, size: number): Promise<Sharp> {
  const isPlain = typeof input !== 'string' && isSequentialJpeg(input);
  if (isPlain) return sharp(input, { limitInputPixels: maxPixels, failOn: 'error' });
  const { picture, metadata } = await openPicture(input, { maxPixels, failOn: 'error', wantedPx: size });
  assertFits(metadata);
  return picture;
}

const sampleBytes: Record<string, number> = { ushort: 2, short: 2, uint: 4, int: 4, float: 4, double: 8 };

/** Bytes that are in memory at once while a picture is decoded; 0 where that goes line by line. */
export function estimateWholeBytes({
  format,
  width,
  height,
  channels,
  depth,
  isProgressive,
  orientation,
}: Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive' | 'orientation'
>): number {
  const samples = width * height * channels;
  switch (format) {
    case 'svg':
    case 'raw':
      return 0;
    case 'jpeg':
      return isProgressive ? samples * 2 : 0;
    case 'png':
      return isProgressive || (orientation ?? 1) > 1 ? samples * (sampleBytes[depth ?? ''] ?? 1) : 0;
    default:
      return Math.max(samples * (sampleBytes[depth ?? ''] ?? 1), width * height * 4);
  }
}

function assertFits(metadata: Metadata): void {
  if (estimateWholeBytes(metadata) <= maxWholeBytes) return;
  const { width, height, format } = metadata;
  throw new AppError({
    code: 'UNSUPPORTED_MEDIA',
    message: `The picture of ${width} × ${height} pixels would have to be decoded in one piece, as its ${format} is coded.`,
    hint: 'Download it to look at it in a program made for pictures of that size.',
  });
}

/** Turns raw RGBA pixels into a thumb. */
export async function makeRawThumb(
  pixels: Uint8Array,
  { width, height, size, rotation }: { width: number; height: number; size: number; rotation: number },
): Promise<Thumb> {
  const { data, info } = await sharp(pixels, {
    raw: { width, height, channels: 4 },
    limitInputPixels: maxPixels,
  })
    .rotate(rotation)
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .webp({ quality, effort: 3 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** Why a picture cannot be decoded, in words for people. */
export function describePictureFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  if (/pixel limit/i.test(text))
    return new AppError({
      code: 'UNSUPPORTED_MEDIA',
      message: `The picture has more than ${maxPixels / 1e6} million pixels.`,
      hint: 'Download it to look at it in a program made for pictures of that size.',
    });
  if (/timeout/i.test(text))
    return new AppError({
      code: 'TIMEOUT',
      message: `The picture took longer than ${timeoutSeconds} s to decode.`,
      hint: 'Download it to look at it elsewhere.',
    });
  if (/unsupported image format|unsupported codec|compression format/i.test(text))
    return new AppError({
      code: 'UNSUPPORTED_MEDIA',
      message: 'The picture is in a format that Curio cannot decode.',
      hint: 'Download it to look at it elsewhere.',
    });
  return new AppError({
    code: 'INVALID_FILE',
    message: `The picture cannot be decoded: ${text || 'its bytes are not a whole picture'}.`,
    hint: 'Download it, or look at the row’s source.',
  });
}
