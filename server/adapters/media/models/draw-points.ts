import { heightColor } from '#shared/domain/models/height-ramp.ts';
import type { Model, ModelPart } from '#shared/domain/models/model.ts';
import type { Camera } from './camera.ts';
import { type Canvas, linearOf } from './canvas.ts';

/** Share of the picture that a cloud is taken to fill. */
const filledShare = 0.35;
const mostPixels = 0.012;

/** Draws points as squares, large enough that a cloud looks closed. */
export function drawPoints(
  canvas: Canvas,
  camera: Camera,
  { part, model, total }: { part: ModelPart; model: Model; total: number },
): void {
  const { positions, colors } = part;
  const { width, height } = canvas;
  const wanted = Math.sqrt((width * height * filledShare * 2.6) / Math.max(1, total));
  const side = Math.max(1, Math.min(Math.ceil(wanted), Math.ceil(width * mostPixels)));
  const upAxis = model.up === 'y' ? 1 : 2;
  const low = model.bounds?.min[upAxis] ?? 0;
  const tall = (model.bounds?.max[upAxis] ?? 0) - low || 1;
  const { right, up, away, focal, near } = camera;
  const pixel = { r: 0, g: 0, b: 0, alpha: 1 };
  for (let at = 0; at < positions.length; at += 3) {
    const x = positions[at]!;
    const y = positions[at + 1]!;
    const z = positions[at + 2]!;
    const depth = away[0]! * x + away[1]! * y + away[2]! * z + away[3]!;
    if (!(depth > near)) continue;
    const scale = focal / depth;
    const left = Math.round(
      width / 2 + (right[0]! * x + right[1]! * y + right[2]! * z + right[3]!) * scale - side / 2,
    );
    const top = Math.round(height / 2 - (up[0]! * x + up[1]! * y + up[2]! * z + up[3]!) * scale - side / 2);
    const nearness = 1 / depth;
    if (colors) {
      const color = (at / 3) * 4;
      pixel.r = linearOf[colors[color]!]!;
      pixel.g = linearOf[colors[color + 1]!]!;
      pixel.b = linearOf[colors[color + 2]!]!;
    } else {
      const [r, g, b] = heightColor((positions[at + upAxis]! - low) / tall);
      pixel.r = linearOf[r]!;
      pixel.g = linearOf[g]!;
      pixel.b = linearOf[b]!;
    }
    for (let row = Math.max(0, top); row < Math.min(height, top + side); row++)
      for (let column = Math.max(0, left); column < Math.min(width, left + side); column++) {
        const place = row * width + column;
        if (nearness > canvas.nearness[place]!) canvas.put(place, nearness, pixel);
      }
  }
}

const reach = 2;
const strength = 5;

/** Darkens what lies behind its neighbours, which gives clouds without normals their shape (eye-dome lighting, Boucheny 2009). */
export function shadeByDepth(canvas: Canvas): void {
  const { width, height, nearness, light } = canvas;
  const shade = new Float32Array(width * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const own = nearness[at]!;
      if (own === 0) continue;
      const depth = Math.log2(own);
      let sum = 0;
      for (const [dx, dy] of [
        [-reach, 0],
        [reach, 0],
        [0, -reach],
        [0, reach],
      ] as const) {
        const [x, y] = [column + dx, row + dy];
        const other = x < 0 || y < 0 || x >= width || y >= height ? 0 : nearness[y * width + x]!;
        if (other > 0) sum += Math.max(0, Math.log2(other) - depth);
      }
      shade[at] = Math.exp(-sum * strength);
    }
  for (let at = 0; at < shade.length; at++)
    if (nearness[at]! > 0)
      for (let channel = 0; channel < 3; channel++) light[at * 3 + channel]! *= shade[at]!;
}
