import { assertNever } from './assert-never.ts';
import { type ColumnType, parseColumnType } from './column-type.ts';

type Family = 'number' | 'text' | 'bytes' | 'moment' | 'span' | 'list' | 'other';

function familyOf(type: ColumnType): Family {
  switch (type.kind) {
    case 'bool':
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'uint64':
    case 'float16':
    case 'float32':
    case 'float64':
    case 'decimal128':
    case 'decimal256':
      return 'number';
    case 'utf8':
    case 'large_utf8':
      return 'text';
    case 'binary':
    case 'large_binary':
      return 'bytes';
    case 'date32':
    case 'date64':
    case 'timestamp':
      return 'moment';
    case 'time32':
    case 'time64':
    case 'duration':
      return 'span';
    case 'dictionary':
      return familyOf(type.value);
    case 'list':
    case 'large_list':
    case 'fixed_size_list':
      return 'list';
    case 'null':
    case 'json':
    case 'blob':
    case 'fixed_size_binary':
    case 'interval':
    case 'struct':
    case 'map':
      return 'other';
    default:
      return assertNever(type);
  }
}

const isText = (family: Family): boolean => family === 'text';

/**
 * Whether values of one column type can be read as another, so that a retyped column can be compared and merged with what
 * it was: numbers, texts and moments among themselves, all of these from and to text, and vectors of one length.
 */
export function canCast(from: string, to: string): boolean {
  const [before, after] = [parseColumnType(from), parseColumnType(to)];
  const [was, is] = [familyOf(before), familyOf(after)];
  if (was === 'other' || is === 'other') return false;
  if (was === 'list' || is === 'list') {
    const areVectors = before.kind === 'fixed_size_list' && after.kind === 'fixed_size_list';
    return areVectors && before.size === after.size && familyOf(before.item) === 'number';
  }
  if (was === 'span' || is === 'span') return before.kind === after.kind || isText(was) || isText(is);
  return was === is || isText(was) || (isText(is) && was !== 'bytes');
}
