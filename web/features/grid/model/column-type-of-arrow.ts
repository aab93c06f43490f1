import { type DataType, Type } from '@uwdata/flechette';
import type { ColumnType, TimeUnit } from '#shared/domain/column-type.ts';

const timeUnits: readonly TimeUnit[] = ['s', 'ms', 'us', 'ns'];
const unitOf = (unit: number): TimeUnit => timeUnits[unit] ?? 'us';
const blobFields = ['kind', 'sizeBytes', 'contentType', 'hash'];

/** The column type of an Arrow field; a struct of a blob cell's fields is a blob. */
export function columnTypeOfArrow(type: DataType, metadata?: ReadonlyMap<string, string> | null): ColumnType {
  const extension = metadata?.get('ARROW:extension:name') ?? '';
  if (extension.includes('json')) return { kind: 'json' };
  switch (type.typeId) {
    case Type.Null:
      return { kind: 'null' };
    case Type.Int:
      return { kind: `${type.signed ? '' : 'u'}int${type.bitWidth}` as 'int64' };
    case Type.Float:
      return { kind: (['float16', 'float32', 'float64'] as const)[type.precision] ?? 'float64' };
    case Type.Bool:
      return { kind: 'bool' };
    case Type.Decimal:
      return {
        kind: type.bitWidth > 128 ? 'decimal256' : 'decimal128',
        precision: type.precision,
        scale: type.scale,
      };
    case Type.Date:
      return { kind: type.unit === 0 ? 'date32' : 'date64' };
    case Type.Time:
      return { kind: type.bitWidth === 32 ? 'time32' : 'time64', unit: unitOf(type.unit) };
    case Type.Timestamp:
      return { kind: 'timestamp', unit: unitOf(type.unit), timezone: type.timezone ?? null };
    case Type.Duration:
      return { kind: 'duration', unit: unitOf(type.unit) };
    case Type.Interval:
      return {
        kind: 'interval',
        unit: (['year_month', 'day_time', 'month_day_nano'] as const)[type.unit] ?? 'month_day_nano',
      };
    case Type.Binary:
    case Type.BinaryView:
      return { kind: 'binary' };
    case Type.LargeBinary:
      return { kind: 'large_binary' };
    case Type.FixedSizeBinary:
      return { kind: 'fixed_size_binary', size: type.stride };
    case Type.LargeUtf8:
      return { kind: 'large_utf8' };
    case Type.List:
    case Type.ListView:
      return { kind: 'list', item: itemOf(type.children) };
    case Type.LargeList:
    case Type.LargeListView:
      return { kind: 'large_list', item: itemOf(type.children) };
    case Type.FixedSizeList:
      return { kind: 'fixed_size_list', item: itemOf(type.children), size: type.stride };
    case Type.Struct: {
      if (blobFields.every((name) => type.children.some((child) => child.name === name)))
        return { kind: 'blob' };
      return {
        kind: 'struct',
        fields: type.children.map((child) => ({
          name: child.name,
          type: columnTypeOfArrow(child.type, child.metadata),
        })),
      };
    }
    case Type.Map: {
      const entry = type.children[0].type as { children?: { type: DataType }[] };
      const [key, value] = entry.children ?? [];
      return {
        kind: 'map',
        key: key ? columnTypeOfArrow(key.type) : { kind: 'utf8' },
        value: value ? columnTypeOfArrow(value.type) : { kind: 'utf8' },
      };
    }
    case Type.Dictionary:
      return columnTypeOfArrow(type.dictionary);
    default:
      return { kind: 'utf8' };
  }
}

const itemOf = (children: readonly { type: DataType }[]): ColumnType =>
  children[0] ? columnTypeOfArrow(children[0].type) : { kind: 'null' };
