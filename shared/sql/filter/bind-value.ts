import { didYouMean } from '../../domain/near-names.ts';
import {
  type BoundExpr,
  castTo,
  describeExpr,
  int64,
  isMoment,
  isNumeric,
  nameOfKind,
  text,
  timestampUs,
} from './bound.ts';
import { asDouble, asText, literalOf, unify } from './coerce.ts';
import { bindProblem } from './source.ts';
import type { FilterExpr } from './syntax.ts';
import type { ValueType } from './value-type.ts';

type Bind = (expr: FilterExpr) => BoundExpr;

/** Sums, products, joined text; times with intervals. Whole numbers are computed in 64 bits, all others as doubles. */
export function bindArithmetic(
  { op, left, right, at }: FilterExpr & { kind: 'arithmetic' },
  bind: Bind,
): BoundExpr {
  let a = bind(left);
  let b = bind(right);
  if (op === '||') {
    for (const side of [a, b]) {
      if (!['text', 'int', 'bool', 'null'].includes(side.type.kind))
        throw bindProblem(`“||” joins text, but ${describeExpr(side)}.`, side.at, 'Write cast(… as text).');
    }
    return { kind: 'arithmetic', at, type: text, op, left: asText(a), right: asText(b) };
  }
  const isSum = op === '+' || op === '-';
  if (isSum && isMoment(a.type) && b.type.kind === 'interval') {
    const zone = a.type.kind === 'timestamp' ? a.type.zone : null;
    const type: ValueType = { kind: 'timestamp', unit: 'us', zone };
    return {
      kind: 'arithmetic',
      at,
      type,
      op,
      left: a.type.kind === 'date' ? castTo(a, timestampUs) : a,
      right: b,
    };
  }
  if (op === '-' && isMoment(a.type) && isMoment(b.type)) {
    const pair = unify(castMoment(a), castMoment(b))!;
    return {
      kind: 'arithmetic',
      at,
      type: { kind: 'duration', unit: 'us' },
      op,
      left: pair[0],
      right: pair[1],
    };
  }
  for (const side of [a, b]) {
    if (!isNumeric(side.type) && side.type.kind !== 'null')
      throw bindProblem(
        `“${op}” needs numbers, but ${describeExpr(side)}.`,
        side.at,
        isMoment(side.type) ? "Write interval '7 days' for what is added to a time." : undefined,
      );
  }
  const isWhole = a.type.kind === 'int' && b.type.kind === 'int';
  if (op === '//' && !isWhole) throw bindProblem('“//” divides whole numbers.', at, 'Use “/”.');
  if (isWhole && op !== '/') {
    [a, b] = [asLong(a), asLong(b)];
    return { kind: 'arithmetic', at, type: int64, op, left: a, right: b };
  }
  return {
    kind: 'arithmetic',
    at,
    type: { kind: 'float', bits: 64 },
    op,
    left: asDouble(a),
    right: asDouble(b),
  };
}

export function bindNegate({ item, at }: FilterExpr & { kind: 'negate' }, bind: Bind): BoundExpr {
  const bound = bind(item);
  if (!isNumeric(bound.type)) throw bindProblem(`“-” needs a number, but ${describeExpr(bound)}.`, at);
  return bound.type.kind === 'int'
    ? { kind: 'negate', at, type: int64, item: asLong(bound) }
    : { kind: 'negate', at, type: { kind: 'float', bits: 64 }, item: asDouble(bound) };
}

export function bindIndex({ item, index, at }: FilterExpr & { kind: 'index' }, bind: Bind): BoundExpr {
  const list = bind(item);
  if (index.kind === 'literal' && index.value.kind === 'text')
    return bindField(list, index.value.text, index.at);
  if (list.type.kind !== 'list')
    throw bindProblem(`[…] takes an element out of a list, but ${describeExpr(list)}.`, index.at);
  const position = bind(index);
  if (position.type.kind !== 'int')
    throw bindProblem('The number of an element is a whole number, from 1.', index.at);
  if (position.kind === 'literal' && position.value === 0n)
    throw bindProblem('Elements count from 1.', index.at);
  return { kind: 'index', at, type: list.type.item, item: list, index: position };
}

