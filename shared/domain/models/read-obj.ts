import { BoundsMeter, boundsFacts } from './bounds.ts';
import { brokenModel, countText, type Model, type ModelLimits, unreadModel } from './model.ts';
import { float32List, uint32List } from './number-list.ts';
import { latinText } from './text-tokens.ts';

const newline = 10;
const maxLineBytes = 65_536;

/** Reads the geometry of an OBJ file: places, colours of points, polygons. Materials lie in other files. Errors as `readModel`. */
export function readObj(bytes: Uint8Array, limits: ModelLimits): Model {
  const positions = float32List();
  const colors = float32List();
  const triangles = uint32List();
  const meter = new BoundsMeter();
  const isLost = new Set<number>();
  let objects = 0;
  let faces = 0;
  let line = 0;
  let hasMaterials = false;
  let points = 0;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(newline, start);
    const end = found === -1 ? bytes.length : found;
    line += 1;
    const words = latinText(bytes, start, Math.min(end, start + maxLineBytes))
      .trim()
      .split(/\s+/);
    const isCut = end - start > maxLineBytes;
    start = end + 1;
    switch (words[0]) {
      case 'v': {
        const [x, y, z] = [Number(words[1]), Number(words[2]), Number(words[3])] as const;
        if (words.length < 4)
          throw brokenModel(`Line ${countText(line)} of the OBJ file has a point without a place.`);
        if (Number.isFinite(x + y + z)) {
          positions.push3(x, y, z);
          meter.add(x, y, z);
        } else {
          positions.push3(0, 0, 0);
          isLost.add(points);
        }
        if (words.length >= 7 && colors.length === points * 3)
          colors.push3(Number(words[4]), Number(words[5]), Number(words[6]));
        points += 1;
        break;
      }
      case 'f': {
        faces += 1;
        if (isCut)
          throw unreadModel(
            `Line ${countText(line)} of the OBJ file is a polygon of more than 64 kB, and is not drawn.`,
          );
        const corners = words.slice(1).map((word) => cornerOf(word, { points, line }));
        for (let at = 2; at < corners.length; at++) {
          const [a, b, c] = [corners[0]!, corners[at - 1]!, corners[at]!];
          if (!isLost.has(a) && !isLost.has(b) && !isLost.has(c)) triangles.push3(a, b, c);
        }
        if (faces > limits.maxFaces || triangles.length / 3 > limits.maxFaces * 2)
          throw unreadModel(`The mesh has more than ${countText(limits.maxFaces)} faces, and is not drawn.`);
        break;
      }
      case 'o':
      case 'g':
        objects += 1;
        break;
      case 'mtllib':
        hasMaterials = true;
        break;
    }
  }
  const { bounds } = meter;
  if (points === 0) throw brokenModel('The OBJ file has no points.');
  if (!bounds) throw brokenModel('No point of the OBJ file has a place: all are NaN or infinite.');
  const isCloud = faces === 0;
  const kept = isCloud ? thinned({ positions: positions.take(), isLost, limits }) : positions.take();
  const hasColors = !isCloud && points > 0 && colors.length === points * 3;
  return {
    up: 'y',
    origin: [0, 0, 0],
    parts: [
      {
        kind: isCloud ? 'points' : 'triangles',
        positions: kept,
        normals: null,
        colors: hasColors ? bytesOf(colors.take()) : null,
        uvs: null,
        indices: isCloud ? null : triangles.take(),
        material: null,
      },
    ],
    materials: [],
    images: [],
    counts: { points, faces },
    shown: { points: kept.length / 3, faces },
    bounds,
    facts: [
      { name: 'format', value: 'OBJ' },
      { name: isCloud ? 'points' : 'vertices', value: countText(points) },
      ...(isCloud ? [] : [{ name: 'faces', value: countText(faces) }]),
      ...(objects > 0 ? [{ name: 'objects and groups', value: countText(objects) }] : []),
      ...boundsFacts(bounds, [0, 0, 0]),
    ],
    notices: [
      ...(hasMaterials ? ['Its materials lie in other files, which are never fetched.'] : []),
      ...(isLost.size > 0
        ? [`${countText(isLost.size)} points have no finite place and are not shown.`]
        : []),
    ],
  };
}

/** The point of a corner, `7/1/3` or counted back as `-1`. */
function cornerOf(word: string, { points, line }: { points: number; line: number }): number {
  const number = Number.parseInt(word, 10);
  const index = number < 0 ? points + number : number - 1;
  if (!(index >= 0 && index < points))
    throw brokenModel(
      `Line ${countText(line)} of the OBJ file names point ${word.slice(0, 20)}, but there are ${countText(points)} so far.`,
    );
  return index;
}

function thinned({
  positions,
  isLost,
  limits,
}: {
  positions: Float32Array;
  isLost: ReadonlySet<number>;
  limits: ModelLimits;
}): Float32Array {
  const points = positions.length / 3;
  const size = Math.min(points, limits.maxPoints);
  const kept = new Float32Array(size * 3);
  let taken = 0;
  for (let at = 0; at < size; at++) {
    const point = Math.floor((at * points) / size);
    if (isLost.has(point)) continue;
    kept.set(positions.subarray(point * 3, point * 3 + 3), taken * 3);
    taken += 1;
  }
  return kept.subarray(0, taken * 3);
}

/** Colours of 0 to 1 as bytes, opaque. */
function bytesOf(colors: Float32Array): Uint8Array {
  const bytes = new Uint8Array((colors.length / 3) * 4);
  for (let at = 0; at < colors.length / 3; at++) {
    for (let channel = 0; channel < 3; channel++)
      bytes[at * 4 + channel] = Math.max(0, Math.min(255, Math.round(colors[at * 3 + channel]! * 255)));
    bytes[at * 4 + 3] = 255;
  }
  return bytes;
}
