/** How often each of 256 values is in a picture, per channel and for its brightness. */
export interface Histogram {
  red: Uint32Array;
  green: Uint32Array;
  blue: Uint32Array;
  light: Uint32Array;
  /** Pixels that were counted; transparent ones are not. */
  pixels: number;
  /** Shares of pixels at the ends of the scale. */
  dark: number;
  bright: number;
}

/** Counts RGBA pixels; brightness by Rec. 709. */
export function countPixels(rgba: Uint8ClampedArray | Uint8Array): Histogram {
  const [red, green, blue, light] = Array.from({ length: 4 }, () => new Uint32Array(256)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  let pixels = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at + 3] === 0) continue;
    const [r = 0, g = 0, b = 0] = [rgba[at], rgba[at + 1], rgba[at + 2]];
    red[r]!++;
    green[g]!++;
    blue[b]!++;
    light[Math.min(255, Math.round(0.2126 * r + 0.7152 * g + 0.0722 * b))]!++;
    pixels++;
  }
  const share = (count: number) => (pixels === 0 ? 0 : count / pixels);
  return { red, green, blue, light, pixels, dark: share(light[0]!), bright: share(light[255]!) };
}

/** An area under the counts in a box of 256 × `height`, on a scale by square roots so that small counts are seen. */
export function histogramPath(counts: Uint32Array, height: number, most: number): string {
  if (most === 0) return '';
  const top = Math.sqrt(most);
  const points = Array.from(
    counts,
    (count, at) => `L${at} ${(height - (Math.sqrt(count) / top) * height).toFixed(1)}`,
  );
  return `M0 ${height}${points.join('')}L255 ${height}Z`;
}
