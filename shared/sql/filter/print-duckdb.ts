import { quoteIdent } from '../ident.ts';
import { quoteText } from '../literal.ts';
import type { BoundExpr, BoundValue } from './bound.ts';
import { fillTemplate } from './fill-template.ts';
import type { ValueType } from './value-type.ts';
import { formatDay, formatInstant, formatTime, type Interval } from './values.ts';

const chainWidth = 32;

/** The same filter for DuckDB; brackets wherever they could matter. */
export function printDuckdb(expr: BoundExpr): string {
  switch (expr.kind) {
    case 'literal':
      return printDuckdbValue(expr.value, expr.type);
    case 'column':
      return [expr.name, ...expr.fields].map(quoteIdent).join('.');
    case 'not':
      return `(NOT ${printDuckdb(expr.item)})`;
    case 'negate':
      return `(- ${printDuckdb(expr.item)})`;
    case 'and':
    case 'or':
      return printChain(expr.kind === 'and' ? ' AND ' : ' OR ', expr.items.map(printDuckdb));
    case 'compare':
      return `(${printDuckdb(expr.left)} ${expr.op} ${printDuckdb(expr.right)})`;
    case 'arithmetic':
      return printArithmetic(expr);
    case 'in':
      return `(${printDuckdb(expr.item)} ${not(expr)}IN (${expr.list.map(printDuckdb).join(', ')}))`;
    case 'like':
      return `(${printDuckdb(expr.item)} ${not(expr)}${expr.isCaseless ? 'ILIKE' : 'LIKE'} ${printDuckdb(expr.pattern)} ESCAPE '\\')`;
    case 'isNull':
      return `(${printDuckdb(expr.item)} IS ${expr.isNegated ? 'NOT ' : ''}NULL)`;
    case 'isBool':
      return `(${printDuckdb(expr.item)} IS ${expr.isNegated ? 'NOT ' : ''}${expr.value ? 'TRUE' : 'FALSE'})`;
    case 'call':
      return printCall(expr);
    case 'cast':
      return printCast(expr);
    case 'index':
      return `${wrapped(expr.item)}[${printDuckdb(expr.index)}]`;
    case 'field':
      return `${wrapped(expr.item)}[${quoteText(expr.name)}]`;
    case 'array': {
      const list = `[${expr.items.map(printDuckdb).join(', ')}]`;
      return expr.items.length === 0 ? `CAST(${list} AS ${duckdbType(expr.type)})` : list;
    }
  }
}

const not = (expr: { isNegated: boolean }): string => (expr.isNegated ? 'NOT ' : '');

const wrapped = (expr: BoundExpr): string =>
  expr.kind === 'column' || expr.kind === 'index' ? printDuckdb(expr) : `(${printDuckdb(expr)})`;

function printChain(joint: string, items: string[]): string {
  if (items.length <= chainWidth) return `(${items.join(joint)})`;
  const groups: string[] = [];
  for (let at = 0; at < items.length; at += chainWidth)
    groups.push(printChain(joint, items.slice(at, at + chainWidth)));
  return printChain(joint, groups);
}

function printArithmetic(expr: BoundExpr & { kind: 'arithmetic' }): string {
  const [left, right] = [printDuckdb(expr.left), printDuckdb(expr.right)];
  return ['/', '//', '%'].includes(expr.op)
    ? `(${left} ${expr.op} nullif(${right}, 0))`
    : `(${left} ${expr.op} ${right})`;
}

