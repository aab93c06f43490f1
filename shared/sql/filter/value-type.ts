import { isAppError } from '../../api/problem.ts';
import { type ColumnType, parseColumnType } from '../../domain/column-type.ts';

export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

/** What a filter needs to know of a type: all texts are one kind, all integers another. */
export type ValueType =
  | { kind: 'null' | 'bool' | 'text' | 'binary' | 'interval' | 'json' | 'blob' | 'map' | 'other' }
  | IntType
  | { kind: 'float'; bits: 16 | 32 | 64 }
  | { kind: 'decimal'; precision: number; scale: number }
  | { kind: 'date'; unit: 'day' | 'ms' }
  | { kind: 'time' | 'duration'; unit: TimeUnit }
  | { kind: 'timestamp'; unit: TimeUnit; zone: string | null }
  | { kind: 'list'; item: ValueType; size?: number }
  | { kind: 'struct'; fields: { name: string; type: ValueType }[] };

export interface IntType {
  kind: 'int';
  bits: 8 | 16 | 32 | 64;
  isSigned: boolean;
}

export const int = (bits: IntType['bits'], isSigned = true): IntType => ({ kind: 'int', bits, isSigned });

function narrowType(type: ColumnType): ValueType {
  switch (type.kind) {
    case 'null':
    case 'bool':
    case 'json':
    case 'blob':
    case 'map':
    case 'interval':
      return { kind: type.kind };
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
      return int(Number(type.kind.slice(3)) as IntType['bits']);
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'uint64':
      return int(Number(type.kind.slice(4)) as IntType['bits'], false);
    case 'float16':
    case 'float32':
    case 'float64':
      return { kind: 'float', bits: Number(type.kind.slice(5)) as 16 };
    case 'utf8':
    case 'large_utf8':
      return { kind: 'text' };
    case 'binary':
    case 'large_binary':
    case 'fixed_size_binary':
      return { kind: 'binary' };
    case 'decimal128':
    case 'decimal256':
      return { kind: 'decimal', precision: type.precision, scale: type.scale };
    case 'date32':
      return { kind: 'date', unit: 'day' };
    case 'date64':
      return { kind: 'date', unit: 'ms' };
    case 'time32':
    case 'time64':
      return { kind: 'time', unit: type.unit };
    case 'duration':
      return { kind: 'duration', unit: type.unit };
    case 'timestamp':
      return { kind: 'timestamp', unit: type.unit, zone: type.timezone };
    case 'list':
    case 'large_list':
      return { kind: 'list', item: narrowType(type.item) };
    case 'fixed_size_list':
      return { kind: 'list', item: narrowType(type.item), size: type.size };
    case 'struct':
      return {
        kind: 'struct',
        fields: type.fields.map((field) => ({ name: field.name, type: narrowType(field.type) })),
      };
    case 'dictionary':
      return narrowType(type.value);
  }
}

/** Reads `ColumnInfo.type`; what is not known becomes `other`, which can only be tested for null. */
export function readValueType(text: string): ValueType {
  try {
    return narrowType(parseColumnType(text));
  } catch (error) {
    if (isAppError(error)) return { kind: 'other' };
    throw error;
  }
}

/** The type in short, for messages and to compare types. */
export function formatValueType(type: ValueType): string {
  switch (type.kind) {
    case 'int':
      return `${type.isSigned ? '' : 'u'}int${type.bits}`;
    case 'float':
      return `float${type.bits}`;
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'time':
    case 'duration':
      return `${type.kind}[${type.unit}]`;
    case 'timestamp':
      return `timestamp[${type.unit}${type.zone === null ? '' : `, ${type.zone}`}]`;
    case 'list':
      return `list<${formatValueType(type.item)}>`;
    case 'struct':
      return `struct<${type.fields.map((field) => `${field.name}: ${formatValueType(field.type)}`).join(', ')}>`;
    default:
      return type.kind;
  }
}
