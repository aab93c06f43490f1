import { AppError } from '#shared/api/problem.ts';
import { measurePeaks } from './measure-peaks.ts';
import type { MediaValue } from './media-value.ts';
import { makePictureThumb, type Thumb } from './picture-thumb.ts';

const barWidth = 3;
const gap = 1;

/** Draws a sound as bars in a grey that reads on light and on dark grounds. */
export async function makeWaveform(value: MediaValue, contentType: string, size: number): Promise<Thumb> {
  let peaks: number[];
  try {
    peaks = await measurePeaks(value, contentType, Math.floor(size / (barWidth + gap)));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError({
      code: 'INVALID_FILE',
      message: 'The sound cannot be decoded.',
      hint: 'Download it to listen to it elsewhere.',
      cause: error,
    });
  }
  const height = Math.max(16, Math.round(size / 2));
  const bars = peaks.map((peak, index) => {
    const tall = Math.max(1, peak * (height - 4));
    return `<rect x="${index * (barWidth + gap)}" y="${(height - tall) / 2}" width="${barWidth}" height="${tall}" rx="1"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${height}"><g fill="#7c828a">${bars.join('')}</g></svg>`;
  return makePictureThumb(Buffer.from(drawing), size);
}
