import {
  type BoundExpr,
  type BoundValue,
  castTo,
  describeExpr,
  float32,
  float64,
  int64,
  isMoment,
  isNumeric,
  nameOfKind,
  text,
  timestampUs,
} from './bound.ts';
import { bindProblem } from './source.ts';
import type { FilterExpr, LiteralValue } from './syntax.ts';
import { formatValueType, type ValueType } from './value-type.ts';
import {
  type Fit,
  fitDay,
  fitFloat,
  fitInstant,
  fitInt,
  nanosPer,
  readDecimal,
  readInstant,
  readInterval,
  readTime,
} from './values.ts';

type LiteralExpr = FilterExpr & { kind: 'literal' };

const exact = (value: BoundValue): Fit<BoundValue> => ({ kind: 'exact', value });

/** A decimal's plain digits, without an exponent. */
function plainDecimal(digits: bigint, exponent: number): string {
  if (exponent >= 0) return String(digits * 10n ** BigInt(exponent));
  const size = String(digits < 0n ? -digits : digits).padStart(1 - exponent, '0');
  return `${digits < 0n ? '-' : ''}${size.slice(0, exponent)}.${size.slice(exponent)}`;
}

/** The type that a decimal literal has by itself. */
export function decimalTypeOf(value: string): ValueType {
  const [, fraction = ''] = value.split('.');
  return { kind: 'decimal', precision: 38, scale: fraction.length };
}

const wrongType = (literal: LiteralExpr, type: ValueType, what: string, hint?: string) =>
  bindProblem(`${describeExpr(bindLiteral(literal))}, but ${what} is ${nameOfKind(type)}.`, literal.at, hint);

function fitMoment(literal: LiteralExpr, value: string, type: ValueType, what: string): Fit<BoundValue> {
  const instant = readInstant(value);
  if (instant === null)
    throw bindProblem(
      `'${value.slice(0, 40)}' cannot be read as a point in time, but ${what} is ${nameOfKind(type)}.`,
      literal.at,
      "Write '2024-03-09' or '2024-03-09 14:05:00', with Z or +02:00 for a zone (UTC without one).",
    );
  return type.kind === 'timestamp' ? fitInstant(instant.nanos, type.unit) : fitDay(instant.nanos);
}

/** Where the literal stands among the values of a type. Throws SQL_BIND when the two cannot be compared. */
export function fitLiteral(literal: LiteralExpr, type: ValueType, what: string): Fit<BoundValue> {
  const { value } = literal;
  if (value.kind === 'null') return exact(null);
  switch (type.kind) {
    case 'int':
      if (value.kind === 'number') return fitInt(value.text, type);
      break;
    case 'float':
      if (value.kind === 'number') return exact(fitFloat(value.text, type.bits));
      break;
    case 'decimal': {
      if (value.kind !== 'number') break;
      const decimal = readDecimal(value.text);
      const plain = decimal && plainDecimal(decimal.digits, decimal.exponent);
      if (plain && plain.replace(/[-.]/g, '').length <= 38) return exact(plain);
      if (decimal && decimal.exponent < -38) return fitDecimalBetween(value.text);
      return { kind: value.text.startsWith('-') ? 'below' : 'above' };
    }
    case 'bool':
      if (value.kind === 'bool') return exact(value.value);
      break;
    case 'text':
      if (value.kind === 'text') return exact(value.text);
      break;
    case 'binary':
      if (value.kind === 'bytes') return exact(value.hex);
      break;
    case 'timestamp':
    case 'date':
      if (value.kind === 'text' || value.kind === 'timestamp' || value.kind === 'date')
        return fitMoment(literal, value.text, type, what);
      break;
    case 'time': {
      if (value.kind !== 'text' && value.kind !== 'time') break;
      const nanos = readTime(value.text);
      if (nanos === null)
        throw bindProblem(
          `'${value.text.slice(0, 40)}' is not a time of day, but ${what} is one.`,
          literal.at,
          "Write '14:05:00'.",
        );
      return fitInstant(nanos, type.unit);
    }
    case 'duration': {
      if (value.kind !== 'text' && value.kind !== 'interval') break;
      const interval = readInterval(value.text);
      if (interval === null || interval.months !== 0)
        throw bindProblem(
          `'${value.text.slice(0, 40)}' is not a duration, but ${what} is one.`,
          literal.at,
          "Write interval '90 minutes' or '2 days'.",
        );
      return fitInstant(interval.nanos + BigInt(interval.days) * 86_400_000_000_000n, type.unit);
    }
    case 'json':
      throw wrongType(
        literal,
        type,
        what,
        "Compare a part of it: json_get_string(column, 'name') = 'value'.",
      );
    case 'blob':
      throw wrongType(literal, type, what, 'Blobs can only be tested with “is null” and “is not null”.');
    case 'list':
      throw wrongType(
        literal,
        type,
        what,
        'Use array_has(column, value), or column[1] for the first element.',
      );
  }
  throw wrongType(literal, type, what, hintFor(value, type));
}

const fitDecimalBetween = (digits: string): Fit<BoundValue> => ({
  kind: 'between',
  floor: digits.startsWith('-') ? `-${'0.'.padEnd(39, '0')}1` : '0',
});

