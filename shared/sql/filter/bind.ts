import type { ColumnInfo } from '../../domain/columns.ts';
import { didYouMean } from '../../domain/near-names.ts';
import { bindCall } from './bind-call.ts';
import {
  type BoundExpr,
  bool,
  castTo,
  describeExpr,
  int64,
  isMoment,
  isNumeric,
  nameOfKind,
  text,
  timestampUs,
} from './bound.ts';
import { asDouble, asText, bindLiteral, fitLiteral, literalOf, unify } from './coerce.ts';
import { bindProblem } from './source.ts';
import type { CompareOp, FilterExpr } from './syntax.ts';
import { readValueType, type ValueType } from './value-type.ts';

type LiteralExpr = FilterExpr & { kind: 'literal' };

/** Columns that Lance has beside those of the schema. */
const systemColumns: Record<string, ValueType> = {
  _rowid: { kind: 'int', bits: 64, isSigned: false },
  _rowaddr: { kind: 'int', bits: 64, isSigned: false },
  _row_created_at_version: { kind: 'int', bits: 64, isSigned: false },
  _row_last_updated_at_version: { kind: 'int', bits: 64, isSigned: false },
};

const flipped: Record<CompareOp, CompareOp> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

export interface BoundFilter {
  expr: BoundExpr;
  columns: string[];
}

type Columns = readonly Pick<ColumnInfo, 'name' | 'type'>[];

/** Looks up names and types. Throws a FilterProblem (SQL_BIND) at the first thing that does not fit. */
export const bindFilter = (filter: FilterExpr, columns: Columns): BoundFilter => {
  const { bindCondition, used } = createBinder(columns);
  const expr = bindCondition(filter);
  return { expr, columns: [...used].sort() };
};

/** As {@link bindFilter}, for an expression that gives any value. */
export const bindExpression = (expression: FilterExpr, columns: Columns): BoundFilter => {
  const { bind, used } = createBinder(columns);
  const expr = bind(expression);
  return { expr, columns: [...used].sort() };
};

