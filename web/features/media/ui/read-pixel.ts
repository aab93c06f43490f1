import type { Point, Size } from '#shared/domain/annotations/shape.ts';

/** One pixel of a picture. */
export interface Pixel {
  x: number;
  y: number;
  /** Red, green, blue, alpha: 0 to 255; null where the browser does not tell. */
  rgba: [number, number, number, number] | null;
}

let probe: CanvasRenderingContext2D | null = null;

/** The pixel of a shown picture at a place; null outside of it. */
export function readPixel(image: HTMLImageElement, { x, y }: Point, { width, height }: Size): Pixel | null {
  const at = { x: Math.floor(x), y: Math.floor(y) };
  if (at.x < 0 || at.y < 0 || at.x >= width || at.y >= height) return null;
  probe ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  if (!probe) return { ...at, rgba: null };
  const share = image.naturalWidth / width;
  try {
    probe.clearRect(0, 0, 1, 1);
    probe.imageSmoothingEnabled = false;
    probe.drawImage(image, at.x * share, at.y * share, 1, 1, 0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = probe.getImageData(0, 0, 1, 1).data;
    return { ...at, rgba: [red, green, blue, alpha] };
  } catch {
    return { ...at, rgba: null };
  }
}
