import type { ColumnType } from '#shared/domain/column-type.ts';

const textBytes = 48;
const listItems = 8;

const fixedBytes: Partial<Record<ColumnType['kind'], number>> = {
  null: 0,
  bool: 0.125,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  float16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  date32: 4,
  time32: 4,
  decimal128: 16,
  decimal256: 32,
  json: 128,
  blob: 32,
  utf8: textBytes,
  large_utf8: textBytes,
  binary: textBytes,
  large_binary: textBytes,
};

/** About how many bytes a value of the type has in Arrow; texts and lists are taken to be short. */
export function widthOf(type: ColumnType): number {
  switch (type.kind) {
    case 'fixed_size_binary':
      return type.size;
    case 'list':
    case 'large_list':
      return listItems * widthOf(type.item);
    case 'fixed_size_list':
      return type.size * widthOf(type.item);
    case 'struct':
      return type.fields.reduce((sum, field) => sum + widthOf(field.type), 0);
    case 'map':
      return listItems * (widthOf(type.key) + widthOf(type.value));
    case 'dictionary':
      return widthOf(type.index);
    default:
      return fixedBytes[type.kind] ?? 8;
  }
}