function printCall(expr: BoundExpr & { kind: 'call' }): string {
  const isPlain = expr.duckdb.endsWith('($*)');
  const args = expr.args.map((arg) => {
    const printed = printDuckdb(arg);
    return isPlain || arg.kind === 'column' || arg.kind === 'literal' || arg.kind === 'array'
      ? printed
      : `(${printed})`;
  });
  const key = expr.args[1];
  if (
    expr.duckdb.includes('json_extract') &&
    key?.kind === 'literal' &&
    !expr.duckdb.includes('CAST(json_extract(') &&
    !expr.duckdb.includes('[*]')
  )
    args[1] = quoteText(
      typeof key.value === 'bigint'
        ? `$[${key.value}]`
        : `$."${String(key.value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    );
  const filled = fillTemplate(expr.duckdb, args);
  return filled.startsWith('CASE ') || filled.includes(' AT TIME ZONE ') ? `(${filled})` : filled;
}

function printCast(expr: BoundExpr & { kind: 'cast' }): string {
  const from = expr.item.type;
  const to = expr.type;
  const item = printDuckdb(expr.item);
  const cast = expr.isTry ? 'TRY_CAST' : 'CAST';
  if (to.kind === 'int' && (from.kind === 'float' || from.kind === 'decimal'))
    return `${cast}(trunc(${item}) AS ${duckdbType(to)})`;
  const fromZone = from.kind === 'timestamp' && from.zone !== null;
  if (to.kind === 'timestamp' && to.zone !== null && !fromZone)
    return `(${cast}(${item} AS TIMESTAMP) AT TIME ZONE 'UTC')`;
  if (fromZone && (to.kind === 'date' || to.kind === 'time' || (to.kind === 'timestamp' && to.zone === null)))
    return `${cast}((${item} AT TIME ZONE 'UTC') AS ${duckdbType(to)})`;
  return `${cast}(${item} AS ${duckdbType(to)})`;
}

/** The type as DuckDB holds a column of it. */
export function duckdbType(type: ValueType): string {
  switch (type.kind) {
    case 'bool':
      return 'BOOLEAN';
    case 'int': {
      const name = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' }[type.bits];
      return type.isSigned ? name : `U${name}`;
    }
    case 'float':
      return type.bits === 64 ? 'DOUBLE' : 'FLOAT';
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case 'binary':
    case 'blob':
      return 'BLOB';
    case 'date':
      return type.unit === 'day' ? 'DATE' : 'TIMESTAMP';
    case 'time':
      return 'TIME';
    case 'timestamp':
      return type.zone === null ? (type.unit === 'ns' ? 'TIMESTAMP_NS' : 'TIMESTAMP') : 'TIMESTAMPTZ';
    case 'duration':
    case 'interval':
      return 'INTERVAL';
    case 'list':
      return `${duckdbType(type.item)}[]`;
    default:
      return 'VARCHAR';
  }
}

function printNumber(value: number, type: ValueType): string {
  const name = duckdbType(type);
  if (!Number.isFinite(value))
    return `'${Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'}'::${name}`;
  return name === 'FLOAT' ? `CAST(${value} AS FLOAT)` : value.toExponential();
}

const intervalOf = ({ months, days, nanos }: Interval): string =>
  `(to_months(${months}) + to_days(${days}) + to_microseconds(${nanos / 1000n}))`;

/** One value as a literal that DuckDB reads as exactly that type. */
export function printDuckdbValue(value: BoundValue, type: ValueType): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return intervalOf(value);
  if (typeof value === 'number') return printNumber(value, type);
  if (typeof value === 'bigint') {
    switch (type.kind) {
      case 'date':
        return `${duckdbType(type)} ${quoteText(formatDay(value))}`;
      case 'timestamp':
        return `${duckdbType(type)} ${quoteText(`${formatInstant(value, type.unit)}${type.zone === null ? '' : '+00'}`)}`;
      case 'time':
        return `TIME ${quoteText(formatTime(value, type.unit))}`;
      case 'duration':
        return `to_microseconds(${(value * { s: 1_000_000n, ms: 1_000n, us: 1n, ns: 1n }[type.unit]) / (type.unit === 'ns' ? 1000n : 1n)})`;
      default:
        return value < 0n ? `(${value})` : String(value);
    }
  }
  if (type.kind === 'decimal') return `CAST(${quoteText(value)} AS ${duckdbType(type)})`;
  if (type.kind === 'binary') return `from_hex(${quoteText(value)})`;
  return quoteText(value);
}
