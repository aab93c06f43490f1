/** A text that is equal for equal values and only for them, whatever decoded them; for keys of maps and for comparison. */
export function valueToken(value: unknown): string {
  return JSON.stringify(plain(value));
}

function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return { i: value.toString() };
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return { n: 'NaN' };
    if (!Number.isFinite(value)) return { n: String(value) };
    return Number.isInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? { n: String(value) }
      : Object.is(value, -0)
        ? { n: '-0' }
        : value;
  }
  if (value instanceof Date) return { t: value.getTime() };
  if (ArrayBuffer.isView(value))
    return { b: Array.from(value as unknown as ArrayLike<number | bigint>, (entry) => plain(entry)) };
  if (value instanceof Map) return { m: [...value].map(([key, entry]) => [plain(key), plain(entry)]) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object')
    return {
      o: Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([key, entry]) => [key, plain(entry)]),
    };
  return value;
}
