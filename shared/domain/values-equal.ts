/**
 * Whether two cells hold the same value, exactly and by type. The rules, which the engine's comparison of Arrow buffers
 * follows too:
 * - null equals null only: never an empty text, list or struct.
 * - Scalar floats, also inside lists and structs: by number. NaN equals NaN whatever its bits, and -0 equals 0.
 * - Vectors (typed float arrays; fixed-size lists of floats): bit for bit, so -0 and 0 differ.
 * - Integers of 64 bits as `bigint`; a `bigint` and a `number` of the same value are equal, so that a cast that keeps
 *   the value is no change.
 * - Moments (`Date`): by instant. Bytes: by content. Lists: by length and element. Structs: by field name.
 * - Maps: by entry, in any order.
 */
export function valuesEqual(a: unknown, b: unknown): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  if (typeof a === 'number' && typeof b === 'number') return a === b || (Number.isNaN(a) && Number.isNaN(b));
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals the number of the same value
  if (typeof a !== 'object' || typeof b !== 'object') return isNumeric(a) && isNumeric(b) ? a == b : a === b;
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && valuesEqual(a.getTime(), b.getTime());
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b))
    return a.constructor === b.constructor && bytesEqual(a, b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => valuesEqual(value, b[index]));
  if (a instanceof Map && b instanceof Map) return mapsEqual(a, b);
  return isPlain(a) && isPlain(b) && structsEqual(a, b);
}

const isNumeric = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const isPlain = (value: object): value is Record<string, unknown> =>
  !Array.isArray(value) && !(value instanceof Map) && !ArrayBuffer.isView(value);

function bytesEqual(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const left = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
  const right = new Uint8Array(b.buffer, b.byteOffset, b.byteLength);
  return left.every((byte, index) => byte === right[index]);
}

function mapsEqual(a: Map<unknown, unknown>, b: Map<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  const rest = [...b];
  for (const [key, value] of a) {
    const at = rest.findIndex((entry) => valuesEqual(key, entry[0]) && valuesEqual(value, entry[1]));
    if (at === -1) return false;
    rest.splice(at, 1);
  }
  return true;
}

function structsEqual(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && valuesEqual(a[name], b[name]))
  );
}
