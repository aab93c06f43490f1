import type { Buffer } from 'node:buffer';

const gltfParts = /"(scenes?|nodes|meshes|accessors|bufferViews|buffers)"\s*:/;
const objLine = /^(#.*|(v|vt|vn|vp|f|l|p)\s[-+\d./e\s]*|(o|g|s|usemtl|mtllib)\b.*|)$/i;
const leastPoints = 3;

/** Point clouds and meshes that are text: glTF, STL, OBJ, and PLY whose values are; null for other texts. */
export function sniffTextModel(text: string): string | null {
  if (/^ply\r?\n\s*(format|comment|obj_info)\s/.test(text)) return 'model/ply';
  if (/^\s*solid\b[^\n]*\n\s*facet\s+normal\s/.test(text)) return 'model/stl';
  if (/^\s*\{/.test(text)) {
    const isScene = /"asset"\s*:\s*\{[^{}]*"version"\s*:\s*"\d/.test(text) && gltfParts.test(text);
    const isGeometry = /"componentType"\s*:\s*51\d\d/.test(text) && /"bufferView"\s*:/.test(text);
    return isScene || isGeometry ? 'model/gltf+json' : null;
  }
  return isObj(text) ? 'model/obj' : null;
}

/** Every line but the last, which may be cut, is one of OBJ, and some are points. */
function isObj(text: string): boolean {
  if (!/^v\s+\S+\s+\S+\s+\S/m.test(text)) return false;
  const lines = text.split(/\r?\n/);
  const whole = lines.slice(0, Math.max(1, lines.length - 1));
  let points = 0;
  for (const line of whole) {
    if (!objLine.test(line.trim())) return false;
    if (/^v\s+[-+\d.]/.test(line)) points += 1;
  }
  return points >= leastPoints;
}

const stlHead = 84;
const stlFace = 50;
const mostFaces = 1e8;
const farthest = 1e15;
/** What is smaller is no place, but a small whole number that is read as one. */
const leastFloat = 1e-37;

/** PLY with binary values, and STL, which has no mark: only faces whose normals and places can be tell it. */
export function sniffBinaryModel(bytes: Buffer): string | null {
  if (/^ply\r?\n\s*(format|comment|obj_info)\s/.test(bytes.toString('latin1', 0, 64))) return 'model/ply';
  if (bytes.length < stlHead + stlFace) return null;
  const faces = bytes.readUInt32LE(80);
  const seen = Math.min(faces, Math.floor((bytes.length - stlHead) / stlFace));
  if (faces === 0 || faces > mostFaces || seen === 0) return null;
  for (let face = 0; face < seen; face++) {
    const start = stlHead + face * stlFace;
    const normal = [0, 4, 8].map((at) => bytes.readFloatLE(start + at));
    const length = Math.hypot(...normal);
    if (!(length < 1e-6 || Math.abs(length - 1) < 0.05)) return null;
    for (let at = 12; at < 48; at += 4) {
      const value = Math.abs(bytes.readFloatLE(start + at));
      if (!(value < farthest) || (value > 0 && value < leastFloat)) return null;
    }
  }
  return isEmpty(bytes.subarray(stlHead)) ? null : 'model/stl';
}

const isEmpty = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