function createBinder(columns: Columns) {
  const byName = new Map(columns.map(({ name, type }) => [name, type]));
  const types = new Map<string, ValueType>();
  const used = new Set<string>();

  const typeOf = (name: string): ValueType | undefined => {
    const known = types.get(name) ?? systemColumns[name];
    if (known) return known;
    const written = byName.get(name);
    if (written === undefined) return undefined;
    const type = readValueType(written);
    types.set(name, type);
    return type;
  };

  const bindName = ({ path, at }: FilterExpr & { kind: 'name' }): BoundExpr => {
    const [name, ...fields] = path as [string, ...string[]];
    let type = typeOf(name);
    if (!type) {
      const names = columns.filter(({ name: other }) => other !== '_key').map(({ name: other }) => other);
      throw bindProblem(`There is no column “${name}”.`, at, didYouMean(name, names) ?? listSome(names));
    }
    if (name.includes('`'))
      throw bindProblem(
        `The column “${name}” has a backtick in its name and cannot be filtered by.`,
        at,
        'Rename the column.',
      );
    used.add(name);
    for (const [i, field] of fields.entries())
      type = fieldType(type, field, path.slice(0, i + 1).join('.'), at);
    return { kind: 'column', at, type, name, fields };
  };

  const bindCondition = (expr: FilterExpr): BoundExpr => {
    const bound = bind(expr);
    if (bound.type.kind === 'bool') return bound;
    if (bound.type.kind === 'null') return castTo(bound, bool);
    throw bindProblem(
      `A condition is needed here, but ${describeExpr(bound)}.`,
      expr.at,
      expr.kind === 'name'
        ? `Compare it, for example ${expr.path.join('.')} ${isNumeric(bound.type) ? '> 0' : 'is not null'}.`
        : undefined,
    );
  };

  const bindCompare = (op: CompareOp, left: FilterExpr, right: FilterExpr, at: number): BoundExpr => {
    if (left.kind === 'literal' && right.kind !== 'literal')
      return compareLiteral(flipped[op], bind(right), left, at);
    if (right.kind === 'literal' && left.kind !== 'literal') return compareLiteral(op, bind(left), right, at);
    const a = bind(left);
    const b = bind(right);
    const pair = unify(a, b);
    if (!pair)
      throw bindProblem(
        `${describeExpr(a)} and ${describeExpr(b)}: they cannot be compared.`,
        right.at,
        hintForPair(a, b),
      );
    return { kind: 'compare', at, type: bool, op, left: pair[0], right: pair[1] };
  };

  const bindIn = ({ item, list, isNegated, at }: FilterExpr & { kind: 'in' }): BoundExpr => {
    const bound = bind(item);
    const what = whatOf(bound);
    const values: BoundExpr[] = [];
    for (const element of list) {
      if (element.kind === 'literal') {
        if (element.value.kind !== 'null') assertComparable(bound, element);
        const fit = fitLiteral(
          element,
          bound.type.kind === 'null' ? bindLiteral(element).type : literalTarget(bound),
          what,
        );
        if (fit.kind === 'exact')
          values.push(
            literalOf(
              element.at,
              element.value.kind === 'null' ? { kind: 'null' } : literalTarget(bound),
              fit.value,
            ),
          );
        continue;
      }
      const value = bind(element);
      const pair = unify(bound, value);
      if (!pair)
        throw bindProblem(`${describeExpr(value)}, but ${what} is ${nameOfKind(bound.type)}.`, element.at);
      values.push(pair[1]);
    }
    const operand = narrow(bound);
    if (values.length === 0)
      return { kind: 'compare', at, type: bool, op: isNegated ? '=' : '<>', left: operand, right: operand };
    return { kind: 'in', at, type: bool, item: operand, list: values, isNegated };
  };

  const bindBetween = ({ item, low, high, isNegated, at }: FilterExpr & { kind: 'between' }): BoundExpr => {
    const items = [
      bindCompare(isNegated ? '<' : '>=', item, low, at),
      bindCompare(isNegated ? '>' : '<=', item, high, at),
    ];
    return { kind: isNegated ? 'or' : 'and', at, type: bool, items };
  };

  const bindArithmetic = ({ op, left, right, at }: FilterExpr & { kind: 'arithmetic' }): BoundExpr => {
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
  };

  const bindIndex = ({ item, index, at }: FilterExpr & { kind: 'index' }): BoundExpr => {
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
  };

  const bindField = (item: BoundExpr, name: string, at: number): BoundExpr => {
    const type = fieldType(item.type, name, 'it', at);
    return item.kind === 'column'
      ? { ...item, type, fields: [...item.fields, name] }
      : { kind: 'field', at: item.at, type, item, name };
  };

  const bind = (expr: FilterExpr): BoundExpr => {
    const { at } = expr;
    switch (expr.kind) {
      case 'literal':
        return bindLiteral(expr);
      case 'name':
        return bindName(expr);
      case 'and':
      case 'or':
        return { kind: expr.kind, at, type: bool, items: expr.items.map(bindCondition) };
      case 'not':
        return { kind: 'not', at, type: bool, item: bindCondition(expr.item) };
      case 'negate': {
        const item = bind(expr.item);
        if (!isNumeric(item.type)) throw bindProblem(`“-” needs a number, but ${describeExpr(item)}.`, at);
        return {
          kind: 'negate',
          at,
          type: item.type.kind === 'int' ? int64 : { kind: 'float', bits: 64 },
          item: item.type.kind === 'int' ? asLong(item) : asDouble(item),
        };
      }
      case 'compare':
        return bindCompare(expr.op, expr.left, expr.right, at);
      case 'arithmetic':
        return bindArithmetic(expr);
      case 'between':
        return bindBetween(expr);
      case 'in':
        return bindIn(expr);
      case 'like': {
        const item = bind(expr.item);
        const pattern = bind(expr.pattern);
        for (const side of [item, pattern]) {
          if (side.type.kind !== 'text' && side.type.kind !== 'null')
            throw bindProblem(
              `“like” compares text, but ${describeExpr(side)}.`,
              side.at,
              side.type.kind === 'list' ? 'Use array_has(column, value).' : 'Write cast(… as text).',
            );
        }
        return {
          kind: 'like',
          at,
          type: bool,
          item,
          pattern,
          isCaseless: expr.isCaseless,
          isNegated: expr.isNegated,
        };
      }
      case 'isNull':
        return { kind: 'isNull', at, type: bool, item: bind(expr.item), isNegated: expr.isNegated };
      case 'isBool':
        return {
          kind: 'isBool',
          at,
          type: bool,
          item: bindCondition(expr.item),
          value: expr.value,
          isNegated: expr.isNegated,
        };
      case 'distinct':
        return bindDistinct(expr, bind, bindCompare);
      case 'call':
        return bindCall(expr, bind);
      case 'cast':
        return bindCast(expr, bind(expr.item));
      case 'index':
        return bindIndex(expr);
      case 'field':
        return bindField(bind(expr.item), expr.name, at);
      case 'array':
        return bindArray(expr, bind);
    }
  };

  return { bind, bindCondition, used };
}

