import {
  arrow,
  type Data,
  type Date_,
  type Decimal,
  type Duration,
  type Float,
  type Time,
  type Timestamp,
} from '../../../arrow/arrow.ts';
import { decimalToBigInt, halfToNumber } from '../../../arrow/cell-json.ts';

const { Type } = arrow;

/** How many of a unit make a millisecond: seconds, milliseconds, microseconds, nanoseconds. */
const perMillisecond = [0.001, 1, 1_000, 1_000_000];
const dayMs = 86_400_000;

function scaled(values: ArrayLike<number | bigint>, length: number, by: number): Float64Array {
  const numbers = new Float64Array(length);
  for (let i = 0; i < length; i++) numbers[i] = Number(values[i]) / by;
  return numbers;
}

function decimals(data: Data): Float64Array {
  const { bitWidth, scale } = data.type as Decimal;
  const words = bitWidth / 32;
  const values = data.values as ArrayLike<number>;
  return Float64Array.from(
    { length: data.length },
    (_, row) => Number(decimalToBigInt(values, row * words, words)) / 10 ** scale,
  );
}

/**
 * The values of a column as 64-bit floats: numbers as they are (whole ones exact up to 2^53), times in milliseconds.
 * Cells that are null hold anything.
 */
export function numbersOf(data: Data): Float64Array {
  const values = data.values as ArrayLike<number | bigint>;
  switch (data.typeId) {
    case Type.Float: {
      const isHalf = (data.type as Float).precision === arrow.Precision.HALF;
      return isHalf
        ? Float64Array.from({ length: data.length }, (_, row) => halfToNumber(values[row] as number))
        : scaled(values, data.length, 1);
    }
    case Type.Decimal:
      return decimals(data);
    case Type.Timestamp:
      return scaled(values, data.length, perMillisecond[(data.type as Timestamp).unit]!);
    case Type.Time:
      return scaled(values, data.length, perMillisecond[(data.type as Time).unit]!);
    case Type.Duration:
      return scaled(values, data.length, perMillisecond[(data.type as Duration).unit]!);
    case Type.Date:
      return scaled(values, data.length, (data.type as Date_).unit === arrow.DateUnit.DAY ? 1 / dayMs : 1);
    default:
      return scaled(values, data.length, 1);
  }
}
