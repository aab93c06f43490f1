import { arrow, type Data, type Timestamp } from '../../../arrow/arrow.ts';
import { numbersOf } from '../profile/numbers-of.ts';

const { Type } = arrow;
const two32 = 4_294_967_296;

/** Cells of a batch as doubles into `into` from `at`, NaN where they are null; returns which rows are null. */
export function readNumbers(data: Data, into: Float64Array, at: number): void {
  const { values } = data;
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) readWide(data, into, at);
  else if (values instanceof Float64Array) into.set(values.subarray(0, data.length), at);
  else if (isPlain(data)) {
    const plain = values as ArrayLike<number>;
    for (let row = 0; row < data.length; row++) into[at + row] = plain[row]!;
  } else into.set(numbersOf(data), at);
}

/** Numbers that stand for themselves. */
const isPlain = (data: Data): boolean =>
  (data.typeId === Type.Int || data.typeId === Type.Float) &&
  !(data.values instanceof Uint16Array && data.typeId === Type.Float);

/** 64-bit whole numbers from their halves: correctly rounded, and many times quicker than through BigInt. */
function readWide(data: Data, into: Float64Array, at: number): void {
  const values = data.values as BigInt64Array | BigUint64Array;
  const isTime = data.typeId === Type.Timestamp;
  if (isTime && (data.type as Timestamp).unit === arrow.TimeUnit.NANOSECOND) {
    for (let row = 0; row < data.length; row++) {
      const micros = BigInt.asIntN(64, values[row]!) / 1000n;
      into[at + row] = Number(micros * 1000n > values[row]! ? micros - 1n : micros) / 1000;
    }
    return;
  }
  const words = new Uint32Array(values.buffer, values.byteOffset, data.length * 2);
  const isSigned = values instanceof BigInt64Array;
  const by = isTime ? (perMs[(data.type as Timestamp).unit] ?? 1) : 1;
  for (let row = 0; row < data.length; row++) {
    const high = isSigned ? words[row * 2 + 1]! | 0 : words[row * 2 + 1]!;
    into[at + row] = (high * two32 + words[row * 2]!) / by;
  }
}

const perMs = [0.001, 1, 1000];
