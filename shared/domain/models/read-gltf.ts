import { BoundsMeter, boundsFacts } from './bounds.ts';
import { ExternalData, GltfData } from './gltf-data.ts';
import { type GltfFile, indexOf, type JsonObject, objectOf, objectsOf, openGltf } from './gltf-file.ts';
import { readMaterials } from './gltf-materials.ts';
import { compressionOf, countPrimitive, modeNames, PrimitiveReader } from './gltf-primitives.ts';
import { type PlacedMesh, placeMeshes } from './gltf-scene.ts';
import { mergeParts } from './merge-parts.ts';
import {
  brokenModel,
  countText,
  type Model,
  type ModelFact,
  type ModelLimits,
  type ModelPart,
  unreadModel,
} from './model.ts';
import { thinPart } from './thin-part.ts';

const maxVertices = 20_000_000;

interface PlacedPrimitive {
  node: number;
  primitive: JsonObject;
  matrix: PlacedMesh['matrix'];
}

/** Reads a glTF 2.0 scene at rest. What lies in other files is never fetched. Errors as `readModel`. */
export function readGltf(bytes: Uint8Array, isBinary: boolean, limits: ModelLimits): Model {
  const file = openGltf(bytes, isBinary);
  const data = new GltfData(file);
  const placed = placePrimitives(file);
  const counts = { points: 0, faces: 0 };
  const leftModes = new Set<string>();
  for (const { primitive } of placed) {
    const { points, faces, mode } = countPrimitive(data, primitive);
    counts.points += points;
    counts.faces += faces;
    if (mode > 0 && mode < 4) leftModes.add(modeNames[mode]!);
  }
  if (counts.faces > limits.maxFaces)
    throw unreadModel(
      `The model has ${countText(counts.faces)} faces; at most ${countText(limits.maxFaces)} are drawn.`,
    );
  const materials = readMaterials(file, data);
  const reader = new PrimitiveReader(data, materials.read);
  const parts: ModelPart[] = [];
  const external = new Set<string>();
  let node = -1;
  let vertices = 0;
  for (const one of placed) {
    if (one.node !== node) reader.nextNode();
    node = one.node;
    try {
      const part = reader.read(one.primitive, one.matrix);
      if (!part) continue;
      if (parts.at(-1)?.positions !== part.positions) vertices += part.positions.length / 3;
      parts.push(part);
    } catch (error) {
      if (!(error instanceof ExternalData)) throw error;
      external.add(error.uri.slice(0, 80));
    }
    if (vertices > maxVertices)
      throw unreadModel(`The model has more than ${countText(maxVertices)} vertices, and is not drawn.`);
  }
  if (parts.length === 0) throw noParts([...external], [...leftModes]);
  const meter = new BoundsMeter();
  for (const { positions } of parts)
    for (let at = 0; at < positions.length; at += 3)
      meter.add(positions[at]!, positions[at + 1]!, positions[at + 2]!);
  const { bounds } = meter;
  if (!bounds) throw brokenModel('No vertex of the glTF scene has a place: all are NaN or infinite.');
  const isCloud = counts.faces === 0;
  const share = isCloud ? Math.min(1, limits.maxPoints / counts.points) : 1;
  const shownParts = isCloud
    ? parts.map((part) => thinPart(part, Math.ceil((part.positions.length / 3) * share)))
    : parts;
  return {
    up: 'y',
    origin: [0, 0, 0],
    parts: mergeParts(shownParts),
    materials: materials.read.map(({ material }) => material),
    images: materials.images,
    counts,
    shown: {
      points: shownParts.reduce((sum, { positions }) => sum + positions.length / 3, 0),
      faces: shownParts.reduce((sum, { indices }) => sum + (indices?.length ?? 0) / 3, 0),
    },
    bounds,
    facts: [...gltfFacts(file, counts), ...boundsFacts(bounds, [0, 0, 0])],
    notices: [
      ...(external.size > 0 ? [`Geometry in other files is never fetched: ${nameSome(external)}.`] : []),
      ...(materials.left.length > 0
        ? [`Textures that are not shown: ${nameSome(new Set(materials.left))}.`]
        : []),
      ...(leftModes.size > 0 ? [`Not shown: ${[...leftModes].join(', ')}.`] : []),
      ...(reader.lost > 0 ? [`${countText(reader.lost)} faces have no finite place and are not shown.`] : []),
    ],
  };
}

