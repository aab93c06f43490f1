import type { Size } from '../model/pixels.ts';

/** A picture that can be drawn. */
export async function loadPicture(src: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = src;
  await picture.decode();
  return picture;
}

export const sizeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement): Size => ({
  width: naturalWidth,
  height: naturalHeight,
});

/** Its pixels as RGBA at a size. Smoothed, unless each colour has a meaning, as in a mask. */
export function pixelsOf(
  picture: HTMLImageElement,
  { width, height }: Size,
  isSmooth = true,
): Uint8ClampedArray {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.imageSmoothingEnabled = isSmooth;
  context.drawImage(picture, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}
