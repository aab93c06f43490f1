/** A picture under way: linear colours, how near each pixel is, and how much of it is covered. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  /** Linear red, green, blue. */
  readonly light: Float32Array;
  readonly cover: Float32Array;
  /** 1 / distance of what is seen; 0 where nothing is. */
  readonly nearness: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.light = new Float32Array(width * height * 3);
    this.cover = new Float32Array(width * height);
    this.nearness = new Float32Array(width * height);
  }

  /** Sets a pixel that is nearer than what was there; `alpha` below 1 lets that shine through. */
  put(
    at: number,
    nearness: number,
    { r, g, b, alpha }: { r: number; g: number; b: number; alpha: number },
  ): void {
    const rest = this.cover[at]! * (1 - alpha);
    this.light[at * 3] = r * alpha + this.light[at * 3]! * rest;
    this.light[at * 3 + 1] = g * alpha + this.light[at * 3 + 1]! * rest;
    this.light[at * 3 + 2] = b * alpha + this.light[at * 3 + 2]! * rest;
    this.cover[at] = alpha + rest;
    if (alpha > 0.5) this.nearness[at] = nearness;
  }
}

/** sRGB bytes as linear light. */
export const linearOf = Float32Array.from({ length: 256 }, (_none, byte) => {
  const value = byte / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

const steps = 4096;
const srgbSteps = Uint8Array.from({ length: steps + 1 }, (_none, at) => {
  const linear = at / steps;
  return Math.round(255 * (linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
});

export const srgbOf = (linear: number): number =>
  srgbSteps[linear >= 1 ? steps : linear > 0 ? Math.round(linear * steps) : 0]!;
