import { AppError } from '#shared/api/problem.ts';
import { arrow, type Data, type DataType, type Dictionary, type RecordBatch } from './arrow.ts';

const { Type } = arrow;

type Offsets = Int32Array | BigInt64Array;

const isWide = (data: Data): boolean => data.typeId === Type.LargeUtf8 || data.typeId === Type.LargeBinary;

/** Validity of the picked rows; none when all are valid. An index of -1 is a null. */
function gatherValidity(
  data: Data,
  indices: Int32Array,
): { nullBitmap: Uint8Array | null; nullCount: number } {
  const hasNulls = data.nullCount > 0;
  if (!hasNulls && !indices.includes(-1)) return { nullBitmap: null, nullCount: 0 };
  const nullBitmap = new Uint8Array((((indices.length + 7) >> 3) + 7) & ~7);
  let nullCount = 0;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    if (index >= 0 && (!hasNulls || data.getValid(index))) nullBitmap[i >> 3]! |= 1 << (i & 7);
    else nullCount += 1;
  }
  return { nullBitmap, nullCount };
}

function gatherFixed(values: ArrayLike<unknown>, stride: number, indices: Int32Array): unknown {
  const Values = values.constructor as new (length: number) => Record<number, unknown> & { set?: unknown };
  const out = new Values(indices.length * stride);
  for (let i = 0; i < indices.length; i++) {
    const from = indices[i]! * stride;
    if (from < 0) continue;
    for (let k = 0; k < stride; k++) out[i * stride + k] = values[from + k];
  }
  return out;
}

function gatherBits(data: Data, indices: Int32Array): Uint8Array {
  const source = data.values as Uint8Array;
  const out = new Uint8Array((((indices.length + 7) >> 3) + 7) & ~7);
  for (let i = 0; i < indices.length; i++) {
    const at = data.offset + indices[i]!;
    if (indices[i]! >= 0 && (source[at >> 3]! >> (at & 7)) & 1) out[i >> 3]! |= 1 << (i & 7);
  }
  return out;
}

/** Where row `index` of a variable-width column begins. */
export const offsetAt = (data: Data, index: number): number => Number((data.valueOffsets as Offsets)[index]);

function gatherBytes(data: Data, indices: Int32Array): { values: Uint8Array; valueOffsets: Offsets } {
  const source = data.values as Uint8Array;
  const starts = new Float64Array(indices.length);
  const ends = new Float64Array(indices.length + 1);
  let total = 0;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    if (index >= 0 && data.getValid(index)) {
      starts[i] = offsetAt(data, index);
      total += offsetAt(data, index + 1) - starts[i]!;
    }
    ends[i + 1] = total;
  }
  const values = new Uint8Array(total);
  for (let i = 0; i < indices.length; i++) {
    const size = ends[i + 1]! - ends[i]!;
    if (size > 0) values.set(source.subarray(starts[i]!, starts[i]! + size), ends[i]!);
  }
  if (!isWide(data)) {
    if (total > 0x7fff_ffff)
      throw new AppError({
        code: 'TOO_LARGE',
        message: 'The texts of one batch have more than 2 GB.',
        hint: 'Ask for fewer rows.',
      });
    return { values, valueOffsets: Int32Array.from(ends) };
  }
  return { values, valueOffsets: BigInt64Array.from(ends, (end) => BigInt(end)) };
}

function gatherList(data: Data, indices: Int32Array): { valueOffsets: Int32Array; child: Data } {
  const valueOffsets = new Int32Array(indices.length + 1);
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    const size = index >= 0 && data.getValid(index) ? offsetAt(data, index + 1) - offsetAt(data, index) : 0;
    valueOffsets[i + 1] = valueOffsets[i]! + size;
  }
  const picked = new Int32Array(valueOffsets[indices.length]!);
  for (let i = 0; i < indices.length; i++) {
    const size = valueOffsets[i + 1]! - valueOffsets[i]!;
    const from = size > 0 ? offsetAt(data, indices[i]!) : 0;
    for (let k = 0; k < size; k++) picked[valueOffsets[i]! + k] = from + k;
  }
  return { valueOffsets, child: gather(data.children[0]!, picked) };
}

function gatherFixedList(data: Data, indices: Int32Array): Data {
  const size = data.stride;
  const picked = new Int32Array(indices.length * size);
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < size; k++) picked[i * size + k] = indices[i]! < 0 ? -1 : indices[i]! * size + k;
  }
  return gather(data.children[0]!, picked);
}

const make = <T extends DataType>(type: T, props: Record<string, unknown>): Data<T> =>
  arrow.makeData({ type, ...props } as never) as Data<T>;

/** The rows of a column at the indices, in their order; -1 gives a null. Works on raw buffers, so nothing is lost. */
export function gather(data: Data, indices: Int32Array): Data {
  const { type } = data;
  const length = indices.length;
  if (data.typeId === Type.Null) return make(type, { length });
  const facts = { length, ...gatherValidity(data, indices) };
  switch (data.typeId) {
    case Type.Bool:
      return make(type, { ...facts, data: gatherBits(data, indices) });
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Binary:
    case Type.LargeBinary: {
      const { values, valueOffsets } = gatherBytes(data, indices);
      return make(type, { ...facts, valueOffsets, data: values });
    }
    case Type.List:
    case Type.Map:
      return make(type, { ...facts, ...gatherList(data, indices) });
    case Type.FixedSizeList:
      return make(type, { ...facts, child: gatherFixedList(data, indices) });
    case Type.Struct:
      return make(type, { ...facts, children: data.children.map((child) => gather(child, indices)) });
    case Type.Dictionary:
      return make(type as Dictionary, {
        ...facts,
        data: gatherFixed(data.values, 1, indices),
        dictionary: data.dictionary,
      });
    case Type.Union:
      throw new AppError({ code: 'UNSUPPORTED', message: 'Columns of unions cannot be read.' });
    default:
      return make(type, {
        ...facts,
        data: gatherFixed(data.values as ArrayLike<unknown>, data.stride, indices),
      });
  }
}

/** The rows of a batch at the indices, in their order. */
export function gatherBatch(batch: RecordBatch, indices: Int32Array): RecordBatch {
  const children = batch.data.children.map((child) => gather(child, indices));
  return new arrow.RecordBatch(
    batch.schema,
    make(new arrow.Struct(batch.schema.fields), { length: indices.length, nullCount: 0, children }) as never,
  );
}
