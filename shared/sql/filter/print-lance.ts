import { quoteLanceIdent } from '../ident.ts';
import { quoteText } from '../literal.ts';
import type { BoundExpr, BoundValue } from './bound.ts';
import { fillTemplate } from './fill-template.ts';
import { separateLists } from './separate-lists.ts';
import { FilterProblem } from './source.ts';
import type { TimeUnit, ValueType } from './value-type.ts';
import { formatDay, formatInstant, formatTime, type Interval } from './values.ts';

/** Lance’s SQL parser gives up on expressions that it has to enter deeper than this. */
const maxLanceDepth = 46;
/** Long chains of and/or are cut into brackets of this many, so that neither the parser nor the planner nests deep. */
const chainWidth = 32;

const strength = { or: 1, and: 2, not: 3, is: 4, compare: 5, sum: 7, product: 8, unary: 9, primary: 10 };

interface Printed {
  text: string;
  strength: number;
  /** How deep Lance’s parser goes to read it. */
  depth: number;
}

/** The filter in Lance’s dialect. Throws a FilterProblem when it nests deeper than Lance can read. */
export function printLance(expr: BoundExpr): string {
  const { text, depth } = print(separateLists(expr, (item) => print(item).text));
  if (depth > maxLanceDepth)
    throw new FilterProblem(
      'BAD_REQUEST',
      'The filter nests deeper than the engine can read.',
      0,
      'Use fewer brackets and calls inside of one another.',
    );
  return text;
}

const primary = (text: string, depth = 1): Printed => ({ text, strength: strength.primary, depth });

const bracket = (printed: Printed, least: number): Printed =>
  printed.strength >= least ? printed : primary(`(${printed.text})`, printed.depth + 1);

function print(expr: BoundExpr): Printed {
  switch (expr.kind) {
    case 'literal':
      return primary(printLanceValue(expr.value, expr.type));
    case 'column':
      return primary([expr.name, ...expr.fields].map(quoteLanceIdent).join('.'));
    case 'not': {
      const item = bracket(print(expr.item), strength.is);
      return { text: `not ${item.text}`, strength: strength.not, depth: item.depth + 1 };
    }
    case 'negate': {
      const item = bracket(print(expr.item), strength.primary);
      return { text: `- ${item.text}`, strength: strength.unary, depth: item.depth + 1 };
    }
    case 'and':
    case 'or':
      return printChain(expr.kind, expr.items.map(print));
    case 'compare':
      return infix(expr.op, print(expr.left), print(expr.right), strength.compare, strength.sum);
    case 'arithmetic':
      return printArithmetic(expr);
    case 'in': {
      const item = bracket(print(expr.item), strength.sum);
      const list = expr.list.map(print);
      return {
        text: `${item.text} ${expr.isNegated ? 'not ' : ''}in (${join(list)})`,
        strength: strength.compare,
        depth: Math.max(item.depth, 1 + deepest(list)),
      };
    }
    case 'like': {
      const op = `${expr.isNegated ? 'not ' : ''}${expr.isCaseless ? 'ilike' : 'like'}`;
      return infix(op, print(expr.item), print(expr.pattern), strength.compare, strength.sum);
    }
    case 'isNull':
    case 'isBool': {
      const item = bracket(print(expr.item), strength.sum);
      const test = expr.kind === 'isNull' ? 'null' : String(expr.value);
      return {
        text: `${item.text} is ${expr.isNegated ? 'not ' : ''}${test}`,
        strength: strength.is,
        depth: item.depth,
      };
    }
    case 'call': {
      const args = expr.args.map(print);
      const isPlain = expr.lance.endsWith('($*)') || args.every((arg) => arg.strength === strength.primary);
      const parts = isPlain ? args : args.map((arg) => bracket(arg, strength.primary));
      return primary(
        fillTemplate(
          expr.lance,
          parts.map(({ text }) => text),
        ),
        deepest(parts) + (isPlain ? 1 : 3),
      );
    }
    case 'cast': {
      const item = print(expr.item);
      const type = lanceType(expr.type);
      return primary(
        `${expr.isTry ? 'arrow_try_cast' : 'arrow_cast'}(${item.text}, ${quoteText(type)})`,
        item.depth + 1,
      );
    }
    case 'index': {
      const [item, index] = [bracket(print(expr.item), strength.primary), print(expr.index)];
      return primary(`${item.text}[${index.text}]`, Math.max(item.depth, 1 + index.depth));
    }
    case 'field': {
      const item = bracket(print(expr.item), strength.primary);
      return primary(`${item.text}[${quoteText(expr.name)}]`, Math.max(item.depth, 2));
    }
    case 'array': {
      const items = expr.items.map(print);
      const list = `make_array(${join(items)})`;
      const type = expr.type;
      return items.length === 0 && type.kind === 'list'
        ? primary(`arrow_cast(${list}, ${quoteText(lanceType(type))})`, 2)
        : primary(list, 1 + deepest(items));
    }
  }
}

const join = (items: Printed[]): string => items.map(({ text }) => text).join(', ');

function deepest(items: Printed[]): number {
  let depth = 0;
  for (const item of items) depth = Math.max(depth, item.depth);
  return depth;
}

