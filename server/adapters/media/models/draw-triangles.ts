import type { ModelMaterial, ModelPart } from '#shared/domain/models/model.ts';
import type { Camera } from './camera.ts';
import type { Canvas } from './canvas.ts';
import { type Surface, surfaceOf } from './surface.ts';
import type { Texture } from './textures.ts';

/** To the light: from the left, above and before, in the axes of the camera. */
const light = [-0.42, 0.58, 0.7] as const;
const ambient = 0.3;
const direct = 0.78;

interface Corner {
  vertex: number;
  x: number;
  y: number;
  /** 1 / distance. */
  w: number;
  /** Before the camera. */
  px: number;
  py: number;
  pz: number;
}

const newCorner = (): Corner => ({ vertex: 0, x: 0, y: 0, w: 0, px: 0, py: 0, pz: 0 });

/** Draws the triangles of a part, nearest first kept, both sides lit (Lambert). */
export function drawTriangles(
  canvas: Canvas,
  camera: Camera,
  { part, material, texture }: { part: ModelPart; material: ModelMaterial | null; texture: Texture | null },
): void {
  const { positions, normals, indices } = part;
  const { width, height, nearness } = canvas;
  const { right, up, away, focal, near } = camera;
  const count = indices?.length ?? positions.length / 3;
  const paint = surfaceOf(part, material, texture);
  const [a, b, c] = [newCorner(), newCorner(), newCorner()];
  const corners = [a, b, c] as const;
  const surface: Surface = { r: 0, g: 0, b: 0, alpha: 1 };
  const vertices: [number, number, number] = [0, 0, 0];
  const shares: [number, number, number] = [0, 0, 0];
  const isUnlit = material?.isUnlit === true;

  const place = (corner: Corner, vertex: number): boolean => {
    const x = positions[vertex * 3]!;
    const y = positions[vertex * 3 + 1]!;
    const z = positions[vertex * 3 + 2]!;
    const depth = away[0]! * x + away[1]! * y + away[2]! * z + away[3]!;
    corner.vertex = vertex;
    corner.px = right[0]! * x + right[1]! * y + right[2]! * z + right[3]!;
    corner.py = up[0]! * x + up[1]! * y + up[2]! * z + up[3]!;
    corner.pz = -depth;
    corner.w = 1 / depth;
    corner.x = width / 2 + corner.px * focal * corner.w;
    corner.y = height / 2 - corner.py * focal * corner.w;
    return depth > near;
  };

  for (let at = 0; at + 2 < count; at += 3) {
    let isBefore = true;
    for (let corner = 0; corner < 3; corner++) {
      vertices[corner] = indices?.[at + corner] ?? at + corner;
      if (!place(corners[corner]!, vertices[corner]!)) isBefore = false;
    }
    if (!isBefore) continue;
    const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (!(Math.abs(area) > 1e-9)) continue;
    const top = Math.max(0, Math.ceil(Math.min(a.y, b.y, c.y) - 0.5));
    const bottom = Math.min(height - 1, Math.floor(Math.max(a.y, b.y, c.y) - 0.5));
    const left = Math.max(0, Math.ceil(Math.min(a.x, b.x, c.x) - 0.5));
    const last = Math.min(width - 1, Math.floor(Math.max(a.x, b.x, c.x) - 0.5));
    if (top > bottom || left > last) continue;
    const [fx, fy, fz] = faceNormal(a, b, c);
    const flat = isUnlit ? 1 : lit(fx, fy, fz);
    for (let row = top; row <= bottom; row++) {
      const y = row + 0.5;
      for (let column = left; column <= last; column++) {
        const x = column + 0.5;
        const sa = ((b.x - x) * (c.y - y) - (c.x - x) * (b.y - y)) / area;
        const sb = ((c.x - x) * (a.y - y) - (a.x - x) * (c.y - y)) / area;
        const sc = 1 - sa - sb;
        if (sa < 0 || sb < 0 || sc < 0) continue;
        const w = sa * a.w + sb * b.w + sc * c.w;
        const pixel = row * width + column;
        if (w <= nearness[pixel]!) continue;
        shares[0] = (sa * a.w) / w;
        shares[1] = (sb * b.w) / w;
        shares[2] = (sc * c.w) / w;
        paint(surface, vertices, shares);
        if (surface.alpha <= 0) continue;
        const shine = isUnlit || !normals ? flat : smooth(normals, vertices, shares, camera, flat);
        surface.r *= shine;
        surface.g *= shine;
        surface.b *= shine;
        if (material) {
          surface.r += material.emissive[0];
          surface.g += material.emissive[1];
          surface.b += material.emissive[2];
        }
        canvas.put(pixel, w, surface);
      }
    }
  }
}

function faceNormal(a: Corner, b: Corner, c: Corner): [number, number, number] {
  const [ux, uy, uz] = [b.px - a.px, b.py - a.py, b.pz - a.pz];
  const [vx, vy, vz] = [c.px - a.px, c.py - a.py, c.pz - a.pz];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Light of a side that faces the camera; a normal that looks away is that of the other side. */
function lit(x: number, y: number, z: number): number {
  const length = Math.hypot(x, y, z);
  if (!(length > 0)) return ambient + direct * 0.5;
  const sign = z < 0 ? -1 : 1;
  const cosine = ((x * light[0] + y * light[1] + z * light[2]) * sign) / length;
  const sky = 0.5 + (0.5 * y * sign) / length;
  return ambient * (0.7 + 0.6 * sky) + direct * Math.max(0, cosine);
}

function smooth(
  normals: Float32Array,
  vertices: readonly number[],
  shares: readonly number[],
  { right, up, away }: Camera,
  flat: number,
): number {
  let [x, y, z] = [0, 0, 0];
  for (let at = 0; at < 3; at++) {
    const start = vertices[at]! * 3;
    x += normals[start]! * shares[at]!;
    y += normals[start + 1]! * shares[at]!;
    z += normals[start + 2]! * shares[at]!;
  }
  const length = Math.hypot(x, y, z);
  if (!(length > 1e-6) || !Number.isFinite(length)) return flat;
  return lit(
    right[0]! * x + right[1]! * y + right[2]! * z,
    up[0]! * x + up[1]! * y + up[2]! * z,
    -(away[0]! * x + away[1]! * y + away[2]! * z),
  );
}
