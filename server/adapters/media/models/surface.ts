import type { ModelMaterial, ModelPart } from '#shared/domain/models/model.ts';
import { linearOf } from './canvas.ts';
import type { Texture } from './textures.ts';

/** Light of a surface before shading; red, green and blue are linear. */
export interface Surface {
  r: number;
  g: number;
  b: number;
  alpha: number;
}

const plain = linearOf[186]!;

/** Colour of a point of a triangle, from material, texture and the colours of its corners by their shares. */
export function surfaceOf(
  part: ModelPart,
  material: ModelMaterial | null,
  texture: Texture | null,
): (
  into: Surface,
  corners: readonly [number, number, number],
  shares: readonly [number, number, number],
) => void {
  const [baseR, baseG, baseB, baseA] =
    material?.baseColor ?? (part.colors ? [1, 1, 1, 1] : [plain, plain, plain, 1]);
  const { colors, uvs } = part;
  return (into, corners, shares) => {
    into.r = baseR;
    into.g = baseG;
    into.b = baseB;
    into.alpha = baseA;
    if (colors) {
      let [r, g, b, a] = [0, 0, 0, 0];
      for (let at = 0; at < 3; at++) {
        const color = corners[at]! * 4;
        r += linearOf[colors[color]!]! * shares[at]!;
        g += linearOf[colors[color + 1]!]! * shares[at]!;
        b += linearOf[colors[color + 2]!]! * shares[at]!;
        a += (colors[color + 3]! / 255) * shares[at]!;
      }
      into.r *= r;
      into.g *= g;
      into.b *= b;
      into.alpha *= a;
    }
    if (uvs && texture && material) {
      let [u, v] = [0, 0];
      for (let at = 0; at < 3; at++) {
        u += uvs[corners[at]! * 2]! * shares[at]!;
        v += uvs[corners[at]! * 2 + 1]! * shares[at]!;
      }
      const pixel = texture.pixelAt(u, v, material.wrap);
      into.r *= linearOf[texture.pixels[pixel]!]!;
      into.g *= linearOf[texture.pixels[pixel + 1]!]!;
      into.b *= linearOf[texture.pixels[pixel + 2]!]!;
      into.alpha *= texture.pixels[pixel + 3]! / 255;
    }
    if (!material || material.alphaMode === 'opaque') into.alpha = 1;
    else if (material.alphaMode === 'mask') into.alpha = into.alpha >= material.alphaCutoff ? 1 : 0;
  };
}
