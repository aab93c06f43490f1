import { AppError } from '#shared/api/problem.ts';
import { decodeSound } from './decode-sound.ts';
import { makePictureThumb, type Thumb } from './picture-thumb.ts';

const barWidth = 3;
const gap = 1;

/** Loudest sample per slice of time, over all channels, 0 to 1. */
export function planPeaks(channels: readonly Float32Array[], slices: number): number[] {
  const length = channels[0]?.length ?? 0;
  return Array.from({ length: slices }, (_none, slice) => {
    const from = Math.floor((slice * length) / slices);
    const to = Math.max(from + 1, Math.floor(((slice + 1) * length) / slices));
    let peak = 0;
    for (const channel of channels) {
      for (let i = from; i < to && i < length; i++) peak = Math.max(peak, Math.abs(channel[i] ?? 0));
    }
    return Math.min(1, peak);
  });
}

/** Draws a sound as bars in a grey that reads on light and on dark grounds. */
export async function makeWaveform(bytes: Uint8Array, contentType: string, size: number): Promise<Thumb> {
  let channels: readonly Float32Array[];
  try {
    channels = await decodeSound(bytes, contentType);
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
  const bars = planPeaks(channels, Math.floor(size / (barWidth + gap))).map((peak, index) => {
    const tall = Math.max(1, peak * (height - 4));
    return `<rect x="${index * (barWidth + gap)}" y="${(height - tall) / 2}" width="${barWidth}" height="${tall}" rx="1"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${height}"><g fill="#7c828a">${bars.join('')}</g></svg>`;
  return makePictureThumb(Buffer.from(drawing), size);
}
