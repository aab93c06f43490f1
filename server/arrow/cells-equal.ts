import { Buffer } from 'node:buffer';
import { valuesEqual } from '#shared/domain/values-equal.ts';
import { arrow, type Data, type Decimal, type Dictionary, type Float } from './arrow.ts';
import { dataCellToJson, decimalToBigInt, halfToNumber } from './cell-json.ts';
import { offsetAt } from './gather.ts';

/** Whether row `left` of one column and row `right` of another hold the same value. */
export type CellsEqual = (left: number, right: number) => boolean;

const { Type, Precision } = arrow;

/**
 * Compares cells of two columns on their raw buffers, by the rules of `valuesEqual` (`shared/domain/values-equal.ts`).
 * Dictionary columns compare by value; columns of different types by the value that both can stand for.
 */
export function createCellsEqual(a: Data, b: Data): CellsEqual {
  if (a.typeId === Type.Dictionary || b.typeId === Type.Dictionary) return dictionariesEqual(a, b);
  if (!isSameType(a, b)) return (left, right) => valuesEqual(plainValue(a, left), plainValue(b, right));
  return withNulls(a, b, sameTypeEqual(a, b, false));
}

const isSameType = (a: Data, b: Data): boolean =>
  a.typeId === b.typeId && String(a.type) === String(b.type) && a.stride === b.stride;

function withNulls(a: Data, b: Data, equal: CellsEqual): CellsEqual {
  if (a.typeId === Type.Null) return () => true;
  if (a.nullCount === 0 && b.nullCount === 0) return equal;
  return (left, right) => {
    const isValid = a.getValid(left);
    if (isValid !== b.getValid(right)) return false;
    return !isValid || equal(left, right);
  };
}

/** `isVector`: floats count by their bits. */
function sameTypeEqual(a: Data, b: Data, isVector: boolean): CellsEqual {
  switch (a.typeId) {
    case Type.Null:
      return () => true;
    case Type.Bool:
      return (left, right) => bitOf(a, left) === bitOf(b, right);
    case Type.Float:
      return isVector ? wordsEqual(a, b) : floatsEqual(a, b);
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Binary:
    case Type.LargeBinary:
      return bytesEqual(a, b);
    case Type.List:
      return listsEqual(a, b);
    case Type.FixedSizeList:
      return fixedListsEqual(a, b);
    case Type.Struct:
      return structsEqual(a, b);
    case Type.Map:
      return mapsEqual(a, b);
    case Type.Union:
      return (left, right) =>
        JSON.stringify(dataCellToJson(a, left)) === JSON.stringify(dataCellToJson(b, right));
    default:
      return wordsEqual(a, b);
  }
}

const bitOf = (data: Data, index: number): number => {
  const at = data.offset + index;
  return ((data.values as Uint8Array)[at >> 3]! >> (at & 7)) & 1;
};

type Words = Uint8Array | Uint16Array | Uint32Array;

/** The values as unsigned words, and how many make one value. */
function wordsOf(data: Data): { words: Words; perValue: number } {
  const values = data.values as ArrayBufferView & { BYTES_PER_ELEMENT: number };
  const width = values.BYTES_PER_ELEMENT * data.stride;
  const { buffer, byteOffset, byteLength } = values;
  if (width % 4 === 0 && byteOffset % 4 === 0)
    return { words: new Uint32Array(buffer, byteOffset, byteLength >> 2), perValue: width / 4 };
  if (width % 2 === 0 && byteOffset % 2 === 0)
    return { words: new Uint16Array(buffer, byteOffset, byteLength >> 1), perValue: width / 2 };
  return { words: new Uint8Array(buffer, byteOffset, byteLength), perValue: width };
}

function wordsEqual(a: Data, b: Data): CellsEqual {
  const [{ words: x, perValue }, { words: y, perValue: other }] = [wordsOf(a), wordsOf(b)];
  if (perValue !== other) return bytesOfWordsEqual(a, b);
  if (perValue === 1) return (left, right) => x[left] === y[right];
  if (perValue === 2)
    return (left, right) => x[left * 2] === y[right * 2] && x[left * 2 + 1] === y[right * 2 + 1];
  return (left, right) => {
    for (let k = 0, p = left * perValue, q = right * perValue; k < perValue; k++, p++, q++)
      if (x[p] !== y[q]) return false;
    return true;
  };
}

/** For the rare buffer that is not aligned as the other one is. */
function bytesOfWordsEqual(a: Data, b: Data): CellsEqual {
  const viewOf = (data: Data) => {
    const values = data.values as ArrayBufferView & { BYTES_PER_ELEMENT: number };
    return {
      bytes: Buffer.from(values.buffer, values.byteOffset, values.byteLength),
      width: values.BYTES_PER_ELEMENT * data.stride,
    };
  };
  const [x, y] = [viewOf(a), viewOf(b)];
  return (left, right) =>
    x.bytes.compare(y.bytes, right * y.width, (right + 1) * y.width, left * x.width, (left + 1) * x.width) ===
    0;
}

function floatsEqual(a: Data, b: Data): CellsEqual {
  if ((a.type as Float).precision === Precision.HALF) {
    const [x, y] = [a.values as Uint16Array, b.values as Uint16Array];
    return (left, right) =>
      x[left] === y[right] || sameNumber(halfToNumber(x[left]!), halfToNumber(y[right]!));
  }
  const [x, y] = [a.values as Float64Array, b.values as Float64Array];
  return (left, right) => sameNumber(x[left]!, y[right]!);
}

