import sharp from 'sharp';
import { AppError } from '#shared/api/problem.ts';

export interface Thumb {
  bytes: Uint8Array;
  width: number;
  height: number;
}

/** What a decoded picture may hold at most; a bomb of 40,000 × 40,000 pixels is refused by its header. */
export const maxPixels = 400_000_000;
export const timeoutSeconds = 12;
const quality = 82;

sharp.cache({ memory: 64, items: 64, files: 0 });
sharp.concurrency(1);

/** Scales a picture to at most `size` pixels on its longer side: upright by EXIF, in sRGB, alpha kept, first frame. */
export async function makePictureThumb(bytes: Uint8Array, size: number): Promise<Thumb> {
  try {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: maxPixels,
      failOn: 'error',
      pages: 1,
      density: 96,
    })
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