const listSome = (names: string[]): string | undefined =>
  names.length === 0
    ? undefined
    : `The columns are ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}.`;

const whatOf = (expr: BoundExpr): string =>
  expr.kind === 'column' ? `“${[expr.name, ...expr.fields].join('.')}”` : 'the other side';

/** The type in which literals are read that meet the expression. */
const literalTarget = (expr: BoundExpr): ValueType => expr.type;

/** Lance cannot compare 16-bit floats with literals; as 32-bit floats they stay what they are. */
function narrow(expr: BoundExpr): BoundExpr {
  return expr.type.kind === 'float' && expr.type.bits === 16
    ? castTo(expr, { kind: 'float', bits: 32 })
    : expr;
}

function assertComparable(expr: BoundExpr, literal: LiteralExpr): void {
  const { kind } = expr.type;
  if (kind === 'struct' || kind === 'map' || kind === 'other')
    throw bindProblem(
      `${describeExpr(expr)} and cannot be compared with a value.`,
      literal.at,
      kind === 'struct' ? 'Compare one of its fields: column.field = value.' : undefined,
    );
}

function compareLiteral(op: CompareOp, item: BoundExpr, literal: LiteralExpr, at: number): BoundExpr {
  const operand = narrow(item);
  const compare = (with_: CompareOp, right: BoundExpr): BoundExpr => ({
    kind: 'compare',
    at,
    type: bool,
    op: with_,
    left: operand,
    right,
  });
  if (literal.value.kind === 'null' || item.type.kind === 'null') return compare(op, bindLiteral(literal));
  assertComparable(item, literal);
  const fit = fitLiteral(literal, item.type, whatOf(item));
  const type = operand.type;
  switch (fit.kind) {
    case 'exact':
      return compare(op, literalOf(literal.at, type, fit.value));
    case 'between':
      if (op === '=' || op === '<>') return compare(op === '=' ? '<>' : '=', operand);
      return compare(op === '>' || op === '>=' ? '>' : '<=', literalOf(literal.at, type, fit.floor));
    case 'below':
    case 'above': {
      const isAlways =
        op === '<>' || (fit.kind === 'above' ? op === '<' || op === '<=' : op === '>' || op === '>=');
      return compare(isAlways ? '=' : '<>', operand);
    }
  }
}

function fieldType(type: ValueType, name: string, what: string, at: number): ValueType {
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

function hintForPair(a: BoundExpr, b: BoundExpr): string | undefined {
  const kinds = new Set([a.type.kind, b.type.kind]);
  if (kinds.has('json')) return "Take a value out first: json_get_string(column, 'name').";
  if (kinds.has('text')) return 'Write cast(… as …) around one of them.';
  return undefined;
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

/** `a is distinct from b`: as `<>`, but two nulls are the same and one null is different. */
function bindDistinct(
  { left, right, isNegated, at }: FilterExpr & { kind: 'distinct' },
  bind: (expr: FilterExpr) => BoundExpr,
  compare: (op: CompareOp, left: FilterExpr, right: FilterExpr, at: number) => BoundExpr,
): BoundExpr {
  const isNullOf = (expr: FilterExpr): BoundExpr => ({
    kind: 'isNull',
    at: expr.at,
    type: bool,
    item: bind(expr),
    isNegated: false,
  });
  const differs = compare('<>', left, right, at);
  const oneNull: BoundExpr = {
    kind: 'compare',
    at,
    type: bool,
    op: '<>',
    left: isNullOf(left),
    right: isNullOf(right),
  };
  const distinct: BoundExpr = {
    kind: 'call',
    at,
    type: bool,
    args: [differs, oneNull],
    lance: 'coalesce($*)',
    duckdb: 'coalesce($*)',
  };
  return isNegated ? { kind: 'not', at, type: bool, item: distinct } : distinct;
}

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

function bindCast({ type, isTry, at }: FilterExpr & { kind: 'cast' }, item: BoundExpr): BoundExpr {
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

function bindArray(
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
