import type { Model, Vector3 } from '#shared/domain/models/model.ts';
import { ballOf, fieldOfView, orbitAxes, samplePlaces, startOrbit } from '#shared/domain/models/orbit.ts';

/** Rows of the matrix that brings places of the model before the camera: right, up, and how far away. */
export interface Camera {
  right: readonly number[];
  up: readonly number[];
  away: readonly number[];
  /** Pixels of a thing of size 1 at distance 1. */
  focal: number;
  /** Nothing nearer is seen. */
  near: number;
}

/** What stays free at each side. */
const margin = 0.04;
/** So far beyond the picture a stray point may lie and not be fitted. */
const strayShare = 0.004;

/** A camera that looks from above and aside, as near as all of the model is in the picture. */
export function fitCamera(model: Pick<Model, 'parts' | 'up' | 'bounds'>, pixels: number): Camera {
  const { right, up, back } = orbitAxes(startOrbit);
  const slope = Math.tan(fieldOfView / 2) * (1 - 2 * margin);
  const places = samplePlaces(model.parts, model.up);
  let { center } = ballOf(model);
  const { radius } = ballOf(model);
  const isCloud = model.parts.every(({ kind }) => kind === 'points');
  let distance = radius / Math.sin(fieldOfView / 2);
  for (let round = 0; round < 3; round++) {
    const seen = measure(places, { center, right, up, back, distance, slope, isCloud });
    distance = Math.max(seen.distance, radius * 0.05);
    center = center.map((at, axis) => at + right[axis]! * seen.dx + up[axis]! * seen.dy) as Vector3;
  }
  const row = (axis: Vector3, sign: number, offset: number): number[] => {
    const [x, y, z] = modelAxis(model.up, axis);
    const middle = axis[0] * center[0] + axis[1] * center[1] + axis[2] * center[2];
    return [x * sign, y * sign, z * sign, -middle * sign + offset];
  };
  return {
    right: row(right, 1, 0),
    up: row(up, 1, 0),
    away: row(back, -1, distance),
    focal: pixels / 2 / Math.tan(fieldOfView / 2),
    near: distance * 0.02,
  };
}

/** A direction of display space in the model's own axes. */
const modelAxis = (up: Model['up'], [x, y, z]: Vector3): Vector3 => (up === 'y' ? [x, y, z] : [x, -z, y]);

interface Measured {
  distance: number;
  dx: number;
  dy: number;
}

function measure(
  places: Float32Array,
  {
    center,
    right,
    up,
    back,
    distance: before,
    slope,
    isCloud,
  }: {
    center: Vector3;
    right: Vector3;
    up: Vector3;
    back: Vector3;
    distance: number;
    slope: number;
    isCloud: boolean;
  },
): Measured {
  const count = places.length / 3;
  const needed = new Float64Array(count);
  const [sides, heights] = [new Float64Array(count), new Float64Array(count)];
  const along = (axis: Vector3, at: number) =>
    axis[0] * (places[at * 3]! - center[0]) +
    axis[1] * (places[at * 3 + 1]! - center[1]) +
    axis[2] * (places[at * 3 + 2]! - center[2]);
  for (let at = 0; at < count; at++) {
    const [x, y, z] = [along(right, at), along(up, at), along(back, at)];
    needed[at] = Math.max(Math.abs(x), Math.abs(y)) / slope + z;
    const depth = Math.max(before - z, before * 0.02);
    sides[at] = x / depth;
    heights[at] = y / depth;
  }
  const stray = isCloud ? Math.floor(count * strayShare) : 0;
  const middle = (values: Float64Array) => {
    values.sort();
    return count === 0 ? 0 : ((values[stray]! + values[count - 1 - stray]!) / 2) * before;
  };
  needed.sort();
  return { distance: needed[count - 1 - stray] ?? before, dx: middle(sides), dy: middle(heights) };
}
