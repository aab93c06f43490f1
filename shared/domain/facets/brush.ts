import { isAppError } from '../../api/problem.ts';
import { type FilterExpr, formatFilterName, parseFilter } from '../../sql/filter.ts';
import { quoteText } from '../../sql/literal.ts';
import { binCountOf, type FacetBins, type FacetValue, specialCodes } from './bins.ts';

/** What of a column is counted: its value, the length of its texts, or the elements of its lists. */
export type FacetKind = 'number' | 'whole' | 'timestamp' | 'date' | 'length' | 'text' | 'bool' | 'element';

/** A part of a column's distribution that a person chose. */
export type Brush =
  /** `from <= value < to`; times in milliseconds. */
  | { kind: 'range'; from: number; to: number }
  | { kind: 'values'; values: readonly FacetValue[]; isNull?: boolean; isNaN?: boolean };

interface Measured {
  column: string;
  kind: FacetKind;
}

const timeText = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.000Z$|Z$/, '');

function literalOf(value: number, kind: FacetKind): string {
  if (kind === 'timestamp') return `timestamp '${timeText(value)}'`;
  if (kind === 'date') return `date '${timeText(value).slice(0, 10)}'`;
  return String(value);
}

const hasWholeSteps = (kind: FacetKind): boolean => kind === 'whole' || kind === 'length';

/** The condition that a brush makes, as filter text. An empty choice of values is no condition. */
export function conditionOfBrush({ column, kind }: Measured, brush: Brush): string | null {
  const name = formatFilterName(column);
  const measure = kind === 'length' ? `length(${name})` : name;
  if (brush.kind === 'range') {
    const { from, to } = brush;
    if (hasWholeSteps(kind))
      return to - from <= 1 ? `${measure} = ${from}` : `${measure} between ${from} and ${to - 1}`;
    return `${measure} >= ${literalOf(from, kind)} and ${measure} < ${literalOf(to, kind)}`;
  }
  const parts: string[] = [];
  const truths = brush.values.filter((value) => typeof value === 'boolean');
  const texts = brush.values.filter((value) => typeof value === 'string');
  for (const value of truths) parts.push(`${name} is ${value}`);
  if (texts.length > 0 && kind === 'element')
    parts.push(`array_has_any(${name}, [${texts.map(elementText).join(', ')}])`);
  else if (texts.length === 1) parts.push(`${name} = ${quoteText(texts[0]!)}`);
  else if (texts.length > 1) parts.push(`${name} in (${texts.map(quoteText).join(', ')})`);
  if (brush.isNull) parts.push(`${name} is null`);
  if (brush.isNaN) parts.push(`isnan(${name})`);
  return parts.length === 0 ? null : parts.join(' or ');
}

const elementText = (value: string): string => quoteText(value);

/**
 * The brush that a condition says, where it is on this measure alone; `null` where it is none or cannot be drawn.
 * `isExact` is false where a bound is drawn but not quite met (`>` on numbers that are not whole).
 */
export function brushOfCondition(sql: string, measured: Measured): { brush: Brush; isExact: boolean } | null {
  let expr: FilterExpr;
  try {
    expr = parseFilter(sql);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
  return rangeOf(expr, measured) ?? valuesOf(expr, measured);
}

interface Bounds {
  from: number;
  to: number;
  isExact: boolean;
}

function rangeOf(expr: FilterExpr, measured: Measured): { brush: Brush; isExact: boolean } | null {
  if (measured.kind === 'text' || measured.kind === 'bool' || measured.kind === 'element') return null;
  const bounds: Bounds = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, isExact: true };
  for (const item of expr.kind === 'and' ? expr.items : [expr])
    if (!narrow(bounds, item, measured)) return null;
  const { from, to, isExact } = bounds;
  return { brush: { kind: 'range', from, to }, isExact };
}

/** Takes one comparison into the bounds; false where it is something else. */
function narrow(bounds: Bounds, expr: FilterExpr, { column, kind }: Measured): boolean {
  const isWhole = hasWholeSteps(kind);
  const least = (value: number) => {
    bounds.from = Math.max(bounds.from, value);
  };
  const below = (value: number) => {
    bounds.to = Math.min(bounds.to, value);
  };
  const atMost = (value: number) => {
    below(isWhole ? value + 1 : value);
    if (!isWhole) bounds.isExact = false;
  };
  if (expr.kind === 'between' && !expr.isNegated && isMeasure(expr.item, column, kind)) {
    const low = numberOf(expr.low, kind);
    const high = numberOf(expr.high, kind);
    if (low === null || high === null) return false;
    least(low);
    atMost(high);
    return true;
  }
  if (expr.kind !== 'compare' || !isMeasure(expr.left, column, kind)) return false;
  const value = numberOf(expr.right, kind);
  if (value === null) return false;
  switch (expr.op) {
    case '>=':
      least(value);
      return true;
    case '<':
      below(value);
      return true;
    case '>':
      least(isWhole ? value + 1 : value);
      if (!isWhole) bounds.isExact = false;
      return true;
    case '<=':
      atMost(value);
      return true;
    case '=':
      least(value);
      atMost(value);
      return true;
    default:
      return false;
  }
}

