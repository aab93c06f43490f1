import sharp from 'sharp';
import { isAppError } from '#shared/api/problem.ts';
import { brokenModel, type Model, type ModelLimits, type ModelType } from '#shared/domain/models/model.ts';
import { readModel } from '#shared/domain/models/read-model.ts';
import type { Thumb } from '../picture-thumb.ts';
import { fitCamera } from './camera.ts';
import { Canvas, srgbOf } from './canvas.ts';
import { drawPoints, shadeByDepth } from './draw-points.ts';
import { drawTriangles } from './draw-triangles.ts';
import { openTextures } from './textures.ts';

/** What of a model is drawn in a thumb. */
export const thumbLimits: ModelLimits = { maxPoints: 800_000, maxFaces: 4_000_000 };

const quality = 84;
/** Drawn larger than it is shown, for smooth edges. */
const oversize = 2;
const maxPixels = 1536;
/** A picture of a point cloud or mesh from above and aside, without a GPU. */
export async function makeModelThumb(
  bytes: Uint8Array,
  { contentType, size }: { contentType: ModelType; size: number },
  signal: AbortSignal,
): Promise<Thumb> {
  const model = readHostile(bytes, contentType, thumbLimits);
  signal.throwIfAborted();
  const pixels = Math.min(size * oversize, maxPixels);
  const canvas = await drawModel(model, pixels, signal);
  const { data, info } = await sharp(toPixels(canvas), {
    raw: { width: pixels, height: pixels, channels: 4 },
  })
    .resize(Math.min(size, pixels), Math.min(size, pixels))
    .webp({ quality, effort: 3 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** Reads a file of strangers: what goes wrong in an unforeseen way is a damaged file, too. */
export function readHostile(bytes: Uint8Array, contentType: ModelType, limits: ModelLimits): Model {
  try {
    return readModel(bytes, contentType, limits);
  } catch (error) {
    if (isAppError(error)) throw error;
    throw brokenModel('The file is damaged: what it names cannot be read.');
  }
}

/** Draws parts that hide what is behind them first, then those that let it shine through. */
async function drawModel(model: Model, pixels: number, signal: AbortSignal): Promise<Canvas> {
  const canvas = new Canvas(pixels, pixels);
  const camera = fitCamera(model, pixels);
  const textures = await openTextures(model.images, signal);
  const total = model.shown.points;
  const placed = model.parts.map((part) => ({
    part,
    material: part.material === null ? null : (model.materials[part.material] ?? null),
  }));
  const isClear = ({ material }: (typeof placed)[number]) => material?.alphaMode === 'blend';
  for (const { part, material } of [...placed.filter((one) => !isClear(one)), ...placed.filter(isClear)]) {
    signal.throwIfAborted();
    if (part.kind === 'points') drawPoints(canvas, camera, { part, model, total });
    else {
      const image = material?.image ?? null;
      drawTriangles(canvas, camera, {
        part,
        material,
        texture: image === null ? null : (textures[image] ?? null),
      });
    }
  }
  if (model.parts.every(({ kind }) => kind === 'points')) shadeByDepth(canvas);
  return canvas;
}

function toPixels({ light, cover }: Canvas): Uint8Array {
  const pixels = new Uint8Array(cover.length * 4);
  for (let at = 0; at < cover.length; at++) {
    const alpha = cover[at]!;
    if (alpha === 0) continue;
    for (let channel = 0; channel < 3; channel++)
      pixels[at * 4 + channel] = srgbOf(light[at * 3 + channel]! / alpha);
    pixels[at * 4 + 3] = Math.round(alpha * 255);
  }
  return pixels;
}
