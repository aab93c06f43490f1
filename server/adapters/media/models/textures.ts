import sharp from 'sharp';
import type { ModelImage, Wrap } from '#shared/domain/models/model.ts';

const maxTextures = 48;
const sidePixels = 512;
const maxPixels = 100_000_000;

/** A decoded picture that is laid on triangles. */
export class Texture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;

  constructor(pixels: Uint8Array, { width, height }: { width: number; height: number }) {
    this.pixels = pixels;
    this.width = width;
    this.height = height;
  }

  /** Where the pixel of a coordinate begins; v goes down, as in glTF. */
  pixelAt(u: number, v: number, wrap: readonly [Wrap, Wrap]): number {
    const x = Math.min(this.width - 1, Math.floor(wrapped(u, wrap[0]) * this.width));
    const y = Math.min(this.height - 1, Math.floor(wrapped(v, wrap[1]) * this.height));
    return (y * this.width + x) * 4;
  }
}

function wrapped(value: number, wrap: Wrap): number {
  if (!Number.isFinite(value)) return 0;
  if (wrap === 'clamp') return Math.max(0, Math.min(1, value));
  const whole = Math.floor(value);
  const part = value - whole;
  return wrap === 'mirror' && whole % 2 !== 0 ? 1 - part : part;
}

/** Decodes the pictures of a model, small; null for those that cannot be. */
export async function openTextures(
  images: readonly ModelImage[],
  signal: AbortSignal,
): Promise<(Texture | null)[]> {
  const textures: (Texture | null)[] = [];
  for (const { bytes } of images.slice(0, maxTextures)) {
    signal.throwIfAborted();
    textures.push(await openTexture(bytes));
  }
  return textures;
}

async function openTexture(bytes: Uint8Array): Promise<Texture | null> {
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'none', pages: 1 })
      .timeout({ seconds: 4 })
      .resize(sidePixels, sidePixels, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return info.channels === 4 ? new Texture(data, info) : null;
  } catch {
    return null;
  }
}
