import { damaged } from './decoded-picture.ts';

/** The run lengths of bitmaps with 4 or 8 bits: one index per pixel, the lowest row first; what is skipped stays 0. */
export function readRunLengths(
  bytes: Uint8Array,
  { width, height, bits }: { width: number; height: number; bits: number },
): Uint8Array {
  const indices = new Uint8Array(width * height);
  let x = 0;
  let y = 0;
  let at = 0;
  const put = (value: number): void => {
    if (x < width && y < height) indices[y * width + x] = value;
    x += 1;
  };
  const next = (): number => {
    const value = bytes[at];
    if (value === undefined) throw damaged('its bytes end too early');
    at += 1;
    return value;
  };
  const putRun = (count: number, valueAt: (index: number) => number): void => {
    for (let index = 0; index < count; index++) {
      if (bits === 8) put(valueAt(index));
      else put(index % 2 === 0 ? valueAt(index >> 1) >> 4 : valueAt(index >> 1) & 15);
    }
  };
  while (y < height) {
    const count = next();
    const value = next();
    if (count > 0) {
      putRun(count, () => value);
    } else if (value === 0) {
      x = 0;
      y += 1;
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += next();
      y += next();
    } else {
      const length = bits === 8 ? value : (value + 1) >> 1;
      const from = at;
      if (from + length > bytes.length) throw damaged('its bytes end too early');
      putRun(value, (index) => bytes[from + index] as number);
      at = from + length + (length & 1);
    }
  }
  return indices;
}