function hintFor(value: LiteralValue, type: ValueType): string | undefined {
  if (value.kind === 'text' && isNumeric(type))
    return `Write the number without quotes${/^-?[\d.]+$/.test(value.text) ? `: ${value.text}` : ''}.`;
  if (value.kind === 'number' && type.kind === 'text') return `Write text in quotes: '${value.text}'.`;
  if (value.kind === 'number' && isMoment(type))
    return "Write times as text: timestamp '2024-03-09 14:05:00' or date '2024-03-09'.";
  if (type.kind === 'bool') return 'Write true or false.';
  if (type.kind === 'binary') return "Write bytes as x'00ff'.";
  return undefined;
}

/** The literal in a type that holds it exactly; else an error. */
export function coerceLiteral(literal: LiteralExpr, type: ValueType, what: string): BoundExpr {
  const fit = fitLiteral(literal, type, what);
  if (fit.kind !== 'exact')
    throw bindProblem(
      `This value is outside of what ${what} can hold (${formatValueType(type)}).`,
      literal.at,
    );
  return literalOf(literal.at, type, fit.value);
}

export function literalOf(at: number, type: ValueType, value: BoundValue): BoundExpr {
  const own = type.kind === 'decimal' && typeof value === 'string' ? decimalTypeOf(value) : type;
  return { kind: 'literal', at, type: own, value };
}

/** A literal by itself: whole numbers are int64, others float64, times in microseconds. */
export function bindLiteral(literal: LiteralExpr): BoundExpr {
  const { at, value } = literal;
  switch (value.kind) {
    case 'null':
      return literalOf(at, { kind: 'null' }, null);
    case 'bool':
      return literalOf(at, { kind: 'bool' }, value.value);
    case 'text':
      return literalOf(at, text, value.text);
    case 'bytes':
      return literalOf(at, { kind: 'binary' }, value.hex);
    case 'number': {
      const fit = /^-?\d+$/.test(value.text) ? fitInt(value.text, int64) : null;
      return fit?.kind === 'exact'
        ? literalOf(at, int64, fit.value)
        : literalOf(at, float64, Number(value.text));
    }
    case 'interval': {
      const interval = readInterval(value.text);
      if (interval === null)
        throw bindProblem(
          `'${value.text.slice(0, 40)}' is not an interval.`,
          at,
          "Write interval '7 days' or '1 hour 30 minutes'.",
        );
      return literalOf(at, { kind: 'interval' }, interval);
    }
    case 'time': {
      const nanos = readTime(value.text);
      if (nanos === null)
        throw bindProblem(`'${value.text.slice(0, 40)}' is not a time of day.`, at, "Write time '14:05:00'.");
      return literalOf(at, { kind: 'time', unit: 'us' }, nanos / nanosPer('us'));
    }
    case 'date':
    case 'timestamp': {
      const type: ValueType = value.kind === 'date' ? { kind: 'date', unit: 'day' } : timestampUs;
      const fit = fitMoment(literal, value.text, type, 'it');
      return literalOf(at, type, fit.kind === 'exact' ? fit.value : fit.kind === 'between' ? fit.floor : 0n);
    }
  }
}

/** Casts both to one type in which the engines agree; null when the two cannot be compared. */
export function unify(left: BoundExpr, right: BoundExpr): [BoundExpr, BoundExpr] | null {
  const a = left.type;
  const b = right.type;
  if (a.kind === 'null' || b.kind === 'null') return [left, right];
  if (isNumeric(a) && isNumeric(b)) {
    if (a.kind === 'int' && b.kind === 'int') return [left, right];
    if (a.kind === 'decimal' && b.kind === 'decimal') return [left, right];
    if (a.kind === 'float' && b.kind === 'float' && a.bits < 64 && b.bits < 64)
      return [as(left, float32), as(right, float32)];
    return [as(left, float64), as(right, float64)];
  }
  if (isMoment(a) && isMoment(b)) {
    if (a.kind === 'date' && b.kind === 'date') return [left, right];
    if (a.kind === 'timestamp' && b.kind === 'timestamp' && (a.zone === null) === (b.zone === null))
      return [left, right];
    const zone =
      (a.kind === 'timestamp' && a.zone !== null) || (b.kind === 'timestamp' && b.zone !== null)
        ? 'UTC'
        : null;
    const target: ValueType = { kind: 'timestamp', unit: 'us', zone };
    return [asMoment(left, target), asMoment(right, target)];
  }
  if (a.kind === 'list' && b.kind === 'list')
    return formatValueType(a.item) === formatValueType(b.item) || isNumeric(a.item) === isNumeric(b.item)
      ? [left, right]
      : null;
  if (a.kind === 'struct' && b.kind === 'struct')
    return formatValueType(a) === formatValueType(b) ? [left, right] : null;
  const isComparable = a.kind === b.kind && !['blob', 'json', 'map', 'other'].includes(a.kind);
  return isComparable ? [left, right] : null;
}

const as = (expr: BoundExpr, type: ValueType): BoundExpr =>
  formatValueType(expr.type) === formatValueType(type) ? expr : castTo(expr, type);

const asMoment = (expr: BoundExpr, target: ValueType & { kind: 'timestamp' }): BoundExpr =>
  expr.type.kind === 'timestamp' && (expr.type.zone === null) === (target.zone === null)
    ? expr
    : castTo(expr, target);

/** The expression as a 64-bit float, with literals rewritten instead of cast. */
export function asDouble(expr: BoundExpr): BoundExpr {
  if (expr.kind === 'literal' && typeof expr.value === 'bigint' && expr.type.kind === 'int')
    return literalOf(expr.at, float64, Number(expr.value));
  return as(expr, float64);
}

export const asText = (expr: BoundExpr): BoundExpr =>
  expr.type.kind === 'text' || expr.type.kind === 'null' ? expr : castTo(expr, text);
