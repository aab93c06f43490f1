import { isAppError } from '../api/problem.ts';
import { type ColumnType, parseColumnType } from './column-type.ts';
import type { ColumnInfo } from './columns.ts';

/** A value of a chip. Whole numbers beyond 2^53 keep their digits as `{number}`; times are text. */
export type FilterValue = string | number | boolean | { number: string };

export type FilterOp =
  | 'eq'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'between'
  | 'in'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'matches'
  | 'hasAny'
  | 'hasAll'
  | 'isBlank'
  | 'isEmpty'
  | 'isTrue'
  | 'isFalse'
  | 'isNaN'
  | 'isNull';

/** `list`: any number of values; `pair`: from and to. */
export type FilterArity = 'none' | 'one' | 'pair' | 'list';
/** The kind of control that takes a value. */
export type FilterInput = 'text' | 'number' | 'integer' | 'timestamp' | 'date' | 'time';

export interface OpInfo {
  op: FilterOp;
  /** Between column and values: `is`, `contains`, `is any of`, … */
  label: string;
  negatedLabel: string;
  arity: FilterArity;
  input: FilterInput;
}

/** Words between column and values, and how many values there are. */
export const opLabels: Record<FilterOp, [label: string, negated: string, arity: FilterArity]> = {
  eq: ['is', 'is not', 'one'],
  lt: ['is less than', 'is not less than', 'one'],
  lte: ['is at most', 'is not at most', 'one'],
  gt: ['is more than', 'is not more than', 'one'],
  gte: ['is at least', 'is not at least', 'one'],
  between: ['is between', 'is not between', 'pair'],
  in: ['is any of', 'is none of', 'list'],
  contains: ['contains', 'does not contain', 'one'],
  startsWith: ['starts with', 'does not start with', 'one'],
  endsWith: ['ends with', 'does not end with', 'one'],
  matches: ['matches', 'does not match', 'one'],
  hasAny: ['has any of', 'has none of', 'list'],
  hasAll: ['has all of', 'does not have all of', 'list'],
  isBlank: ['is empty text', 'is not empty text', 'none'],
  isEmpty: ['is empty', 'is not empty', 'none'],
  isTrue: ['is true', 'is not true', 'none'],
  isFalse: ['is false', 'is not false', 'none'],
  isNaN: ['is NaN', 'is not NaN', 'none'],
  isNull: ['is null', 'is not null', 'none'],
};

const timeLabels: Partial<Record<FilterOp, [string, string]>> = {
  lt: ['is before', 'is not before'],
  lte: ['is at or before', 'is not at or before'],
  gt: ['is after', 'is not after'],
  gte: ['is at or after', 'is not at or after'],
};

const orderOps: FilterOp[] = ['eq', 'gt', 'gte', 'lt', 'lte', 'between', 'in'];
const textOps: FilterOp[] = ['contains', 'in', 'eq', 'startsWith', 'endsWith', 'matches', 'isBlank'];
const labelOps: FilterOp[] = ['in', 'eq', 'contains', 'startsWith', 'endsWith', 'matches', 'isBlank'];

type Family = 'text' | 'float' | 'integer' | 'timestamp' | 'date' | 'time' | 'bool' | 'list' | 'other';

function familyOf(type: ColumnType): Family {
  switch (type.kind) {
    case 'utf8':
    case 'large_utf8':
      return 'text';
    case 'dictionary':
      return familyOf(type.value);
    case 'float16':
    case 'float32':
    case 'float64':
      return 'float';
    case 'decimal128':
    case 'decimal256':
      return 'integer';
    case 'timestamp':
      return 'timestamp';
    case 'date32':
    case 'date64':
      return 'date';
    case 'time32':
    case 'time64':
      return 'time';
    case 'bool':
      return 'bool';
    case 'list':
    case 'large_list':
      return ['text', 'integer', 'float'].includes(familyOf(type.item)) ? 'list' : 'other';
    default:
      return /^u?int/.test(type.kind) ? 'integer' : 'other';
  }
}

/** The type of a column; of none that can be compared where the text of the type cannot be read. */
function typeOf(column: Pick<ColumnInfo, 'type'>): ColumnType {
  try {
    return parseColumnType(column.type);
  } catch (error) {
    if (isAppError(error)) return { kind: 'null' };
    throw error;
  }
}

function inputOf(type: ColumnType): FilterInput {
  const family = familyOf(type);
  if (family === 'list' && 'item' in type) return inputOf(type.item);
  if (family === 'float' || type.kind.startsWith('decimal')) return 'number';
  return family === 'integer' || family === 'timestamp' || family === 'date' || family === 'time'
    ? family
    : 'text';
}

const opsOfFamily: Record<Family, FilterOp[]> = {
  text: textOps,
  float: [...orderOps, 'isNaN'],
  integer: orderOps,
  timestamp: ['between', 'gte', 'lt', 'gt', 'lte', 'eq'],
  date: ['between', 'eq', 'gte', 'lt', 'gt', 'lte', 'in'],
  time: ['between', 'gte', 'lt', 'gt', 'lte', 'eq'],
  bool: ['isTrue', 'isFalse'],
  list: ['hasAny', 'hasAll', 'isEmpty'],
  other: [],
};

/** What can be asked of a column in the builder, the most usual first; every column can be asked for nulls. */
export const opsFor = (column: Pick<ColumnInfo, 'type' | 'role'>): OpInfo[] =>
  opsForType(typeOf(column), column.role);

function opsForType(type: ColumnType, role: ColumnInfo['role']): OpInfo[] {
  const family = familyOf(type);
  const isTime = family === 'timestamp' || family === 'date' || family === 'time';
  const ops: FilterOp[] = [
    ...(family === 'text' && role === 'label' ? labelOps : opsOfFamily[family]),
    'isNull',
  ];
  return ops.map((op) => {
    const [label, negatedLabel, arity] = opLabels[op];
    const [shown = label, negated = negatedLabel] = (isTime ? timeLabels[op] : undefined) ?? [];
    return { op, label: shown, negatedLabel: negated, arity, input: inputOf(type) };
  });
}

/** A number that a person typed, with all its digits; null when it is none. */
export function parseNumberValue(text: string): FilterValue | null {
  const trimmed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed)) return null;
  const plain = trimmed.replace(/^\+/, '');
  const value = Number(plain);
  return /^-?\d+$/.test(plain) && !Number.isSafeInteger(value) ? { number: plain } : value;
}

/** A place in a row that can be asked for: a column, or a field inside of struct columns. */
export interface FilterPlace {
  column: string;
  /** Names of fields from the column inwards; none for the column itself. */
  path: string[];
  type: ColumnType;
  ops: OpInfo[];
}

const mostDepth = 6;

/** The columns, each followed by the fields of its structs. */
export function placesOf(columns: readonly Pick<ColumnInfo, 'name' | 'type' | 'role'>[]): FilterPlace[] {
  const places: FilterPlace[] = [];
  const add = (column: string, path: string[], type: ColumnType, role: ColumnInfo['role']): void => {
    places.push({ column, path, type, ops: opsForType(type, role) });
    if (type.kind !== 'struct' || path.length >= mostDepth) return;
    for (const field of type.fields) add(column, [...path, field.name], field.type, 'other');
  };
  for (const column of columns) add(column.name, [], typeOf(column), column.role);
  return places;
}
