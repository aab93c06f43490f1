import { ExternalData, type GltfData } from './gltf-data.ts';
import { indexOf, type JsonObject, objectOf } from './gltf-file.ts';
import { type ReadMaterial, transformUvs } from './gltf-materials.ts';
import { isMirrored, type Matrix, transformNormals, transformPlaces } from './matrix.ts';
import { brokenModel, countText, type ModelPart, unreadModel } from './model.ts';

export const modeNames = [
  'points',
  'lines',
  'line loops',
  'line strips',
  'triangles',
  'strips',
  'fans',
] as const;

/** Names of extensions that hold geometry in a compressed way. */
export const compressionOf = (primitive: JsonObject): string | null =>
  Object.keys(objectOf(primitive.extensions)).find((name) => /draco|meshopt|mesh_compression/i.test(name)) ??
  null;

/** Vertices and faces of a primitive, as its accessors say. */
export function countPrimitive(
  data: GltfData,
  primitive: JsonObject,
): { points: number; faces: number; mode: number } {
  const position = indexOf(objectOf(primitive.attributes).POSITION);
  const mode = indexOf(primitive.mode) ?? 4;
  if (position === null || mode > 6) return { points: 0, faces: 0, mode };
  const points = data.countOf(position);
  const indices = indexOf(primitive.indices);
  const corners = indices === null ? points : data.countOf(indices);
  const faces = mode < 4 ? 0 : mode === 4 ? Math.floor(corners / 3) : Math.max(0, corners - 2);
  return { points, faces, mode };
}

/** Reads primitives in place; places that several of one node share are read once. */
export class PrimitiveReader {
  readonly #data: GltfData;
  readonly #materials: readonly ReadMaterial[];
  #shared = new Map<string, Float32Array>();
  lost = 0;

  constructor(data: GltfData, materials: readonly ReadMaterial[]) {
    this.#data = data;
    this.#materials = materials;
  }

  /** Forgets what was shared: for the next node. */
  nextNode(): void {
    this.#shared = new Map();
  }

  read(primitive: JsonObject, matrix: Matrix): ModelPart | null {
    const { mode, points } = countPrimitive(this.#data, primitive);
    const attributes = objectOf(primitive.attributes);
    const position = indexOf(attributes.POSITION);
    if (position === null || points === 0 || (mode > 0 && mode < 4) || mode > 6) return null;
    const compressed = compressionOf(primitive);
    if (compressed)
      throw unreadModel(`The geometry is compressed (${compressed}), which Curio does not decode.`);
    const materialIndex = indexOf(primitive.material);
    const material = materialIndex === null ? undefined : this.#materials[materialIndex];
    const positions = this.#places(position, matrix);
    const vertices = positions.length / 3;
    const uvs = this.#optional(attributes[`TEXCOORD_${material?.uvSet ?? 0}`], { width: 2, vertices });
    if (uvs && material?.uvTransform) transformUvs(uvs, material.uvTransform);
    const normals = this.#optional(attributes.NORMAL, { width: 3, vertices });
    if (normals) transformNormals(normals, matrix);
    return {
      kind: mode === 0 ? 'points' : 'triangles',
      positions,
      normals,
      uvs: material && material.material.image !== null ? uvs : null,
      colors: this.#colors(attributes.COLOR_0, vertices),
      indices:
        mode === 0 ? null : this.#triangles(primitive, { mode, positions, isMirrored: isMirrored(matrix) }),
      material: material ? materialIndex : null,
    };
  }

  #places(accessor: number, matrix: Matrix): Float32Array {
    const key = String(accessor);
    const known = this.#shared.get(key);
    if (known) return known;
    const { values, width } = this.#data.read(accessor, 3);
    if (width !== 3) throw brokenModel('The places of a glTF mesh are not of three numbers.');
    transformPlaces(values, matrix);
    this.#shared.set(key, values);
    return values;
  }

  #optional(index: unknown, { width, vertices }: { width: number; vertices: number }): Float32Array | null {
    const accessor = indexOf(index as never);
    if (accessor === null) return null;
    try {
      const found = this.#data.read(accessor, width);
      return found.width === width && found.count === vertices ? found.values : null;
    } catch (error) {
      if (error instanceof ExternalData) return null;
      throw error;
    }
  }

  #colors(index: unknown, vertices: number): Uint8Array | null {
    const accessor = indexOf(index as never);
    if (accessor === null) return null;
    const { values, width, count } = this.#data.read(accessor, 3);
    if (count !== vertices || width < 3) return null;
    const colors = new Uint8Array(vertices * 4);
    for (let at = 0; at < vertices; at++) {
      for (let channel = 0; channel < 3; channel++)
        colors[at * 4 + channel] = toSrgb(values[at * width + channel]!);
      colors[at * 4 + 3] = width === 4 ? Math.max(0, Math.min(255, values[at * width + 3]! * 255)) : 255;
    }
    return colors;
  }

  #triangles(
    primitive: JsonObject,
    { mode, positions, isMirrored: isTurned }: { mode: number; positions: Float32Array; isMirrored: boolean },
  ): Uint32Array | null {
    const vertices = positions.length / 3;
    const accessor = indexOf(primitive.indices);
    const listed = accessor === null ? null : this.#data.readIndices(accessor);
    const corners = listed ?? Uint32Array.from({ length: vertices }, (_none, at) => at);
    for (const [at, index] of corners.entries())
      if (index >= vertices)
        throw brokenModel(
          `Corner ${countText(at)} of a glTF mesh names vertex ${countText(index)}, but there are ${countText(vertices)} from 0 on.`,
        );
    const count = mode === 4 ? Math.floor(corners.length / 3) : Math.max(0, corners.length - 2);
    const triangles = new Uint32Array(count * 3);
    let taken = 0;
    for (let at = 0; at < count; at++) {
      const first = mode === 4 ? at * 3 : mode === 6 ? 0 : at;
      const next = mode === 4 ? at * 3 + 1 : at + 1;
      const isOdd = (mode === 5 && at % 2 === 1) !== isTurned;
      const [a, b, c] = [
        corners[first]!,
        corners[isOdd ? next + 1 : next]!,
        corners[isOdd ? next : next + 1]!,
      ];
      if (!isPlaced(positions, a) || !isPlaced(positions, b) || !isPlaced(positions, c)) {
        this.lost += 1;
        continue;
      }
      triangles[taken++] = a;
      triangles[taken++] = b;
      triangles[taken++] = c;
    }
    return triangles.subarray(0, taken);
  }
}

const isPlaced = (positions: Float32Array, index: number): boolean =>
  Number.isFinite(positions[index * 3]! + positions[index * 3 + 1]! + positions[index * 3 + 2]!);

/** A linear share of light as an sRGB byte (IEC 61966-2-1). */
export function toSrgb(linear: number): number {
  const value =
    linear > 0.003_130_8 ? 1.055 * Math.min(1, linear) ** (1 / 2.4) - 0.055 : 12.92 * Math.max(0, linear);
  return Math.round((Number.isFinite(value) ? value : 0) * 255);
}
