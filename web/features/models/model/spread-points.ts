import type { ModelPart } from '#shared/domain/models/model.ts';

const golden = 0.618_033_988_749_895;

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/** A step that visits all of `count` places, each far from those before it. */
export function spreadStep(count: number): number {
  let step = Math.max(1, Math.round(count * golden));
  while (commonDivisor(count, step) !== 1) step += 1;
  return step;
}

/** Brings the points of a cloud into an order of which every beginning is spread over the whole cloud. */
export function spreadPoints(part: ModelPart): ModelPart {
  if (part.kind !== 'points') return part;
  const { positions, normals, colors } = part;
  const count = positions.length / 3;
  const step = spreadStep(count);
  const moved = {
    positions: new Float32Array(positions.length),
    normals: normals ? new Float32Array(normals.length) : null,
    colors: colors ? new Uint8Array(colors.length) : null,
  };
  let from = 0;
  for (let to = 0; to < count; to++) {
    for (let axis = 0; axis < 3; axis++) {
      moved.positions[to * 3 + axis] = positions[from * 3 + axis]!;
      if (moved.normals && normals) moved.normals[to * 3 + axis] = normals[from * 3 + axis]!;
    }
    if (moved.colors && colors)
      for (let channel = 0; channel < 4; channel++)
        moved.colors[to * 4 + channel] = colors[from * 4 + channel]!;
    from = (from + step) % count;
  }
  return { ...part, ...moved };
}
