import type { Bounds, Model, Vector3 } from './model.ts';

/** How a model is looked at, whatever its size: several stages can share it. */
export interface Orbit {
  /** Around the axis that points up, in radians; 0 looks at the front. */
  yaw: number;
  /** From −π/2 (from below) to π/2 (from above). */
  pitch: number;
  /** 1: the whole model fits; 2: twice as large. */
  zoom: number;
  /** What is looked at, from the middle of the model, in its radii; y is up. */
  target: Vector3;
}

export const startOrbit: Orbit = { yaw: 0.62, pitch: 0.42, zoom: 1, target: [0, 0, 0] };

/** Of the camera, from top to bottom. */
export const fieldOfView = (36 * Math.PI) / 180;

/** The ball around a model, in display space, where y is up. */
export interface Ball {
  center: Vector3;
  radius: number;
}

/** A place of the model in display space. */
export const toDisplay = (up: Model['up'], [x, y, z]: Readonly<Vector3>): Vector3 =>
  up === 'y' ? [x, y, z] : [x, z, -y];

/** The axes of the camera: to the right, up, and back to it. */
export function orbitAxes({ yaw, pitch }: Pick<Orbit, 'yaw' | 'pitch'>): {
  right: Vector3;
  up: Vector3;
  back: Vector3;
} {
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  return { right: [cy, 0, -sy], up: [-sy * sp, cp, -cy * sp], back: [sy * cp, sp, cy * cp] };
}

/** Around a model that fits, in its radii. */
const room = 0.05;

/** How far the camera stands from what it looks at, in radii. */
export const orbitDistance = ({ zoom }: Pick<Orbit, 'zoom'>): number =>
  (1 + room) / Math.sin(fieldOfView / 2) / zoom;

const maxSampled = 30_000;
/** Of clouds: stray points count for nothing. */
const strayShare = 0.01;

/** The ball that holds a model: all of a mesh, a cloud but for its stray points. */
export function ballOf({ parts, up, bounds }: Pick<Model, 'parts' | 'up' | 'bounds'>): Ball {
  const points = samplePlaces(parts, up);
  const isCloud = parts.every(({ kind }) => kind === 'points');
  const count = points.length / 3;
  const axis = (at: number): Float64Array =>
    Float64Array.from({ length: count }, (_none, index) => points[index * 3 + at]!).sort();
  const stray = isCloud ? Math.floor(count * strayShare) : 0;
  const center = [0, 1, 2].map((at) => {
    const sorted = axis(at);
    return count === 0 ? 0 : (sorted[stray]! + sorted[count - 1 - stray]!) / 2;
  }) as Vector3;
  const distances = Float64Array.from({ length: count }, (_none, at) =>
    Math.hypot(points[at * 3]! - center[0], points[at * 3 + 1]! - center[1], points[at * 3 + 2]! - center[2]),
  ).sort();
  const radius = distances[Math.max(0, count - 1 - 2 * stray)] ?? 0;
  return { center, radius: radius > 0 && Number.isFinite(radius) ? radius : radiusOf(bounds) };
}

const radiusOf = (bounds: Bounds | null): number => {
  if (!bounds) return 1;
  const half = Math.hypot(...bounds.max.map((to, axis) => to - bounds.min[axis]!)) / 2;
  return half > 0 && Number.isFinite(half) ? half : 1;
};

/** Places of the parts, evenly chosen, in display space. */
export function samplePlaces(parts: Model['parts'], up: Model['up']): Float32Array {
  const total = parts.reduce((sum, part) => sum + cornersOf(part), 0);
  const step = Math.max(1, Math.ceil(total / maxSampled));
  const found: number[] = [];
  for (const part of parts) {
    const { positions, indices } = part;
    for (let at = 0; at < cornersOf(part); at += step) {
      const vertex = (indices?.[at] ?? at) * 3;
      const place: Vector3 = [positions[vertex]!, positions[vertex + 1]!, positions[vertex + 2]!];
      if (place.every(Number.isFinite)) found.push(...toDisplay(up, place));
    }
  }
  return Float32Array.from(found);
}

const cornersOf = ({ positions, indices }: Model['parts'][number]): number =>
  indices?.length ?? positions.length / 3;
