import type { ColumnType, TimeUnit } from '#shared/domain/column-type.ts';
import {
  arrow,
  type DataType,
  type Date_,
  type Decimal,
  type Dictionary,
  type Duration,
  type Field,
  type FixedSizeBinary,
  type FixedSizeList,
  type Float,
  type Int,
  type Interval,
  type Time,
  type Timestamp,
} from '../../arrow/arrow.ts';

const { Type } = arrow;

const extensionKey = 'ARROW:extension:name';
const blobExtension = 'lance.blob.v2';
const jsonExtensions: readonly string[] = ['arrow.json', 'lance.json'];

/** A column of Lance's blob type: rows carry descriptors, the bytes are fetched apart. */
export const isBlobField = (field: Field): boolean =>
  field.metadata.get(extensionKey) === blobExtension || field.metadata.get('lance-encoding:blob') === 'true';

export const isJsonField = (field: Field): boolean =>
  jsonExtensions.includes(field.metadata.get(extensionKey) ?? '');

/** Lance takes `*` for all columns, and has no way to be told a name with a backtick. */
export const isReadableName = (name: string): boolean => !name.includes('`') && name !== '*';

const units: readonly TimeUnit[] = ['s', 'ms', 'us', 'ns'];
const intervalUnits = ['year_month', 'day_time', 'month_day_nano'] as const;
const floatBits = ['16', '32', '64'] as const;

function typeOf(type: DataType): ColumnType {
  switch (type.typeId) {
    case Type.Null:
      return { kind: 'null' };
    case Type.Bool:
      return { kind: 'bool' };
    case Type.Int: {
      const { isSigned, bitWidth } = type as Int;
      return { kind: `${isSigned ? 'int' : 'uint'}${bitWidth}` };
    }
    case Type.Float:
      return { kind: `float${floatBits[(type as Float).precision] ?? '64'}` };
    case Type.Utf8:
      return { kind: 'utf8' };
    case Type.LargeUtf8:
      return { kind: 'large_utf8' };
    case Type.Binary:
      return { kind: 'binary' };
    case Type.LargeBinary:
      return { kind: 'large_binary' };
    case Type.FixedSizeBinary:
      return { kind: 'fixed_size_binary', size: (type as FixedSizeBinary).byteWidth };
    case Type.Decimal: {
      const { precision, scale, bitWidth } = type as Decimal;
      return { kind: bitWidth === 256 ? 'decimal256' : 'decimal128', precision, scale };
    }
    case Type.Date:
      return { kind: (type as Date_).unit === arrow.DateUnit.DAY ? 'date32' : 'date64' };
    case Type.Timestamp:
      return {
        kind: 'timestamp',
        unit: units[(type as Timestamp).unit]!,
        timezone: (type as Timestamp).timezone || null,
      };
    case Type.Time:
      return {
        kind: (type as Time).bitWidth === 32 ? 'time32' : 'time64',
        unit: units[(type as Time).unit]!,
      };
    case Type.Duration:
      return { kind: 'duration', unit: units[(type as Duration).unit]! };
    case Type.Interval:
      return { kind: 'interval', unit: intervalUnits[(type as Interval).unit]! };
    case Type.List:
      return { kind: 'list', item: toColumnType(type.children[0]!) };
    case Type.FixedSizeList:
      return {
        kind: 'fixed_size_list',
        item: toColumnType(type.children[0]!),
        size: (type as FixedSizeList).listSize,
      };
    case Type.Struct:
      return {
        kind: 'struct',
        fields: type.children.map((child: Field) => ({ name: child.name, type: toColumnType(child) })),
      };
    case Type.Map: {
      const [key, value] = (type.children[0] as Field).type.children as [Field, Field];
      return { kind: 'map', key: toColumnType(key), value: toColumnType(value) };
    }
    case Type.Dictionary:
      return {
        kind: 'dictionary',
        index: typeOf((type as Dictionary).indices),
        value: typeOf((type as Dictionary).dictionary),
      };
    default:
      return { kind: 'null' };
  }
}

/** The type of a Lance column from its Arrow field. */
export function toColumnType(field: Field): ColumnType {
  if (isBlobField(field)) return { kind: 'blob' };
  if (isJsonField(field)) return { kind: 'json' };
  return typeOf(field.type);
}

const child = (name: string, type: ColumnType, nullable = true): Field =>
  toArrowField({ name, type, nullable });

function arrowTypeOf(type: ColumnType): DataType {
  switch (type.kind) {
    case 'null':
      return new arrow.Null();
    case 'bool':
      return new arrow.Bool();
    case 'int8':
      return new arrow.Int8();
    case 'int16':
      return new arrow.Int16();
    case 'int32':
      return new arrow.Int32();
    case 'int64':
      return new arrow.Int64();
    case 'uint8':
      return new arrow.Uint8();
    case 'uint16':
      return new arrow.Uint16();
    case 'uint32':
      return new arrow.Uint32();
    case 'uint64':
      return new arrow.Uint64();
    case 'float16':
      return new arrow.Float16();
    case 'float32':
      return new arrow.Float32();
    case 'float64':
      return new arrow.Float64();
    case 'utf8':
    case 'json':
      return new arrow.Utf8();
    case 'large_utf8':
      return new arrow.LargeUtf8();
    case 'binary':
      return new arrow.Binary();
    case 'large_binary':
      return new arrow.LargeBinary();
    case 'blob':
      return new arrow.Struct([
        new arrow.Field('data', new arrow.LargeBinary(), true),
        new arrow.Field('uri', new arrow.Utf8(), true),
      ]);
    case 'fixed_size_binary':
      return new arrow.FixedSizeBinary(type.size);
    case 'decimal128':
      return new arrow.Decimal(type.scale, type.precision, 128);
    case 'decimal256':
      return new arrow.Decimal(type.scale, type.precision, 256);
    case 'date32':
      return new arrow.DateDay();
    case 'date64':
      return new arrow.DateMillisecond();
    case 'timestamp':
      return new arrow.Timestamp(units.indexOf(type.unit) as 0, type.timezone);
    case 'time32':
      return new arrow.Time(units.indexOf(type.unit) as 0, 32);
    case 'time64':
      return new arrow.Time(units.indexOf(type.unit) as 2, 64);
    case 'duration':
      return new arrow.Duration(units.indexOf(type.unit) as 0);
    case 'interval':
      return new arrow.Interval(intervalUnits.indexOf(type.unit) as 0);
    case 'list':
    case 'large_list':
      return new arrow.List(child('item', type.item));
    case 'fixed_size_list':
      return new arrow.FixedSizeList(type.size, child('item', type.item));
    case 'struct':
      return new arrow.Struct(type.fields.map((field) => child(field.name, field.type)));
    case 'map': {
      const entries = new arrow.Struct([child('key', type.key, false), child('value', type.value)]);
      return new arrow.Map_(new arrow.Field('entries', entries, false) as never);
    }
    case 'dictionary':
      return new arrow.Dictionary(arrowTypeOf(type.value), arrowTypeOf(type.index) as never);
  }
}

/** The Arrow field that Lance stores as a column of this type; the inverse of {@link toColumnType} up to nested nullability. */
export function toArrowField(column: {
  name: string;
  type: ColumnType;
  nullable?: boolean;
  metadata?: ReadonlyMap<string, string>;
}): Field {
  const metadata = new Map(column.metadata ?? []);
  if (column.type.kind === 'blob') metadata.set(extensionKey, blobExtension);
  if (column.type.kind === 'json') metadata.set(extensionKey, 'arrow.json');
  return new arrow.Field(column.name, arrowTypeOf(column.type), column.nullable ?? true, metadata);
}
