import { isAppError } from '../api/problem.ts';
import { type FilterExpr, formatFilter, formatFilterName, parseFilter } from '../sql/filter.ts';
import { quoteText } from '../sql/literal.ts';
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
  | 'isEmpty'
  | 'isTrue'
  | 'isFalse'
  | 'isNaN'
  | 'isNull';

/** One condition on one column. An off chip stays on the screen but filters nothing. */
export interface ColumnChip {
  column: string;
  op: FilterOp;
  values: FilterValue[];
  isNegated?: boolean;
  isOff?: boolean;
}

/** What the builder cannot say, as text. */
export interface SqlChip {
  sql: string;
  isOff?: boolean;
}

export type FilterChip = ColumnChip | SqlChip;

export const isSqlChip = (chip: FilterChip): chip is SqlChip => 'sql' in chip;

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

const labels: Record<FilterOp, [label: string, negated: string, arity: FilterArity]> = {
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
const textOps: FilterOp[] = ['contains', 'in', 'eq', 'startsWith', 'endsWith', 'matches'];
const labelOps: FilterOp[] = ['in', 'eq', 'contains', 'startsWith', 'endsWith', 'matches'];

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
export function opsFor(column: Pick<ColumnInfo, 'type' | 'role'>): OpInfo[] {
  const type = typeOf(column);
  const family = familyOf(type);
  const isTime = family === 'timestamp' || family === 'date' || family === 'time';
  const ops: FilterOp[] = [
    ...(family === 'text' && column.role === 'label' ? labelOps : opsOfFamily[family]),
    'isNull',
  ];
  return ops.map((op) => {
    const [label, negatedLabel, arity] = labels[op];
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

const formatSqlValue = (value: FilterValue): string => {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'object' ? value.number : String(value);
};

const likePattern = (value: FilterValue, before: string, after: string): string =>
  quoteText(`${before}${String(value).replaceAll(/[\\%_]/g, '\\$&')}${after}`);

function chipToSql(chip: ColumnChip): string {
  const name = formatFilterName(chip.column);
  const values = chip.values.map(formatSqlValue);
  const [first = "''", second = "''"] = values;
  const not = chip.isNegated ? 'not ' : '';
  const compare = (op: string, opposite: string) => `${name} ${chip.isNegated ? opposite : op} ${first}`;
  switch (chip.op) {
    case 'eq':
      return compare('=', '<>');
    case 'lt':
      return compare('<', '>=');
    case 'lte':
      return compare('<=', '>');
    case 'gt':
      return compare('>', '<=');
    case 'gte':
      return compare('>=', '<');
    case 'between':
      return `${name} ${not}between ${first} and ${second}`;
    case 'in':
      return `${name} ${not}in (${values.join(', ')})`;
    case 'contains':
      return `${name} ${not}ilike ${likePattern(chip.values[0] as FilterValue, '%', '%')}`;
    case 'startsWith':
      return `${name} ${not}ilike ${likePattern(chip.values[0] as FilterValue, '', '%')}`;
    case 'endsWith':
      return `${name} ${not}ilike ${likePattern(chip.values[0] as FilterValue, '%', '')}`;
    case 'matches':
      return `${not}regexp_like(${name}, ${first})`;
    case 'hasAny':
      return `${not}array_has_any(${name}, [${values.join(', ')}])`;
    case 'hasAll':
      return `${not}array_has_all(${name}, [${values.join(', ')}])`;
    case 'isEmpty':
      return `${not}empty(${name})`;
    case 'isTrue':
      return `${name} is ${not}true`;
    case 'isFalse':
      return `${name} is ${not}false`;
    case 'isNaN':
      return `${not}isnan(${name})`;
    case 'isNull':
      return `${name} is ${not}null`;
  }
}

/** A chip that still misses values filters nothing. */
export const isComplete = (chip: FilterChip): boolean => {
  if (isSqlChip(chip)) return chip.sql.trim() !== '';
  const [, , arity] = labels[chip.op];
  return arity === 'none' || (arity === 'pair' ? chip.values.length >= 2 : chip.values.length >= 1);
};

/** All chips that are on, joined by `and`; undefined when none filters. */
export function filterToSql(chips: readonly FilterChip[]): string | undefined {
  const active = chips.filter((chip) => chip.isOff !== true && isComplete(chip));
  if (active.length === 0) return undefined;
  return active
    .map((chip) => (isSqlChip(chip) ? (active.length === 1 ? chip.sql : `(${chip.sql})`) : chipToSql(chip)))
    .join(' and ');
}

const shownValue = (value: FilterValue): string =>
  typeof value === 'object' ? value.number : value === '' ? '“”' : String(value);

/** The chip in words: `category is any of tools, fish`. */
export function formatChip(chip: FilterChip): string {
  if (isSqlChip(chip)) return chip.sql;
  const [label, negated, arity] = labels[chip.op];
  const words = `${chip.column} ${chip.isNegated ? negated : label}`;
  if (arity === 'none') return words;
  if (arity === 'pair') return `${words} ${chip.values.map(shownValue).join(' and ')}`;
  const shown = chip.values.slice(0, 5).map(shownValue).join(', ');
  return `${words} ${shown}${chip.values.length > 5 ? ` and ${chip.values.length - 5} more` : ''}`;
}

const compareOps: Record<string, FilterOp> = {
  '=': 'eq',
  '<>': 'eq',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
};

const columnOf = (expr: FilterExpr): string | null =>
  expr.kind === 'name' && expr.path.length === 1 ? expr.path[0]! : null;

function literalValue(expr: FilterExpr): FilterValue | null {
  if (expr.kind !== 'literal') return null;
  const { value } = expr;
  switch (value.kind) {
    case 'number':
      return parseNumberValue(value.text);
    case 'text':
    case 'timestamp':
    case 'date':
    case 'time':
      return value.text;
    case 'bool':
      return value.value;
    default:
      return null;
  }
}

function literalValues(items: readonly FilterExpr[]): FilterValue[] | null {
  const values = items.map(literalValue);
  return values.every((value) => value !== null) ? values : null;
}

function chip(
  item: FilterExpr,
  op: FilterOp,
  values: FilterValue[] | null,
  isNegated: boolean,
): ColumnChip | null {
  const column = columnOf(item);
  if (column === null || values === null) return null;
  return { column, op, values, ...(isNegated ? { isNegated } : {}) };
}

function likeToChip(expr: FilterExpr & { kind: 'like' }): ColumnChip | null {
  const pattern = literalValue(expr.pattern);
  if (!expr.isCaseless || typeof pattern !== 'string') return null;
  const match = /^(%?)((?:[^%_\\]|\\[%_\\])*)(%?)$/s.exec(pattern);
  if (!match) return null;
  const [, before, inner = '', after] = match;
  const op: FilterOp | null =
    before && after ? 'contains' : after ? 'startsWith' : before ? 'endsWith' : null;
  return op && chip(expr.item, op, [inner.replaceAll(/\\(.)/gs, '$1')], expr.isNegated);
}

function callToChip(expr: FilterExpr & { kind: 'call' }, isNegated: boolean): ColumnChip | null {
  const [item, given] = expr.args;
  if (!item) return null;
  switch (expr.name) {
    case 'regexp_like':
      return given && expr.args.length === 2
        ? chip(item, 'matches', literalValues([given]), isNegated)
        : null;
    case 'array_has':
      return given ? chip(item, 'hasAny', literalValues([given]), isNegated) : null;
    case 'array_has_any':
    case 'array_has_all': {
      const op = expr.name === 'array_has_any' ? 'hasAny' : 'hasAll';
      return given?.kind === 'array' ? chip(item, op, literalValues(given.items), isNegated) : null;
    }
    case 'empty':
      return chip(item, 'isEmpty', [], isNegated);
    case 'isnan':
      return chip(item, 'isNaN', [], isNegated);
    default:
      return null;
  }
}

function exprToChip(expr: FilterExpr): ColumnChip | null {
  switch (expr.kind) {
    case 'compare': {
      const op = compareOps[expr.op]!;
      return chip(expr.left, op, literalValues([expr.right]), expr.op === '<>');
    }
    case 'between':
      return chip(expr.item, 'between', literalValues([expr.low, expr.high]), expr.isNegated);
    case 'in':
      return chip(expr.item, 'in', literalValues(expr.list), expr.isNegated);
    case 'like':
      return likeToChip(expr);
    case 'isNull':
      return chip(expr.item, 'isNull', [], expr.isNegated);
    case 'isBool':
      return chip(expr.item, expr.value ? 'isTrue' : 'isFalse', [], expr.isNegated);
    case 'call':
      return callToChip(expr, false);
    case 'not':
      return expr.item.kind === 'call' ? callToChip(expr.item, true) : null;
    default:
      return null;
  }
}

/**
 * The chips that say the same as a filter's text, or null when the builder cannot say it (then the text is one SQL chip),
 * when it names a column that is not there, or when it cannot be read.
 */
export function sqlToChips(
  text: string,
  columns: readonly Pick<ColumnInfo, 'name' | 'type' | 'role'>[],
): ColumnChip[] | null {
  let expr: FilterExpr;
  try {
    expr = parseFilter(text);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
  const byName = new Map(columns.map((column) => [column.name, column]));
  const chips: ColumnChip[] = [];
  for (const item of expr.kind === 'and' ? expr.items : [expr]) {
    const found = exprToChip(item);
    const column = found && byName.get(found.column);
    if (!found || !column || !opsFor(column).some(({ op }) => op === found.op)) return null;
    chips.push(found);
  }
  return chips;
}

/** The conditions that `and` joins, each as text of its own; the text itself when it cannot be read. */
export function splitFilter(text: string): string[] {
  try {
    const expr = parseFilter(text);
    return expr.kind === 'and' ? expr.items.map(formatFilter) : [text.trim()];
  } catch (error) {
    if (isAppError(error)) return [text.trim()];
    throw error;
  }
}
