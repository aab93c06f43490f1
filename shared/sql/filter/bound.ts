import type { ArithmeticOp, CompareOp } from './syntax.ts';
import type { ValueType } from './value-type.ts';
import type { Interval } from './values.ts';

/**
 * A value in its type's own unit: bigint for integers, times and days since 1970, number for floats, text for text,
 * decimals (`-12.50`) and bytes (hexadecimal).
 */
export type BoundValue = bigint | number | string | boolean | Interval | null;

/** A filter with names and types looked up and literals in the type of what they meet: both printers start here. */
export type BoundExpr = { at: number; type: ValueType } & (
  | { kind: 'literal'; value: BoundValue }
  | { kind: 'column'; name: string; fields: string[] }
  | { kind: 'not' | 'negate'; item: BoundExpr }
  | { kind: 'and' | 'or'; items: BoundExpr[] }
  | { kind: 'compare'; op: CompareOp; left: BoundExpr; right: BoundExpr }
  | { kind: 'arithmetic'; op: ArithmeticOp; left: BoundExpr; right: BoundExpr }
  | { kind: 'in'; item: BoundExpr; list: BoundExpr[]; isNegated: boolean }
  | { kind: 'like'; item: BoundExpr; pattern: BoundExpr; isCaseless: boolean; isNegated: boolean }
  | { kind: 'isNull'; item: BoundExpr; isNegated: boolean }
  | { kind: 'isBool'; item: BoundExpr; value: boolean; isNegated: boolean }
  | { kind: 'call'; args: BoundExpr[]; lance: string; duckdb: string }
  | { kind: 'cast'; item: BoundExpr; isTry: boolean }
  | { kind: 'index'; item: BoundExpr; index: BoundExpr }
  | { kind: 'field'; item: BoundExpr; name: string }
  | { kind: 'array'; items: BoundExpr[] }
);

export const bool: ValueType = { kind: 'bool' };
export const text: ValueType = { kind: 'text' };
export const int64: ValueType & { kind: 'int' } = { kind: 'int', bits: 64, isSigned: true };
export const float64: ValueType = { kind: 'float', bits: 64 };
export const float32: ValueType = { kind: 'float', bits: 32 };
export const timestampUs: ValueType = { kind: 'timestamp', unit: 'us', zone: null };

export const isNumeric = (type: ValueType): boolean =>
  type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal';

export const isMoment = (type: ValueType): boolean => type.kind === 'timestamp' || type.kind === 'date';

const kindNames: Record<string, string> = {
  null: 'null',
  bool: 'a boolean',
  int: 'a number',
  float: 'a number',
  decimal: 'a number',
  text: 'text',
  binary: 'bytes',
  date: 'a date',
  time: 'a time of day',
  timestamp: 'a timestamp',
  duration: 'a duration',
  interval: 'an interval',
  list: 'a list',
  struct: 'a struct',
  map: 'a map',
  json: 'JSON',
  blob: 'a blob',
};

/** The type in a person's words. */
export const nameOfKind = (type: ValueType): string => kindNames[type.kind] ?? 'of another type';

/** How an expression is called in messages. */
export function describeExpr(expr: BoundExpr): string {
  if (expr.kind === 'column') return `“${[expr.name, ...expr.fields].join('.')}” is ${nameOfKind(expr.type)}`;
  if (expr.kind === 'literal' && typeof expr.value === 'string' && expr.type.kind === 'text')
    return `'${expr.value.length > 40 ? `${expr.value.slice(0, 40)}…` : expr.value}' is text`;
  if (expr.kind === 'literal' && expr.value !== null && typeof expr.value !== 'object')
    return `${String(expr.value)} is ${nameOfKind(expr.type)}`;
  return `this is ${nameOfKind(expr.type)}`;
}

export function castTo(item: BoundExpr, type: ValueType, isTry = false): BoundExpr {
  return { kind: 'cast', at: item.at, type, item, isTry };
}
