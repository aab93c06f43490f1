import { BoundsMeter } from './bounds.ts';
import { EvenSample } from './even-sample.ts';
import { type Bounds, brokenModel, type Vector3 } from './model.ts';
import type { PlyElement, PlyScalar } from './ply-header.ts';
import { assertPlyHolds, listLength, type PlyValues } from './ply-values.ts';

export interface PlyVertices {
  positions: Float32Array;
  normals: Float32Array | null;
  colors: Uint8Array | null;
  /** Vertices without a finite place; of clouds they are left out. */
  lost: number;
  isLost: Uint8Array | null;
  origin: Vector3;
  bounds: Bounds | null;
  /** How colours are written, for people. */
  colorText: string | null;
}

const slotNames: readonly (readonly string[])[] = [
  ['x'],
  ['y'],
  ['z'],
  ['nx', 'normal_x'],
  ['ny', 'normal_y'],
  ['nz', 'normal_z'],
  ['red', 'r', 'diffuse_red'],
  ['green', 'g', 'diffuse_green'],
  ['blue', 'b', 'diffuse_blue'],
  ['alpha', 'a'],
  ['f_dc_0'],
  ['f_dc_1'],
  ['f_dc_2'],
];
const colorSlot = 6;
const gaussianSlot = 10;
/** First coefficient of spherical harmonics: how Gaussian splats write their colour. */
const harmonic = 0.282_094_8;
/** From here on single precision would lose what lies between neighbours. */
const farAway = 16_384;

const fullOf: Partial<Record<PlyScalar, number>> = { uint8: 255, uint16: 65_535, int8: 127, int16: 32_767 };

/** Reads the vertices of a PLY file: all of a mesh, evenly chosen ones of a cloud. */
export function readPlyVertices(
  values: PlyValues,
  element: PlyElement,
  { isCloud, maxPoints }: { isCloud: boolean; maxPoints: number },
): PlyVertices {
  assertPlyHolds(values, element);
  const slots = element.properties.map(({ name, lengthType }) =>
    lengthType === null ? slotNames.findIndex((names) => names.includes(name.toLowerCase())) : -1,
  );
  if (![0, 1, 2].every((slot) => slots.includes(slot)))
    throw brokenModel('The PLY file has no x, y and z of its points.');
  const hasNormals = [3, 4, 5].every((slot) => slots.includes(slot));
  const hasColors = [6, 7, 8].every((slot) => slots.includes(slot));
  const isGaussian = !hasColors && [10, 11, 12].every((slot) => slots.includes(slot));
  const colorType = element.properties[slots.indexOf(colorSlot)]?.type;
  const full = colorType === undefined ? undefined : (fullOf[colorType] ?? null);

  const sample = new EvenSample(element.count, isCloud ? maxPoints : element.count);
  const positions = new Float32Array(sample.size * 3);
  const normals = hasNormals ? new Float32Array(sample.size * 3) : null;
  const floats = hasColors && full === null ? new Float32Array(sample.size * 4) : null;
  const colors = hasColors || isGaussian ? new Uint8Array(sample.size * 4) : null;
  const isLost = isCloud ? null : new Uint8Array(sample.size);
  const meter = new BoundsMeter();
  const found = new Float64Array(slotNames.length);
  const scale = 255 / (full ?? 255);
  found[9] = full ?? 1;
  let origin: Vector3 | null = null;
  let taken = 0;
  let lost = 0;
  for (let index = 0; index < element.count; index++) {
    for (let at = 0; at < slots.length; at++) {
      const { type, lengthType } = element.properties[at]!;
      if (lengthType !== null) values.skip(type, listLength(values, lengthType));
      else if (slots[at] === -1) values.skip(type, 1);
      else found[slots[at]!] = values.next(type);
    }
    const px = found[0]!;
    const py = found[1]!;
    const pz = found[2]!;
    const isPlaced = Number.isFinite(px + py + pz);
    if (isPlaced) {
      origin ??= Math.max(Math.abs(px), Math.abs(py), Math.abs(pz)) > farAway ? [px, py, pz] : [0, 0, 0];
      meter.add(px - origin[0], py - origin[1], pz - origin[2]);
    } else lost += 1;
    if (!sample.takes(index) || (!isPlaced && isCloud)) continue;
    if (isPlaced && origin) {
      positions[taken * 3] = px - origin[0];
      positions[taken * 3 + 1] = py - origin[1];
      positions[taken * 3 + 2] = pz - origin[2];
    } else if (isLost) isLost[taken] = 1;
    if (normals) for (let axis = 0; axis < 3; axis++) normals[taken * 3 + axis] = found[3 + axis]!;
    if (floats)
      for (let channel = 0; channel < 4; channel++) floats[taken * 4 + channel] = found[colorSlot + channel]!;
    else if (colors && isGaussian) {
      for (let channel = 0; channel < 3; channel++)
        colors[taken * 4 + channel] = clampByte((0.5 + harmonic * found[gaussianSlot + channel]!) * 255);
      colors[taken * 4 + 3] = 255;
    } else if (colors)
      for (let channel = 0; channel < 4; channel++)
        colors[taken * 4 + channel] = clampByte(found[colorSlot + channel]! * scale);
    taken += 1;
  }
  if (floats && colors) fromFloats(floats, colors);
  return {
    positions: positions.subarray(0, taken * 3),
    normals: normals?.subarray(0, taken * 3) ?? null,
    colors: colors?.subarray(0, taken * 4) ?? null,
    lost,
    isLost: lost > 0 ? isLost : null,
    origin: origin ?? [0, 0, 0],
    bounds: meter.bounds,
    colorText: isGaussian ? 'of Gaussians (f_dc)' : hasColors ? `of each point, ${colorType}` : null,
  };
}

const clampByte = (value: number): number => (value > 0 ? Math.min(255, Math.round(value)) : 0);

/** Colours that are written as fractions, or as 0 to 255, which only the largest tells. */
function fromFloats(floats: Float32Array, colors: Uint8Array): void {
  let most = 0;
  for (let at = 0; at < floats.length; at++) if (at % 4 !== 3 && floats[at]! > most) most = floats[at]!;
  const scale = most <= 1 ? 255 : 1;
  for (let at = 0; at < floats.length; at++)
    colors[at] = clampByte(floats[at]! * (at % 4 === 3 ? 255 : scale));
}
