import { didYouMean } from '../../domain/near-names.ts';
import {
  type BoundExpr,
  bool,
  castTo,
  describeExpr,
  float64,
  int64,
  isMoment,
  isNumeric,
  text,
  timestampUs,
} from './bound.ts';
import { asDouble, asText, coerceLiteral, literalOf, unify } from './coerce.ts';
import { type FunctionSpec, filterFunctions, findFunction, type Param } from './functions.ts';
import { bindProblem } from './source.ts';
import type { FilterExpr } from './syntax.ts';
import type { ValueType } from './value-type.ts';

/** What a text may be repeated or filled up to: the texts of many rows are in memory at once. */
const maxSize = 10_000;

type CallExpr = FilterExpr & { kind: 'call' };
export type Bind = (expr: FilterExpr) => BoundExpr;

const timeParts = new Set([
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
  'microsecond',
  'dow',
  'isodow',
  'doy',
  'epoch',
]);
const truncParts = new Set([
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
  'microsecond',
]);

const aggregates = new Set([
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'mean',
  'median',
  'row_number',
  'rank',
  'first',
  'last',
  'any_value',
]);

function unknownFunction({ name, at }: CallExpr) {
  if (aggregates.has(name))
    return bindProblem(
      `${name}(…) works over many rows and cannot stand in a filter.`,
      at,
      'Use the SQL workbench, for example with HAVING or a subquery.',
    );
  if (name === 'regexp_match')
    return bindProblem('regexp_match(…) cannot stand in a filter.', at, 'Use regexp_like(column, pattern).');
  if (name === 'if' || name === 'iff')
    return bindProblem(
      `${name}(…) cannot stand in a filter.`,
      at,
      'Join the conditions with “and” and “or”.',
    );
  return bindProblem(`There is no function ${name}.`, at, didYouMean(name, filterFunctions));
}

function checkCount({ name, args, at }: CallExpr, spec: FunctionSpec): void {
  const least = spec.params.length - spec.optional;
  const most = spec.isVariadic ? Number.POSITIVE_INFINITY : spec.params.length;
  if (args.length >= least && args.length <= most) return;
  const wanted =
    least === most
      ? String(least)
      : most === Number.POSITIVE_INFINITY
        ? `at least ${least}`
        : `${least} to ${most}`;
  throw bindProblem(
    `${name} takes ${wanted} ${wanted === '1' ? 'value' : 'values'}, not ${args.length}.`,
    at,
    `${name}(${spec.params.join(', ')})`,
  );
}

/** Looks up a function, checks its arguments and casts them to what both engines take alike. */
export function bindCall(call: CallExpr, bind: Bind): BoundExpr {
  if (call.name === 'make_array' || call.name === 'list_value')
    return bind({ kind: 'array', at: call.at, items: call.args });
  const [only] = call.args;
  if (
    call.args.length === 1 &&
    only &&
    (call.name === 'to_date' || (call.name === 'to_timestamp' && bind(only).type.kind === 'text'))
  ) {
    const type: ValueType = call.name === 'to_date' ? { kind: 'date', unit: 'day' } : timestampUs;
    return bind({ kind: 'cast', at: call.at, item: only, type, isTry: false });
  }
  const spec = findFunction(call.name);
  if (!spec) throw unknownFunction(call);
  checkCount(call, spec);
  const args: BoundExpr[] = [];
  call.args.forEach((arg, i) => {
    args.push(bindArgument(call, spec.params[Math.min(i, spec.params.length - 1)] as Param, arg, args, bind));
  });
  if (spec.params[1] === 'same') return bindAlike(call, spec, args);
  const { lance, duckdb } = templatesFor(spec, args);
  return { kind: 'call', at: call.at, type: resultOf(spec, args), args, lance, duckdb };
}

function templatesFor(spec: FunctionSpec, args: BoundExpr[]): { lance: string; duckdb: string } {
  const moment = spec.params[1] === 'moment' ? args[1]?.type : undefined;
  if (moment?.kind !== 'timestamp' || moment.zone === null) return spec;
  const zone = `'${moment.zone.replaceAll("'", "''")}'`;
  const local = spec.duckdb.replaceAll('$2', `$2 AT TIME ZONE ${zone}`);
  return { lance: spec.lance, duckdb: spec.result === 'second' ? `(${local}) AT TIME ZONE ${zone}` : local };
}

function resultOf(spec: FunctionSpec, args: BoundExpr[]): ValueType {
  switch (spec.result) {
    case 'first':
      return args[0]!.type;
    case 'second':
      return args[1]!.type;
    case 'item':
      return args[0]!.type.kind === 'list' ? args[0]!.type.item : text;
    case 'timestamptz':
      return { kind: 'timestamp', unit: 'us', zone: 'UTC' };
    case 'int':
      return int64;
    case 'float':
      return float64;
    case 'bool':
      return bool;
    case 'date':
      return { kind: 'date', unit: 'day' };
    case 'timestamp':
      return timestampUs;
    case 'json':
      return { kind: 'json' };
    default:
      return text;
  }
}

