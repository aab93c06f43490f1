import { AppError } from '#shared/api/problem.ts';
import type { ColumnType } from '#shared/domain/column-type.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { offsetAt } from '../../../arrow/gather.ts';

/** The values of one sort column in a form that crosses to the sorting thread without a copy. */
export type SortValues = SortWay & { nulls: Uint8Array | null } & (
    | { kind: 'words'; words: Uint32Array[] }
    | { kind: 'texts'; bytes: Uint8Array; ends: Float64Array }
  );

/** Which way a column is sorted. */
export interface SortWay {
  desc: boolean;
  hasNullsFirst: boolean;
}

const maxTextBytes = 1024 * 1024 * 1024;

const firstLength = 1024;

/** A typed array that grows by doubling. */
class Growing<T extends Uint32Array | Uint8Array | Float64Array> {
  #array: T;
  #length = 0;
  #make: (length: number) => T;

  constructor(make: (length: number) => T, expected = firstLength) {
    this.#make = make;
    this.#array = make(expected);
  }

  /** Room for `count` more, to be filled by the caller. */
  extend(count: number): T {
    const start = this.#length;
    this.#length += count;
    if (this.#length > this.#array.length) {
      const grown = this.#make(Math.max(this.#length, this.#array.length * 2));
      grown.set(this.#array as never);
      this.#array = grown;
    }
    return this.#array.subarray(start, this.#length) as T;
  }

  /** What was put in; the array itself is given away, and begins anew. */
  take(): T {
    const whole = this.#array;
    const taken = whole.length === this.#length ? whole : (whole.slice(0, this.#length) as T);
    this.#array = this.#make(firstLength);
    this.#length = 0;
    return taken;
  }
}

export const growingNumbers = (): Growing<Float64Array> => new Growing((length) => new Float64Array(length));

const signBit = 0x8000_0000;

/** Writes the words of each row of a batch into `out`, most significant word first. */
type WordWriter = (data: Data, out: Uint32Array[]) => void;

const toWords =
  (wordOf: (value: number) => number): WordWriter =>
  (data, [out]) => {
    const values = data.values as ArrayLike<number>;
    for (let i = 0; i < data.length; i++) out![i] = wordOf(values[i]!);
  };

/** Words of wide integers, `flip` turning the sign bit of the topmost. */
function wideWords({ wordCount, isSigned }: { wordCount: number; isSigned: boolean }): WordWriter {
  return (data, out) => {
    const raw = data.values as BigInt64Array | Uint32Array;
    const words = new Uint32Array(raw.buffer, raw.byteOffset, raw.byteLength / 4);
    for (let w = 0; w < wordCount; w++) {
      const flip = w === 0 && isSigned ? signBit : 0;
      const target = out[w]!;
      for (let i = 0; i < data.length; i++)
        target[i] = (words[i * wordCount + wordCount - 1 - w]! ^ flip) >>> 0;
    }
  };
}

/** Bits of IEEE floats, so that they compare as numbers: -0 as 0, NaN above all. */
const doubleWords: WordWriter = (data, out) => {
  const values = data.values as Float64Array;
  const scratch = new Float64Array(1);
  const bits = new Uint32Array(scratch.buffer);
  const [high, low] = out as [Uint32Array, Uint32Array];
  for (let i = 0; i < data.length; i++) {
    const value = values[i]!;
    scratch[0] = value === 0 ? 0 : Number.isNaN(value) ? Number.NaN : value;
    const top = Number.isNaN(value) ? 0x7ff8_0000 : bits[1]!;
    const bottom = Number.isNaN(value) ? 0 : bits[0]!;
    const isNegative = top >>> 31 === 1;
    high[i] = (isNegative ? ~top : top ^ signBit) >>> 0;
    low[i] = (isNegative ? ~bottom : bottom) >>> 0;
  }
};

const floatScratch = new Float32Array(1);
const floatBits = new Uint32Array(floatScratch.buffer);
const floatWord = (value: number): number => {
  floatScratch[0] = value === 0 ? 0 : value;
  const bits = Number.isNaN(value) ? 0x7fc0_0000 : floatBits[0]!;
  return (bits >>> 31 === 1 ? ~bits : bits ^ signBit) >>> 0;
};

const halfWord = (bits: number): number => {
  const isNotANumber = (bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0;
  const plain = isNotANumber ? 0x7e00 : bits === 0x8000 ? 0 : bits;
  return plain & 0x8000 ? ~plain & 0xffff : plain | 0x8000;
};

const boolWords: WordWriter = (data, [out]) => {
  const values = data.values as Uint8Array;
  for (let i = 0; i < data.length; i++) {
    const at = data.offset + i;
    out![i] = (values[at >> 3]! >> (at & 7)) & 1;
  }
};

const bytesWords: WordWriter = (data, out) => {
  const values = data.values as Uint8Array;
  for (let i = 0; i < data.length; i++) {
    for (let w = 0; w < out.length; w++) {
      let word = 0;
      for (let b = 0; b < 4; b++)
        word = (word << 8) | (w * 4 + b < data.stride ? values[i * data.stride + w * 4 + b]! : 0);
      out[w]![i] = word >>> 0;
    }
  }
};

interface WordPlan {
  wordCount: number;
  write: WordWriter;
}

const plans: Partial<Record<ColumnType['kind'], WordPlan>> = {
  bool: { wordCount: 1, write: boolWords },
  int8: { wordCount: 1, write: toWords((value) => (value ^ signBit) >>> 0) },
  int16: { wordCount: 1, write: toWords((value) => (value ^ signBit) >>> 0) },
  int32: { wordCount: 1, write: toWords((value) => (value ^ signBit) >>> 0) },
  date32: { wordCount: 1, write: toWords((value) => (value ^ signBit) >>> 0) },
  time32: { wordCount: 1, write: toWords((value) => (value ^ signBit) >>> 0) },
  uint8: { wordCount: 1, write: toWords((value) => value) },
  uint16: { wordCount: 1, write: toWords((value) => value) },
  uint32: { wordCount: 1, write: toWords((value) => value) },
  int64: { wordCount: 2, write: wideWords({ wordCount: 2, isSigned: true }) },
  uint64: { wordCount: 2, write: wideWords({ wordCount: 2, isSigned: false }) },
  date64: { wordCount: 2, write: wideWords({ wordCount: 2, isSigned: true }) },
  time64: { wordCount: 2, write: wideWords({ wordCount: 2, isSigned: true }) },
  timestamp: { wordCount: 2, write: wideWords({ wordCount: 2, isSigned: true }) },
  duration: { wordCount: 2, write: wideWords({ wordCount: 2, isSigned: true }) },
  decimal128: { wordCount: 4, write: wideWords({ wordCount: 4, isSigned: true }) },
  decimal256: { wordCount: 8, write: wideWords({ wordCount: 8, isSigned: true }) },
  float16: { wordCount: 1, write: toWords(halfWord) },
  float32: { wordCount: 1, write: toWords(floatWord) },
  float64: { wordCount: 2, write: doubleWords },
};

/** Gathers the values of one sort column, batch by batch. */
export interface SortCollector {
  add(data: Data): void;
  take(): SortValues;
}

/** Kept from the first null on. */
class NullFlags {
  #flags: Growing<Uint8Array> | null = null;
  #rows = 0;

  add(data: Data): void {
    if (data.nullCount > 0 && !this.#flags) {
      this.#flags = new Growing((length) => new Uint8Array(length));
      this.#flags.extend(this.#rows);
    }
    this.#rows += data.length;
    const flags = this.#flags?.extend(data.length);
    if (!flags || data.nullCount === 0) return;
    for (let i = 0; i < data.length; i++) flags[i] = data.getValid(i) ? 0 : 1;
  }

  take(): Uint8Array | null {
    const flags = this.#flags?.take() ?? null;
    this.#flags = null;
    this.#rows = 0;
    return flags;
  }
}

function wordCollector({ wordCount, write }: WordPlan, way: SortWay, expected?: number): SortCollector {
  const words = Array.from(
    { length: wordCount },
    () => new Growing((length) => new Uint32Array(length), expected),
  );
  const nulls = new NullFlags();
  return {
    add(data) {
      nulls.add(data);
      write(
        data,
        words.map((word) => word.extend(data.length)),
      );
    },
    take: () => ({ kind: 'words', words: words.map((word) => word.take()), nulls: nulls.take(), ...way }),
  };
}

function textCollector(way: SortWay): SortCollector {
  const bytes = new Growing((length) => new Uint8Array(length));
  const ends = growingNumbers();
  const nulls = new NullFlags();
  let total = 0;
  ends.extend(1);
  return {
    add(data) {
      nulls.add(data);
      const start = offsetAt(data, 0);
      const size = offsetAt(data, data.length) - start;
      if (total + size > maxTextBytes) {
        throw new AppError({
          code: 'MEMORY',
          message: 'The texts of the column are too large to sort by.',
          hint: 'Filter first, or sort by another column.',
        });
      }
      bytes.extend(size).set((data.values as Uint8Array).subarray(start, start + size));
      const out = ends.extend(data.length);
      for (let i = 0; i < data.length; i++) out[i] = total + offsetAt(data, i + 1) - start;
      total += size;
    },
    take: () => ({ kind: 'texts', bytes: bytes.take(), ends: ends.take(), nulls: nulls.take(), ...way }),
  };
}

/** How a column is sorted by, or null where its values have no order. `expected`: so many rows come, where that is known. */
export function createSortCollector(type: ColumnType, way: SortWay, expected?: number): SortCollector | null {
  switch (type.kind) {
    case 'utf8':
    case 'large_utf8':
    case 'json':
      return textCollector(way);
    case 'dictionary':
      return createSortCollector(type.value, way, expected);
    case 'fixed_size_binary':
      return wordCollector({ wordCount: Math.ceil(type.size / 4), write: bytesWords }, way, expected);
    case 'null':
      return { add() {}, take: () => ({ kind: 'words', words: [], nulls: null, ...way }) };
    default: {
      const plan = plans[type.kind];
      return plan ? wordCollector(plan, way, expected) : null;
    }
  }
}
