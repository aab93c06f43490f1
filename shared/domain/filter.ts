import { isAppError } from '../api/problem.ts';
import { type FilterExpr, formatFilter, formatFilterName, parseFilter } from '../sql/filter.ts';
import { quoteText } from '../sql/literal.ts';
import type { ColumnInfo } from './columns.ts';
import { type FilterOp, type FilterValue, opLabels, parseNumberValue, placesOf } from './filter-ops.ts';

/** One condition on one column. An off chip stays on the screen but filters nothing. */
export interface ColumnChip {
  column: string;
  /** Fields of a struct column, from outside inwards. */
  path?: string[];
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

const formatSqlValue = (value: FilterValue): string => {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'object' ? value.number : String(value);
};

const likePattern = (value: FilterValue, before: string, after: string): string =>
  quoteText(`${before}${String(value).replaceAll(/[\\%_]/g, '\\$&')}${after}`);

/** A complete chip as a condition. */
export function chipToSql(chip: ColumnChip): string {
  const name = [chip.column, ...(chip.path ?? [])].map(formatFilterName).join('.');
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
    case 'isBlank':
      return `${name} ${chip.isNegated ? '<>' : '='} ''`;
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
  const [, , arity] = opLabels[chip.op];
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
  const [label, negated, arity] = opLabels[chip.op];
  const name = [chip.column, ...(chip.path ?? [])].join('.');
  const words = `${name} ${chip.isNegated ? negated : label}`;
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

const pathOf = (expr: FilterExpr): readonly string[] | null => {
  if (expr.kind === 'name') return expr.path;
  const outer = expr.kind === 'field' ? pathOf(expr.item) : null;
  return outer && expr.kind === 'field' ? [...outer, expr.name] : null;
};

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
  const [column, ...path] = pathOf(item) ?? [];
  if (column === undefined || values === null) return null;
  return { column, ...(path.length > 0 ? { path } : {}), op, values, ...(isNegated ? { isNegated } : {}) };
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
      const values = literalValues([expr.right]);
      const isBlank = op === 'eq' && values?.[0] === '';
      return chip(expr.left, isBlank ? 'isBlank' : op, isBlank ? [] : values, expr.op === '<>');
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
  const chipOf = chipReader(columns);
  const chips = (expr.kind === 'and' ? expr.items : [expr]).map(chipOf);
  return chips.every((found) => found !== null) ? chips : null;
}

/** Reads conditions as chips; null for what the builder has no chip for, and for columns that are not there. */
export function chipReader(
  columns: readonly Pick<ColumnInfo, 'name' | 'type' | 'role'>[],
): (expr: FilterExpr) => ColumnChip | null {
  const keyOf = (column: string, path: readonly string[] = []) => JSON.stringify([column, ...path]);
  const places = new Map(placesOf(columns).map((place) => [keyOf(place.column, place.path), place]));
  return (expr) => {
    const found = exprToChip(expr);
    const place = found && places.get(keyOf(found.column, found.path));
    return place?.ops.some(({ op }) => op === found?.op) ? found : null;
  };
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
