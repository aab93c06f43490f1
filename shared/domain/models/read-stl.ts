import { BoundsMeter, boundsFacts } from './bounds.ts';
import { brokenModel, countText, type Model, type ModelLimits, unreadModel } from './model.ts';
import { float32List } from './number-list.ts';
import { latinText, TextTokens } from './text-tokens.ts';

export const stlHeadBytes = 84;
const faceBytes = 50;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Faces that a binary STL says to have. */
export const stlFaceCount = (bytes: Uint8Array): number => viewOf(bytes).getUint32(80, true);

/** Text begins with `solid` and goes on with facets; many binary files begin with `solid` too. */
export const isStlText = (bytes: Uint8Array): boolean =>
  /^\s*solid\b[^\n]*\n\s*(facet\s|endsolid)/.test(latinText(bytes, 0, Math.min(bytes.length, 2048)));

/** Reads an STL file, text or binary. Errors as `readModel`. */
export function readStl(bytes: Uint8Array, limits: ModelLimits): Model {
  const isText = isStlText(bytes);
  const read = isText ? readText(bytes, limits) : readBinary(bytes, limits);
  const meter = new BoundsMeter();
  const { corners, lost } = read;
  for (let at = 0; at < corners.length; at += 3) meter.add(corners[at]!, corners[at + 1]!, corners[at + 2]!);
  const { bounds } = meter;
  if (!bounds) throw brokenModel('No face of the STL file has a place: all are NaN or infinite.');
  const faces = read.faces;
  return {
    up: 'z',
    origin: [0, 0, 0],
    parts: [
      {
        kind: 'triangles',
        positions: corners,
        normals: null,
        colors: null,
        uvs: null,
        indices: null,
        material: null,
      },
    ],
    materials: [],
    images: [],
    counts: { points: faces * 3, faces },
    shown: { points: corners.length / 3, faces: corners.length / 9 },
    bounds,
    facts: [
      { name: 'format', value: isText ? 'STL, text' : 'STL, binary' },
      { name: 'faces', value: countText(faces) },
      ...boundsFacts(bounds, [0, 0, 0]),
    ],
    notices: lost > 0 ? [`${countText(lost)} faces have no finite place and are not shown.`] : [],
  };
}

interface Read {
  corners: Float32Array;
  faces: number;
  lost: number;
}

const tooMany = (faces: number, { maxFaces }: ModelLimits) =>
  unreadModel(`The mesh has ${countText(faces)} faces; at most ${countText(maxFaces)} are drawn.`);

function readBinary(bytes: Uint8Array, limits: ModelLimits): Read {
  if (bytes.length < stlHeadBytes) throw brokenModel('The STL file ends within its header.');
  const faces = stlFaceCount(bytes);
  const fit = Math.floor((bytes.length - stlHeadBytes) / faceBytes);
  if (faces > fit)
    throw brokenModel(
      `The STL header says ${countText(faces)} faces, but the file ends after ${countText(fit)}.`,
    );
  if (faces > limits.maxFaces) throw tooMany(faces, limits);
  const view = viewOf(bytes);
  const corners = new Float32Array(faces * 9);
  let taken = 0;
  for (let face = 0; face < faces; face++) {
    const start = stlHeadBytes + face * faceBytes + 12;
    let sum = 0;
    for (let at = 0; at < 9; at++) {
      const value = view.getFloat32(start + at * 4, true);
      corners[taken * 9 + at] = value;
      sum += value;
    }
    if (Number.isFinite(sum)) taken += 1;
  }
  return { corners: corners.subarray(0, taken * 9), faces, lost: faces - taken };
}

const letterV = 118;
const vertexWord = 'vertex';

function readText(bytes: Uint8Array, limits: ModelLimits): Read {
  const corners = float32List(9 * 1024);
  const face: number[] = [];
  let faces = 0;
  let lost = 0;
  let at = 0;
  for (;;) {
    at = bytes.indexOf(letterV, at);
    if (at === -1) break;
    const isVertex =
      latinText(bytes, at, at + vertexWord.length) === vertexWord && (bytes[at - 1] ?? 32) <= 32;
    if (!isVertex) {
      at += 1;
      continue;
    }
    const tokens = new TextTokens(bytes, at + vertexWord.length);
    for (let axis = 0; axis < 3; axis++) {
      const value = tokens.number();
      if (value === undefined) throw brokenModel('The STL file ends within a face.');
      face.push(value);
    }
    at = tokens.at;
    if (face.length < 9) continue;
    faces += 1;
    if (faces > limits.maxFaces) throw tooMany(faces, limits);
    if (face.every(Number.isFinite))
      for (const corner of [0, 3, 6]) corners.push3(face[corner]!, face[corner + 1]!, face[corner + 2]!);
    else lost += 1;
    face.length = 0;
  }
  if (face.length > 0) throw brokenModel('The STL file ends within a face.');
  if (faces === 0) throw brokenModel('The STL file has no faces.');
  return { corners: corners.take(), faces, lost };
}