function infix(op: string, left: Printed, right: Printed, own: number, least: number): Printed {
  const [a, b] = [bracket(left, least), bracket(right, least)];
  return { text: `${a.text} ${op} ${b.text}`, strength: own, depth: Math.max(a.depth, 1 + b.depth) };
}

function printChain(kind: 'and' | 'or', items: Printed[]): Printed {
  const own = strength[kind];
  if (items.length <= chainWidth) {
    const parts = items.map((item) => bracket(item, own + 1));
    return {
      text: parts.map(({ text }) => text).join(` ${kind} `),
      strength: own,
      depth: 1 + deepest(parts),
    };
  }
  const groups: Printed[] = [];
  for (let at = 0; at < items.length; at += chainWidth)
    groups.push(printChain(kind, items.slice(at, at + chainWidth)));
  return printChain(kind, groups);
}

function printArithmetic(expr: BoundExpr & { kind: 'arithmetic' }): Printed {
  const [left, right] = [print(expr.left), print(expr.right)];
  const isWhole = expr.type.kind === 'int';
  if (expr.op === '||') return infix('||', left, right, strength.sum - 1, strength.unary);
  if (expr.op === '%' || expr.op === '/' || expr.op === '//') {
    const divisor = primary(`nullif(${right.text}, ${isWhole ? '0' : '0.0'})`, right.depth + 1);
    return infix(expr.op === '%' ? '%' : '/', left, divisor, strength.product, strength.product);
  }
  const own = expr.op === '+' || expr.op === '-' ? strength.sum : strength.product;
  const [a, b] = [bracket(left, own), bracket(right, own + 1)];
  return { text: `${a.text} ${expr.op} ${b.text}`, strength: own, depth: Math.max(a.depth, 1 + b.depth) };
}

const unitNames: Record<TimeUnit, string> = {
  s: 'Second',
  ms: 'Millisecond',
  us: 'Microsecond',
  ns: 'Nanosecond',
};

/** The type in the words of DataFusion’s arrow_cast. */
function lanceType(type: ValueType): string {
  switch (type.kind) {
    case 'bool':
      return 'Boolean';
    case 'int':
      return `${type.isSigned ? 'Int' : 'UInt'}${type.bits}`;
    case 'float':
      return `Float${type.bits}`;
    case 'decimal':
      return `Decimal128(${type.precision}, ${type.scale})`;
    case 'binary':
      return 'Binary';
    case 'date':
      return type.unit === 'day' ? 'Date32' : 'Date64';
    case 'time':
      return `${type.unit === 's' || type.unit === 'ms' ? 'Time32' : 'Time64'}(${unitNames[type.unit]})`;
    case 'timestamp':
      return `Timestamp(${unitNames[type.unit]}, ${type.zone === null ? 'None' : `Some("${type.zone}")`})`;
    case 'duration':
      return `Duration(${unitNames[type.unit]})`;
    case 'list':
      return `List(${lanceType(type.item)})`;
    default:
      return 'Utf8';
  }
}

function printNumber(value: number): string {
  if (Number.isNaN(value)) return "arrow_cast('NaN', 'Float64')";
  if (!Number.isFinite(value)) return `arrow_cast('${value > 0 ? 'inf' : '-inf'}', 'Float64')`;
  const text = String(value === 0 ? 0 : value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const formatLanceInterval = ({ months, days, nanos }: Interval): string =>
  `${months} months ${days} days ${nanos / 1_000_000_000n}.${String(nanos % 1_000_000_000n)
    .replace('-', '')
    .padStart(9, '0')} seconds`;

/** Against a column with a zone of its own Lance would read the digits of a bare literal as local time. */
function printInstant(instant: string, type: ValueType & { kind: 'timestamp' }): string {
  if (type.zone === null || type.zone === 'UTC') return `timestamp ${quoteText(instant)}`;
  return `arrow_cast(${quoteText(instant)}, ${quoteText(lanceType(type))})`;
}

/** One value as a literal that Lance reads as exactly that type. */
export function printLanceValue(value: BoundValue, type: ValueType): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'object')
    return `arrow_cast(${quoteText(formatLanceInterval(value))}, 'Interval(MonthDayNano)')`;
  if (typeof value === 'number') return printNumber(value);
  if (typeof value === 'bigint') {
    switch (type.kind) {
      case 'date':
        return `date ${quoteText(formatDay(value))}`;
      case 'timestamp':
        return printInstant(`${formatInstant(value, type.unit)}Z`, type);
      case 'time':
        return `arrow_cast(${quoteText(formatTime(value, type.unit))}, ${quoteText(lanceType(type))})`;
      case 'duration':
        return `arrow_cast(${value}, ${quoteText(lanceType(type))})`;
      default:
        return value === -9223372036854775808n
          ? "arrow_cast('-9223372036854775808', 'Int64')"
          : String(value);
    }
  }
  if (type.kind === 'decimal')
    return `cast(${quoteText(value)} as decimal(${type.precision}, ${type.scale}))`;
  if (type.kind === 'binary') return `X${quoteText(value)}`;
  return quoteText(value);
}