const isColumn = (expr: FilterExpr | undefined, column: string): boolean =>
  expr?.kind === 'name' && expr.path.length === 1 && expr.path[0] === column;

const lengthNames: ReadonlySet<string> = new Set(['length', 'char_length', 'character_length', 'len']);

const isMeasure = (expr: FilterExpr, column: string, kind: FacetKind): boolean =>
  kind === 'length'
    ? expr.kind === 'call' &&
      lengthNames.has(expr.name) &&
      expr.args.length === 1 &&
      isColumn(expr.args[0], column)
    : isColumn(expr, column);

function numberOf(expr: FilterExpr, kind: FacetKind): number | null {
  if (expr.kind === 'negate') {
    const inner = numberOf(expr.item, kind);
    return inner === null ? null : -inner;
  }
  if (expr.kind !== 'literal') return null;
  const { value } = expr;
  const isTime = kind === 'timestamp' || kind === 'date';
  if (value.kind === 'number' && !isTime) {
    const number = Number(value.text);
    return hasWholeSteps(kind) && !Number.isSafeInteger(number) ? null : number;
  }
  if (!isTime || !('text' in value) || value.kind === 'number') return null;
  const text = value.text.trim().replace(' ', 'T');
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text) && text.includes('T');
  const ms = Date.parse(text.includes('T') ? (hasZone ? text : `${text}Z`) : text);
  return Number.isNaN(ms) ? null : ms;
}

function valuesOf(expr: FilterExpr, { column, kind }: Measured): { brush: Brush; isExact: boolean } | null {
  const values: FacetValue[] = [];
  let isNull = false;
  let isNaNs = false;
  for (const item of expr.kind === 'or' ? expr.items : [expr]) {
    const isOnColumn = 'item' in item && isColumn(item.item, column);
    if (item.kind === 'isNull' && isOnColumn && !item.isNegated) isNull = true;
    else if (item.kind === 'isBool' && isOnColumn && kind === 'bool') values.push(item.value);
    else if (item.kind === 'call' && item.name === 'isnan' && isColumn(item.args[0], column)) isNaNs = true;
    else {
      const found = textsOf(item, column, kind);
      if (!found) return null;
      values.push(...found);
    }
  }
  const brush: Brush = {
    kind: 'values',
    values,
    ...(isNull ? { isNull } : {}),
    ...(isNaNs ? { isNaN: true } : {}),
  };
  return { brush, isExact: true };
}

function textsOf(expr: FilterExpr, column: string, kind: FacetKind): string[] | null {
  const texts = (items: readonly FilterExpr[]): string[] | null => {
    const found = items.map((item) =>
      item.kind === 'literal' && item.value.kind === 'text' ? item.value.text : null,
    );
    return found.every((text) => text !== null) ? found : null;
  };
  if (kind === 'text') {
    if (expr.kind === 'compare' && expr.op === '=' && isColumn(expr.left, column)) return texts([expr.right]);
    if (expr.kind === 'in' && !expr.isNegated && isColumn(expr.item, column)) return texts(expr.list);
  }
  if (kind === 'element' && expr.kind === 'call' && isColumn(expr.args[0], column)) {
    const given = expr.args[1];
    if (expr.name === 'array_has' && given) return texts([given]);
    if (expr.name === 'array_has_any' && given?.kind === 'array') return texts(given.items);
  }
  return null;
}

/**
 * The codes that a brush covers wholly; `null` where it cuts through a bin, or names a value without a bin, so that
 * codes cannot tell which rows it means.
 */
export function codesOfBrush(brush: Brush, bins: FacetBins): number[] | null {
  const count = binCountOf(bins);
  const special = specialCodes(count);
  if (brush.kind === 'range') {
    if (bins.kind !== 'ordered') return null;
    const from = edgeAt(bins.edges, brush.from);
    const to = edgeAt(bins.edges, brush.to);
    if (from === null || to === null) return null;
    return Array.from({ length: Math.max(0, to - from) }, (_none, at) => from + at);
  }
  const codes: number[] = [];
  for (const value of brush.values) {
    const bin = bins.values.indexOf(value);
    if (bin < 0) return null;
    codes.push(bin);
  }
  if (brush.isNull) codes.push(special.null);
  if (brush.isNaN) codes.push(special.nan);
  return [...new Set(codes)].sort((a, b) => a - b);
}

/** The place of a bound among the edges; bounds at infinity are none, since infinite numbers have no bin. */
function edgeAt(edges: readonly number[], value: number): number | null {
  const at = edges.indexOf(value);
  return at < 0 ? null : at;
}
