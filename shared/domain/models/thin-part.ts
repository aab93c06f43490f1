import { EvenSample } from './even-sample.ts';
import type { ModelPart } from './model.ts';

/** At most `wanted` points of a cloud, evenly over their order; places that are not finite are left out. */
export function thinPart(part: ModelPart, wanted: number): ModelPart {
  const { positions, normals, colors } = part;
  const total = positions.length / 3;
  const sample = new EvenSample(total, wanted);
  const thin = {
    positions: new Float32Array(sample.size * 3),
    normals: normals ? new Float32Array(sample.size * 3) : null,
    colors: colors ? new Uint8Array(sample.size * 4) : null,
  };
  let taken = 0;
  for (let point = 0; point < total; point++) {
    if (!sample.takes(point)) continue;
    if (!Number.isFinite(positions[point * 3]! + positions[point * 3 + 1]! + positions[point * 3 + 2]!))
      continue;
    for (let axis = 0; axis < 3; axis++) {
      thin.positions[taken * 3 + axis] = positions[point * 3 + axis]!;
      if (thin.normals && normals) thin.normals[taken * 3 + axis] = normals[point * 3 + axis]!;
    }
    if (thin.colors && colors)
      for (let channel = 0; channel < 4; channel++)
        thin.colors[taken * 4 + channel] = colors[point * 4 + channel]!;
    taken += 1;
  }
  return {
    ...part,
    positions: thin.positions.subarray(0, taken * 3),
    normals: thin.normals?.subarray(0, taken * 3) ?? null,
    colors: thin.colors?.subarray(0, taken * 4) ?? null,
  };
}
