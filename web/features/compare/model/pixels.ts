export interface PixelDifference {
  /** Of the pixels, 0 to 1. */
  changedShare: number;
  /** The largest difference of a channel, 0 to 255. */
  largest: number;
}

/** Differences below it are what lossy codecs make of the same picture. */
export const noiseThreshold = 12;

/**
 * Compares two RGBA pictures of one size. Writes to `out` where they differ: the more, the brighter; what is the same
 * stays as a dim grey picture to find one's way by.
 */
export function diffPixels(
  before: Uint8ClampedArray,
  after: Uint8ClampedArray,
  out: Uint8ClampedArray,
): PixelDifference {
  const pixels = Math.min(before.length, after.length, out.length) / 4;
  let changed = 0;
  let largest = 0;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const at = pixel * 4;
    let difference = 0;
    for (let channel = 0; channel < 4; channel += 1) {
      difference = Math.max(difference, Math.abs((before[at + channel] ?? 0) - (after[at + channel] ?? 0)));
    }
    largest = Math.max(largest, difference);
    const grey =
      ((after[at] ?? 0) * 0.3 + (after[at + 1] ?? 0) * 0.59 + (after[at + 2] ?? 0) * 0.11) * 0.25 + 20;
    if (difference > noiseThreshold) {
      changed += 1;
      const strength = Math.min(1, 0.35 + difference / 128);
      out[at] = 255 * strength;
      out[at + 1] = 60 * strength;
      out[at + 2] = 200 * strength;
    } else {
      out[at] = grey;
      out[at + 1] = grey;
      out[at + 2] = grey;
    }
    out[at + 3] = 255;
  }
  return { changedShare: pixels === 0 ? 0 : changed / pixels, largest };
}

export interface Size {
  width: number;
  height: number;
}

/** The size at which two pictures are compared: the larger of both, within a limit of pixels. */
export function commonSize(a: Size, b: Size, maxPixels = 1_500_000): Size {
  const width = Math.max(a.width, b.width, 1);
  const height = Math.max(a.height, b.height, 1);
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

/** What is seen of a picture: its scale, and how far its middle is from the middle of the frame, in shares of the frame. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export const wholePicture: Zoom = { scale: 1, x: 0, y: 0 };

const maxScale = 16;

const withinFrame = ({ scale, x, y }: Zoom): Zoom => {
  const reach = (scale - 1) / 2;
  const clamp = (offset: number) => Math.max(-reach, Math.min(reach, offset));
  return { scale, x: clamp(x), y: clamp(y) };
};

/** Zooms by a factor so that the point (shares of the frame from its middle) stays where it is. */
export function zoomAt(zoom: Zoom, factor: number, point: { x: number; y: number }): Zoom {
  const scale = Math.max(1, Math.min(maxScale, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  return withinFrame({
    scale,
    x: point.x - (point.x - zoom.x) * ratio,
    y: point.y - (point.y - zoom.y) * ratio,
  });
}

/** Moves the picture by shares of the frame, as far as it fills it. */
export const panBy = (zoom: Zoom, dx: number, dy: number): Zoom =>
  withinFrame({ ...zoom, x: zoom.x + dx, y: zoom.y + dy });
