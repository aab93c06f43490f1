/** Sixteen numbers, column by column, as glTF and WebGL write them. */
export type Matrix = readonly number[];

export const identity: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function multiply(a: Matrix, b: Matrix): Matrix {
  const product = new Array<number>(16).fill(0);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let at = 0; at < 4; at++) product[column * 4 + row]! += a[at * 4 + row]! * b[column * 4 + at]!;
  return product;
}

/** From a move, a turn (unit quaternion x, y, z, w) and a scale. */
export function composeMatrix(
  [tx = 0, ty = 0, tz = 0]: readonly number[],
  [x = 0, y = 0, z = 0, w = 1]: readonly number[],
  [sx = 1, sy = 1, sz = 1]: readonly number[],
): Matrix {
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    tx,
    ty,
    tz,
    1,
  ];
}

/** Moves places by a matrix, in place. */
export function transformPlaces(values: Float32Array, m: Matrix): void {
  if (m === identity) return;
  for (let at = 0; at < values.length; at += 3) {
    const [x, y, z] = [values[at]!, values[at + 1]!, values[at + 2]!];
    for (let row = 0; row < 3; row++)
      values[at + row] = m[row]! * x + m[4 + row]! * y + m[8 + row]! * z + m[12 + row]!;
  }
}

/** Turns normals by the cofactors of a matrix, which keeps them upright on faces that are stretched; in place. */
export function transformNormals(values: Float32Array, m: Matrix): void {
  if (m === identity) return;
  const [a = 0, b = 0, c = 0, , d = 0, e = 0, f = 0, , g = 0, h = 0, i = 0] = m;
  const [xx, xy, xz] = [e * i - f * h, f * g - d * i, d * h - e * g] as const;
  const [yx, yy, yz] = [c * h - b * i, a * i - c * g, b * g - a * h] as const;
  const [zx, zy, zz] = [b * f - c * e, c * d - a * f, a * e - b * d] as const;
  for (let at = 0; at < values.length; at += 3) {
    const [x, y, z] = [values[at]!, values[at + 1]!, values[at + 2]!];
    const nx = xx * x + xy * y + xz * z;
    const ny = yx * x + yy * y + yz * z;
    const nz = zx * x + zy * y + zz * z;
    const length = Math.hypot(nx, ny, nz) || 1;
    values[at] = nx / length;
    values[at + 1] = ny / length;
    values[at + 2] = nz / length;
  }
}

/** Whether a matrix mirrors, so that triangles show their back. */
export const isMirrored = (m: Matrix): boolean =>
  m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
    m[4]! * (m[1]! * m[10]! - m[2]! * m[9]!) +
    m[8]! * (m[1]! * m[6]! - m[2]! * m[5]!) <
  0;