/** coalesce, nullif, greatest, least: all arguments in one type. */
function bindAlike(call: CallExpr, spec: FunctionSpec, args: BoundExpr[]): BoundExpr {
  const model =
    args.find((arg) => arg.kind !== 'literal') ?? args.find((arg) => arg.type.kind !== 'null') ?? args[0]!;
  let alike = args.map((arg, i) => {
    const raw = call.args[i]!;
    if (raw.kind !== 'literal' || arg === model || arg.type.kind === 'null') return arg;
    return isNumeric(model.type) && isNumeric(arg.type)
      ? arg
      : coerceLiteral(raw, model.type, `the first value of ${call.name}`);
  });
  const kinds = new Set(
    alike.map(({ type }) => (type.kind === 'float' || type.kind === 'decimal' ? 'float' : type.kind)),
  );
  kinds.delete('null');
  if (kinds.has('float')) alike = alike.map((arg) => (isNumeric(arg.type) ? asDouble(arg) : arg));
  for (const arg of alike) {
    if (!unify(alike[0]!, arg))
      throw bindProblem(
        `${call.name} needs values of one type, but ${describeExpr(alike[0]!)} and ${describeExpr(arg)}.`,
        arg.at,
      );
  }
  const typed = alike.find((arg) => arg.type.kind !== 'null') ?? alike[0]!;
  return { kind: 'call', at: call.at, type: typed.type, args: alike, lance: spec.lance, duckdb: spec.duckdb };
}

function bindArgument(
  call: CallExpr,
  param: Param,
  arg: FilterExpr,
  before: BoundExpr[],
  bind: Bind,
): BoundExpr {
  const refuse = (bound: BoundExpr, wanted: string, hint?: string) =>
    bindProblem(`${call.name} takes ${wanted} here, but ${describeExpr(bound)}.`, arg.at, hint);
  if (param === 'item' || param === 'items') return bindItem(call, param, arg, before[0]!, bind);
  const bound = bind(arg);
  const { kind } = bound.type;
  const isNull = kind === 'null';
  switch (param) {
    case 'any':
    case 'same':
      return bound;
    case 'text':
      if (isNull || kind === 'text') return bound;
      throw refuse(
        bound,
        'text',
        kind === 'list'
          ? 'For lists use array_has, array_has_any, array_has_all or array_length.'
          : kind === 'json'
            ? "Take the text out first: json_get_string(column, 'name')."
            : 'Write cast(… as text).',
      );
    case 'textual':
      if (isNull || ['text', 'int', 'bool'].includes(kind)) return asText(bound);
      throw refuse(bound, 'text', 'Write cast(… as text).');
    case 'int':
      if (isNull || kind === 'int') return bound;
      throw refuse(bound, 'a whole number');
    case 'size':
      if (isNull || (bound.kind === 'literal' && kind === 'int' && Number(bound.value) <= maxSize))
        return bound;
      throw refuse(bound, `a whole number of at most ${maxSize.toLocaleString('en')}`);
    case 'double':
      if (isNumeric(bound.type)) return asDouble(bound);
      if (isNull) return bound;
      throw refuse(bound, 'a number');
    case 'number':
      if (kind === 'int') return bound.kind === 'literal' ? bound : castTo(bound, int64);
      if (isNumeric(bound.type)) return asDouble(bound);
      throw refuse(bound, 'a number');
    case 'moment':
      if (arg.kind === 'literal' && kind === 'text') return coerceLiteral(arg, timestampUs, 'it');
      if (!isMoment(bound.type)) throw refuse(bound, 'a timestamp or a date');
      return kind === 'date' ? castTo(bound, timestampUs) : bound;
    case 'part': {
      const allowed = call.name.includes('trunc') ? truncParts : timeParts;
      const name =
        bound.kind === 'literal' && typeof bound.value === 'string'
          ? bound.value.toLowerCase().replace(/s$/, '')
          : '';
      if (!allowed.has(name))
        throw bindProblem(
          `${call.name} does not know this part of a time.`,
          arg.at,
          `It is one of ${[...allowed].join(', ')}.`,
        );
      return literalOf(arg.at, text, name);
    }
    case 'list':
      if (kind === 'list') return bound;
      throw refuse(bound, 'a list');
    case 'vector':
      if (kind === 'list' && isNumeric(bound.type.kind === 'list' ? bound.type.item : text)) return bound;
      throw refuse(bound, 'a vector');
    case 'json':
      if (kind === 'json') return bound;
      throw refuse(bound, 'JSON');
    case 'key':
      if (bound.kind === 'literal' && (kind === 'text' || kind === 'int')) return bound;
      throw refuse(bound, 'the name of a field as text, or the number of an element');
  }
}

function bindItem(
  call: CallExpr,
  param: 'item' | 'items',
  arg: FilterExpr,
  list: BoundExpr,
  bind: Bind,
): BoundExpr {
  if (list.type.kind !== 'list') throw bindProblem(`${call.name} takes a list first.`, call.at);
  const { item } = list.type;
  const what = `an element of the list`;
  if (
    param === 'items' &&
    (arg.kind === 'array' ||
      (arg.kind === 'call' && (arg.name === 'make_array' || arg.name === 'list_value')))
  ) {
    const raw = arg.kind === 'array' ? arg.items : arg.args;
    const items = raw.map((part) => (part.kind === 'literal' ? coerceLiteral(part, item, what) : bind(part)));
    return { kind: 'array', at: arg.at, type: { kind: 'list', item }, items };
  }
  if (param === 'item' && arg.kind === 'literal') return coerceLiteral(arg, item, what);
  const bound = bind(arg);
  const wanted: ValueType = param === 'item' ? item : list.type;
  const probe: BoundExpr = { kind: 'column', at: list.at, type: wanted, name: '', fields: [] };
  if (unify(probe, bound)) return bound;
  throw bindProblem(`${describeExpr(bound)}, which is not what the list holds.`, arg.at);
}
