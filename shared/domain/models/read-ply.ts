import { boundsFacts } from './bounds.ts';
import {
  brokenModel,
  countText,
  type Model,
  type ModelFact,
  type ModelLimits,
  unreadModel,
} from './model.ts';
import { uint32List } from './number-list.ts';
import { type PlyElement, type PlyHeader, parsePlyHeader } from './ply-header.ts';
import { assertPlyHolds, listLength, openPlyValues, type PlyValues, skipPlyElement } from './ply-values.ts';
import { type PlyVertices, readPlyVertices } from './ply-vertices.ts';

const codingText: Record<PlyHeader['coding'], string> = {
  ascii: 'PLY, text',
  binary_little_endian: 'PLY, binary, little endian',
  binary_big_endian: 'PLY, binary, big endian',
};

const indexNames: readonly string[] = ['vertex_indices', 'vertex_index'];

/** What the header alone says. */
export function plyHeaderFacts(header: PlyHeader): { facts: ModelFact[]; points: number; faces: number } {
  const countOf = (name: string) => header.elements.find((element) => element.name === name)?.count ?? 0;
  const points = countOf('vertex');
  const faces = countOf('face');
  const others = header.elements.filter(
    ({ name, count }) => name !== 'vertex' && name !== 'face' && count > 0,
  );
  const properties = header.elements.find(({ name }) => name === 'vertex')?.properties ?? [];
  return {
    points,
    faces,
    facts: [
      { name: 'format', value: codingText[header.coding] },
      { name: faces > 0 ? 'vertices' : 'points', value: countText(points) },
      ...(faces > 0 ? [{ name: 'faces', value: countText(faces) }] : []),
      ...others.slice(0, 8).map(({ name, count }) => ({ name: name.slice(0, 60), value: countText(count) })),
      {
        name: 'of each point',
        value: properties
          .map(({ name }) => name)
          .join(', ')
          .slice(0, 300),
      },
      ...(header.comments.length > 0
        ? [{ name: 'comment', value: header.comments.join(' · ').slice(0, 300) }]
        : []),
    ],
  };
}

/** Reads a PLY file (Stanford polygon format) whole. Errors as `readModel`. */
export function readPly(bytes: Uint8Array, limits: ModelLimits): Model {
  const header = parsePlyHeader(bytes);
  const told = plyHeaderFacts(header);
  const vertexElement = header.elements.find(({ name }) => name === 'vertex');
  if (!vertexElement || vertexElement.count === 0) throw brokenModel('The PLY file has no points.');
  const isTooFine = told.faces > limits.maxFaces;
  const isCloud = told.faces === 0 || isTooFine;
  const values = openPlyValues(bytes, header);
  const faceElement = header.elements.find(({ name }) => name === 'face');
  if (isTooFine && faceElement) assertPlyHolds(values, faceElement);
  let vertices: PlyVertices | null = null;
  let faces: { indices: Uint32Array; most: number } | null = null;
  for (const element of header.elements) {
    if (element === vertexElement) {
      vertices = readPlyVertices(values, element, { isCloud, maxPoints: limits.maxPoints });
      if (isCloud) break;
    } else if (element.name === 'face' && element.count > 0 && !isCloud)
      faces = readFaces(values, element, { points: vertexElement.count, limits });
    else skipPlyElement(values, element);
  }
  if (!vertices?.bounds) throw brokenModel('No point of the PLY file has a place: all are NaN or infinite.');
  const { positions, normals, colors, origin, bounds, lost } = vertices;
  const indices =
    faces && vertices.isLost ? withoutLost(faces.indices, vertices.isLost) : (faces?.indices ?? null);
  const notices = [
    ...(lost > 0 ? [`${countText(lost)} points have no finite place and are not shown.`] : []),
    ...(isTooFine
      ? [
          `The mesh has ${countText(told.faces)} faces, more than the ${countText(limits.maxFaces)} that are drawn: its vertices are shown as points.`,
        ]
      : []),
  ];
  return {
    up: isCloud || isFlat(bounds) ? 'z' : 'y',
    origin,
    parts: [
      {
        kind: isCloud ? 'points' : 'triangles',
        positions,
        normals,
        colors,
        uvs: null,
        indices: isCloud ? null : indices,
        material: null,
      },
    ],
    materials: [],
    images: [],
    counts: { points: told.points, faces: told.faces },
    shown: { points: positions.length / 3, faces: isCloud ? 0 : told.faces },
    bounds,
    facts: [
      ...told.facts,
      ...(vertices.colorText ? [{ name: 'colours', value: vertices.colorText }] : []),
      ...(faces && faces.most > 3
        ? [{ name: 'polygons', value: `of up to ${countText(faces.most)} corners` }]
        : []),
      ...boundsFacts(bounds, origin),
    ],
    notices,
  };
}

/** Scans of grounds and rooms are low along z; other meshes are mostly written with y up. */
const isFlat = ({ min, max }: NonNullable<Model['bounds']>): boolean => {
  const [x, y, z] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]] as const;
  return z < 0.5 * Math.min(x, y);
};

function readFaces(
  values: PlyValues,
  element: PlyElement,
  { points, limits }: { points: number; limits: ModelLimits },
): { indices: Uint32Array; most: number } {
  if (!element.properties.some(({ name, lengthType }) => lengthType !== null && indexNames.includes(name)))
    throw brokenModel('The PLY file has faces that name no vertices.');
  assertPlyHolds(values, element);
  const triangles = uint32List(Math.min(element.count, limits.maxFaces) * 3 + 3);
  let most = 0;
  const indexOf = (type: Parameters<PlyValues['next']>[0], face: number): number => {
    const index = values.next(type);
    if (!(index >= 0 && index < points && Number.isInteger(index)))
      throw brokenModel(
        `Face ${countText(face + 1)} of the PLY file names point ${index}, but there are ${countText(points)} from 0 on.`,
      );
    return index;
  };
  for (let face = 0; face < element.count; face++) {
    for (const { name, type, lengthType } of element.properties) {
      if (lengthType === null) {
        values.skip(type, 1);
        continue;
      }
      const length = listLength(values, lengthType);
      if (!indexNames.includes(name)) {
        values.skip(type, length);
        continue;
      }
      most = Math.max(most, length);
      let first = 0;
      let before = 0;
      for (let corner = 0; corner < length; corner++) {
        const index = indexOf(type, face);
        if (corner === 0) first = index;
        if (corner >= 2) triangles.push3(first, before, index);
        before = index;
      }
      if (triangles.length / 3 > limits.maxFaces * 2)
        throw unreadModel(
          `The polygons of the mesh are more than ${countText(limits.maxFaces * 2)} triangles, and are not drawn.`,
        );
    }
  }
  return { indices: triangles.take(), most };
}

function withoutLost(indices: Uint32Array, isLost: Uint8Array): Uint32Array {
  const kept = uint32List(indices.length + 3);
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = [indices[at]!, indices[at + 1]!, indices[at + 2]!];
    if (!isLost[a] && !isLost[b] && !isLost[c]) kept.push3(a, b, c);
  }
  return kept.take();
}