/** A field of a struct, also of one that is an element of a list. */
export function bindField(item: BoundExpr, name: string, at: number): BoundExpr {
  const type = fieldType(item.type, name, 'it', at);
  return item.kind === 'column'
    ? { ...item, type, fields: [...item.fields, name] }
    : { kind: 'field', at: item.at, type, item, name };
}

export const listSome = (names: string[]): string | undefined =>
  names.length === 0
    ? undefined
    : `The columns are ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}.`;

export function fieldType(type: ValueType, name: string, what: string, at: number): ValueType {
  if (type.kind === 'struct') {
    const field = type.fields.find((candidate) => candidate.name === name);
    if (field) return field.type;
    const names = type.fields.map((candidate) => candidate.name);
    throw bindProblem(
      `“${what}” has no field “${name}”.`,
      at,
      didYouMean(name, names) ?? listSome(names)?.replace('columns', 'fields'),
    );
  }
  if (type.kind === 'json')
    throw bindProblem(
      `“${what}” is JSON: its parts are not fields.`,
      at,
      `Write json_get_string(${what}, '${name}').`,
    );
  if (type.kind === 'list')
    throw bindProblem(
      `“${what}” is a list: “${name}” is a field of its elements.`,
      at,
      `Write ${what}[1].${name}.`,
    );
  throw bindProblem(`“${what}” has no fields.`, at, undefined);
}

const asLong = (expr: BoundExpr): BoundExpr =>
  expr.kind === 'literal' || expr.type.kind !== 'int' || (expr.type.bits === 64 && expr.type.isSigned)
    ? expr
    : castTo(expr, int64);

const castMoment = (expr: BoundExpr): BoundExpr =>
  expr.type.kind === 'date' || (expr.type.kind === 'timestamp' && expr.type.unit !== 'us')
    ? castTo(expr, {
        kind: 'timestamp',
        unit: 'us',
        zone: expr.type.kind === 'timestamp' ? expr.type.zone : null,
      })
    : expr;

const castTargets: Record<string, ReadonlySet<string>> = {
  bool: new Set(['bool', 'int', 'float', 'text']),
  int: new Set(['bool', 'int', 'float', 'decimal', 'text']),
  float: new Set(['bool', 'int', 'float', 'decimal', 'text']),
  decimal: new Set(['int', 'float', 'decimal', 'text']),
  text: new Set(['bool', 'int', 'float', 'decimal', 'text', 'date', 'timestamp', 'time', 'binary']),
  date: new Set(['date', 'timestamp', 'text']),
  timestamp: new Set(['date', 'timestamp', 'text', 'time']),
  time: new Set(['time', 'text']),
  binary: new Set(['binary']),
};

export function bindCast({ type, isTry, at }: FilterExpr & { kind: 'cast' }, item: BoundExpr): BoundExpr {
  if (item.type.kind === 'json' && type.kind === 'text') {
    const args = [item, literalOf(at, text, '$')];
    return {
      kind: 'call',
      at,
      type: text,
      args,
      lance: 'json_extract($1, $2)',
      duckdb: 'CAST($1 AS VARCHAR)',
    };
  }
  if (item.type.kind !== 'null' && !castTargets[item.type.kind]?.has(type.kind))
    throw bindProblem(`${describeExpr(item)}, which cannot be cast to ${nameOfKind(type)}.`, at);
  return castTo(item, type, isTry);
}

export function bindArray(
  { items, at }: FilterExpr & { kind: 'array' },
  bind: (expr: FilterExpr) => BoundExpr,
): BoundExpr {
  const bound = items.map(bind);
  const model = bound.find((item) => item.type.kind !== 'null');
  const hasFloat = bound.some((item) => item.type.kind === 'float');
  const alike = hasFloat ? bound.map((item) => (isNumeric(item.type) ? asDouble(item) : item)) : bound;
  for (const item of alike) {
    if (model && !unify(model, item)) throw bindProblem('The elements of a list have one type.', item.at);
  }
  return {
    kind: 'array',
    at,
    type: { kind: 'list', item: alike.find((item) => item.type.kind !== 'null')?.type ?? text },
    items: alike,
  };
}
