import { quoteText } from '#shared/sql/literal.ts';
import {
  arrow,
  type DataType,
  type Date_,
  type Decimal,
  type Dictionary,
  type Duration,
  type FixedSizeBinary,
  type FixedSizeList,
  type Float,
  type Int,
  type Time,
  type Timestamp,
} from '../../arrow/arrow.ts';

const { Type } = arrow;

const units = ['Second', 'Millisecond', 'Microsecond', 'Nanosecond'] as const;
const floats = ['Float16', 'Float32', 'Float64'] as const;

/** The type as DataFusion's `arrow_cast` reads it; null where it reads none. */
function castName(type: DataType): string | null {
  switch (type.typeId) {
    case Type.Bool:
      return 'Boolean';
    case Type.Int:
      return `${(type as Int).isSigned ? 'Int' : 'UInt'}${(type as Int).bitWidth}`;
    case Type.Float:
      return floats[(type as Float).precision] ?? null;
    case Type.Utf8:
      return 'Utf8';
    case Type.LargeUtf8:
      return 'LargeUtf8';
    case Type.Binary:
      return 'Binary';
    case Type.LargeBinary:
      return 'LargeBinary';
    case Type.FixedSizeBinary:
      return `FixedSizeBinary(${(type as FixedSizeBinary).byteWidth})`;
    case Type.Decimal:
      return `Decimal${(type as Decimal).bitWidth}(${(type as Decimal).precision}, ${(type as Decimal).scale})`;
    case Type.Date:
      return (type as Date_).unit === arrow.DateUnit.DAY ? 'Date32' : 'Date64';
    case Type.Time:
      return `Time${(type as Time).bitWidth}(${units[(type as Time).unit]})`;
    case Type.Duration:
      return `Duration(${units[(type as Duration).unit]})`;
    case Type.Timestamp: {
      const { unit, timezone } = type as Timestamp;
      return `Timestamp(${units[unit]}, ${timezone ? `Some("${timezone}")` : 'None'})`;
    }
    case Type.List: {
      const item = castName(type.children[0]!.type);
      return item === null ? null : `List(${item})`;
    }
    case Type.FixedSizeList: {
      const item = castName(type.children[0]!.type);
      return item === null ? null : `FixedSizeList(${(type as FixedSizeList).listSize}, ${item})`;
    }
    case Type.Dictionary: {
      const [index, value] = [
        castName((type as Dictionary).indices),
        castName((type as Dictionary).dictionary),
      ];
      return index === null || value === null ? null : `Dictionary(${index}, ${value})`;
    }
    default:
      return null;
  }
}

/** An expression of Lance's dialect as values of the type, where Lance can cast to it. */
export const castExpression = (expression: string, type: DataType): string =>
  castWith('arrow_cast', expression, type);

/** As {@link castExpression}; null where a value cannot be cast. */
export const tryCastExpression = (expression: string, type: DataType): string =>
  castWith('arrow_try_cast', expression, type);

function castWith(cast: string, expression: string, type: DataType): string {
  const name = castName(type);
  return name === null ? expression : `${cast}(${expression}, ${quoteText(name)})`;
}