// biome-ignore lint/suspicious/noSelfCompare: only NaN differs from itself
const sameNumber = (x: number, y: number): boolean => x === y || (x !== x && y !== y);

const shortBytes = 48;

function bytesEqual(a: Data, b: Data): CellsEqual {
  const bufferOf = (data: Data): Buffer => {
    const values = data.values as Uint8Array;
    return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  };
  const [x, y] = [bufferOf(a), bufferOf(b)];
  return (left, right) => {
    const start = offsetAt(a, left);
    const size = offsetAt(a, left + 1) - start;
    const other = offsetAt(b, right);
    if (offsetAt(b, right + 1) - other !== size) return false;
    if (size > shortBytes) return x.compare(y, other, other + size, start, start + size) === 0;
    for (let k = 0; k < size; k++) if (x[start + k] !== y[other + k]) return false;
    return true;
  };
}

const childrenEqual = (a: Data, b: Data): CellsEqual => createCellsEqual(a.children[0]!, b.children[0]!);

function listsEqual(a: Data, b: Data): CellsEqual {
  const equal = childrenEqual(a, b);
  return (left, right) => {
    const start = offsetAt(a, left);
    const size = offsetAt(a, left + 1) - start;
    const other = offsetAt(b, right);
    if (offsetAt(b, right + 1) - other !== size) return false;
    for (let k = 0; k < size; k++) if (!equal(start + k, other + k)) return false;
    return true;
  };
}

function fixedListsEqual(a: Data, b: Data): CellsEqual {
  const [x, y] = [a.children[0]!, b.children[0]!];
  const size = a.stride;
  const equal =
    x.typeId === Type.Float || x.typeId === Type.FixedSizeList
      ? withNulls(x, y, sameTypeEqual(x, y, true))
      : createCellsEqual(x, y);
  return (left, right) => {
    for (let k = 0; k < size; k++) if (!equal(left * size + k, right * size + k)) return false;
    return true;
  };
}

function structsEqual(a: Data, b: Data): CellsEqual {
  const children = a.children.map((child, index) => createCellsEqual(child, b.children[index]!));
  return (left, right) => children.every((equal) => equal(left, right));
}

function mapsEqual(a: Data, b: Data): CellsEqual {
  const [x, y] = [a.children[0]!, b.children[0]!];
  const entriesEqual = structsEqual(x, y);
  return (left, right) => {
    const start = offsetAt(a, left);
    const size = offsetAt(a, left + 1) - start;
    const other = offsetAt(b, right);
    if (offsetAt(b, right + 1) - other !== size) return false;
    let inOrder = 0;
    while (inOrder < size && entriesEqual(start + inOrder, other + inOrder)) inOrder += 1;
    const rest = new Set(Array.from({ length: size - inOrder }, (_, k) => other + inOrder + k));
    for (let k = inOrder; k < size; k++) {
      let found = -1;
      for (const entry of rest) {
        if (!entriesEqual(start + k, entry)) continue;
        found = entry;
        break;
      }
      if (!rest.delete(found)) return false;
    }
    return true;
  };
}

interface Resolved {
  data: Data;
  indexOf(row: number): number;
}

/** A column as values and where each row's value is; -1 for null. */
function resolveRows(data: Data): Resolved {
  if (data.typeId !== Type.Dictionary) return { data, indexOf: (row) => (data.getValid(row) ? row : -1) };
  const keys = data.values as ArrayLike<number | bigint>;
  const { dictionary } = data as Data<Dictionary>;
  const chunks = dictionary!.data;
  const values =
    chunks.length === 1 ? chunks[0]! : arrow.vectorFromArray([...dictionary!], dictionary!.type).data[0]!;
  return {
    data: values,
    indexOf: (row) => {
      if (!data.getValid(row)) return -1;
      const key = Number(keys[row]);
      return values.getValid(key) ? key : -1;
    },
  };
}

function dictionariesEqual(a: Data, b: Data): CellsEqual {
  const [x, y] = [resolveRows(a), resolveRows(b)];
  const equal = createCellsEqual(x.data, y.data);
  return (left, right) => {
    const [p, q] = [x.indexOf(left), y.indexOf(right)];
    return p === -1 || q === -1 ? p === q : equal(p, q);
  };
}

/** A cell as a number where it is one, so that a cast that keeps the value is no change; else as JSON prints it. */
function plainValue(data: Data, index: number): unknown {
  if (data.typeId === Type.Null || !data.getValid(index)) return null;
  const values = data.values as ArrayLike<number | bigint>;
  if (data.typeId === Type.Int) return values[index];
  if (data.typeId === Type.Float) {
    const value = Number(values[index]);
    return (data.type as Float).precision === Precision.HALF ? halfToNumber(value) : value;
  }
  if (data.typeId === Type.Decimal) {
    const { scale } = data.type as Decimal;
    const unscaled = decimalToBigInt(data.values as Uint32Array, index * data.stride, data.stride);
    return scale === 0 ? unscaled : Number(unscaled) / 10 ** scale;
  }
  return dataCellToJson(data, index);
}
