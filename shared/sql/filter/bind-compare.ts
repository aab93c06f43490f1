import { type BoundExpr, bool, castTo, describeExpr, nameOfKind } from './bound.ts';
import { bindLiteral, fitLiteral, literalOf, unify } from './coerce.ts';
import { bindProblem } from './source.ts';
import type { CompareOp, FilterExpr } from './syntax.ts';

type LiteralExpr = FilterExpr & { kind: 'literal' };
type Bind = (expr: FilterExpr) => BoundExpr;

const flipped: Record<CompareOp, CompareOp> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** A comparison whose literal is read in the type of the other side. */
export function bindCompare(
  { op, left, right, at }: Omit<FilterExpr & { kind: 'compare' }, 'kind'>,
  bind: Bind,
): BoundExpr {
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
}

/** Values that the column cannot hold are left out: nothing equals them. */
export function bindIn({ item, list, isNegated, at }: FilterExpr & { kind: 'in' }, bind: Bind): BoundExpr {
  const bound = bind(item);
  const what = whatOf(bound);
  const values: BoundExpr[] = [];
  for (const element of list) {
    if (element.kind === 'literal') {
      if (element.value.kind !== 'null') assertComparable(bound, element);
      const fit = fitLiteral(
        element,
        bound.type.kind === 'null' ? bindLiteral(element).type : bound.type,
        what,
      );
      if (fit.kind === 'exact')
        values.push(
          literalOf(element.at, element.value.kind === 'null' ? { kind: 'null' } : bound.type, fit.value),
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
}

/** `between` as two comparisons, so that each end is read in the column's type. */
export function bindBetween(
  { item, low, high, isNegated, at }: FilterExpr & { kind: 'between' },
  bind: Bind,
): BoundExpr {
  const items = [
    bindCompare({ op: isNegated ? '<' : '>=', left: item, right: low, at }, bind),
    bindCompare({ op: isNegated ? '>' : '<=', left: item, right: high, at }, bind),
  ];
  return { kind: isNegated ? 'or' : 'and', at, type: bool, items };
}

/** `a is distinct from b`: as `<>`, but two nulls are the same and one null is different. */
export function bindDistinct(
  { left, right, isNegated, at }: FilterExpr & { kind: 'distinct' },
  bind: Bind,
): BoundExpr {
  const isNullOf = (expr: FilterExpr): BoundExpr => ({
    kind: 'isNull',
    at: expr.at,
    type: bool,
    item: bind(expr),
    isNegated: false,
  });
  const differs = bindCompare({ op: '<>', left, right, at }, bind);
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

const whatOf = (expr: BoundExpr): string =>
  expr.kind === 'column' ? `“${[expr.name, ...expr.fields].join('.')}”` : 'the other side';

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

function hintForPair(a: BoundExpr, b: BoundExpr): string | undefined {
  const kinds = new Set([a.type.kind, b.type.kind]);
  if (kinds.has('json')) return "Take a value out first: json_get_string(column, 'name').";
  if (kinds.has('text')) return 'Write cast(… as …) around one of them.';
  return undefined;
}
