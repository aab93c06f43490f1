import type { ModelPart } from './model.ts';

const kindOf = ({ kind, material, normals, colors, uvs }: ModelPart): string =>
  [kind, material, normals !== null, colors !== null, uvs !== null].join();

/** Joins what is drawn alike, so that a scene of thousands of small meshes is a few parts. */
export function mergeParts(parts: readonly ModelPart[]): ModelPart[] {
  const isShared = new Set(parts.map(({ positions }) => positions)).size < parts.length;
  if (isShared) return [...parts];
  const groups = new Map<string, ModelPart[]>();
  for (const part of parts) {
    const key = kindOf(part);
    const group = groups.get(key);
    if (group) group.push(part);
    else groups.set(key, [part]);
  }
  return [...groups.values()].map((group) => (group.length === 1 ? group[0]! : mergeGroup(group)));
}

function mergeGroup(group: readonly ModelPart[]): ModelPart {
  const join = <T extends Float32Array | Uint8Array>(
    of: (part: ModelPart) => T | null,
    make: (length: number) => T,
  ) => {
    const lists = group.map(of);
    if (lists.some((list) => list === null)) return null;
    const joined = make(lists.reduce((sum, list) => sum + list!.length, 0));
    let at = 0;
    for (const list of lists) {
      joined.set(list! as never, at);
      at += list!.length;
    }
    return joined;
  };
  const floats = (of: (part: ModelPart) => Float32Array | null) =>
    join(of, (length) => new Float32Array(length));
  return {
    kind: group[0]!.kind,
    material: group[0]!.material,
    positions: floats(({ positions }) => positions) ?? new Float32Array(0),
    normals: floats(({ normals }) => normals),
    uvs: floats(({ uvs }) => uvs),
    colors: join(
      ({ colors }) => colors,
      (length) => new Uint8Array(length),
    ),
    indices: group[0]!.kind === 'points' ? null : mergeIndices(group),
  };
}

function mergeIndices(group: readonly ModelPart[]): Uint32Array {
  const total = group.reduce(
    (sum, { indices, positions }) => sum + (indices?.length ?? positions.length / 3),
    0,
  );
  const merged = new Uint32Array(total);
  let at = 0;
  let base = 0;
  for (const { indices, positions } of group) {
    const vertices = positions.length / 3;
    const count = indices?.length ?? vertices;
    for (let corner = 0; corner < count; corner++) merged[at++] = (indices?.[corner] ?? corner) + base;
    base += vertices;
  }
  return merged;
}