const nameSome = (names: ReadonlySet<string>): string =>
  `${[...names].slice(0, 3).join(', ')}${names.size > 3 ? ` and ${names.size - 3} more` : ''}`;

function noParts(external: readonly string[], modes: readonly string[]) {
  if (external.length > 0)
    return unreadModel(
      `The geometry lies in other files, which are never fetched: ${nameSome(new Set(external))}.`,
      'Store it as GLB, or with its buffers embedded; download it to look at it elsewhere.',
    );
  return modes.length > 0
    ? unreadModel(`The glTF scene has nothing but ${modes.join(', ')}, which are not drawn.`)
    : unreadModel('The glTF scene shows nothing: no node has a mesh.');
}

function placePrimitives(file: GltfFile): PlacedPrimitive[] {
  const meshes = objectsOf(file.json.meshes).map((mesh) => objectsOf(mesh.primitives));
  return placeMeshes(file).flatMap(({ mesh, node, matrix }) => {
    const primitives = meshes[mesh];
    if (!primitives) throw brokenModel(`The glTF scene names mesh ${mesh}, but has ${meshes.length}.`);
    return primitives.map((primitive) => ({ node, primitive, matrix }));
  });
}

/** What the description of a scene says of it. */
export function gltfFacts({ json, isBinary }: GltfFile, counts: Model['counts']): ModelFact[] {
  const { generator, copyright } = objectOf(json.asset);
  const meshes = objectsOf(json.meshes);
  const compressed = meshes.flatMap((mesh) => objectsOf(mesh.primitives).map(compressionOf)).find(Boolean);
  const count = (name: string, value: unknown): ModelFact[] =>
    Array.isArray(value) && value.length > 0 ? [{ name, value: countText(value.length) }] : [];
  const text = (name: string, value: unknown): ModelFact[] =>
    typeof value === 'string' && value !== '' ? [{ name, value: value.slice(0, 300) }] : [];
  const used = Array.isArray(json.extensionsUsed) ? json.extensionsUsed.join(', ') : '';
  return [
    { name: 'format', value: isBinary ? 'glTF 2, binary' : 'glTF 2, JSON' },
    { name: counts.faces > 0 ? 'vertices' : 'points', value: countText(counts.points) },
    ...(counts.faces > 0 ? [{ name: 'faces', value: countText(counts.faces) }] : []),
    ...count('meshes', json.meshes),
    ...count('nodes', json.nodes),
    ...count('materials', json.materials),
    ...count('pictures', json.images),
    ...(Array.isArray(json.animations) && json.animations.length > 0
      ? [{ name: 'animations', value: `${countText(json.animations.length)}, shown at rest` }]
      : []),
    ...(Array.isArray(json.skins) && json.skins.length > 0
      ? [{ name: 'skins', value: `${countText(json.skins.length)}, shown without their pose` }]
      : []),
    ...text('compression', compressed),
    ...text('extensions', used),
    ...text('made by', generator),
    ...text('copyright', copyright),
  ];
}

/** Vertices and faces as the accessors of a scene say, with no bytes but its description. */
export function countGltf(file: GltfFile): Model['counts'] {
  const data = new GltfData(file);
  const counts = { points: 0, faces: 0 };
  for (const { primitive } of placePrimitives(file)) {
    if (indexOf(objectOf(primitive.attributes).POSITION) === null) continue;
    const { points, faces } = countPrimitive(data, primitive);
    counts.points += points;
    counts.faces += faces;
  }
  return counts;
}
