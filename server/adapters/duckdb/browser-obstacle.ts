import { arrow, type DataType, type Decimal, type Time, type Timestamp } from '../../arrow/arrow.ts';
import type { Statement } from './read-statement.ts';
import type { StatementPlan } from './statement-planner.ts';
import { castTypesOf, columnNamesOf, functionNamesOf } from './statement-tree.ts';

const { DataType: Is } = arrow;

const extensionFunctions: ReadonlySet<string> = new Set([
  '->',
  '->>',
  'array_to_json',
  'from_json',
  'from_json_strict',
  'row_to_json',
  'to_json',
  'add_parquet_key',
  'variant_bytes_to_variant',
  'variant_to_parquet_variant',
  'check_peg_parser',
  'disable_peg_parser',
  'enable_peg_parser',
  'sql_auto_complete',
  'pg_timezone_names',
  'current_date',
  'current_localtime',
  'current_localtimestamp',
  'get_current_time',
  'make_timestamptz',
  'today',
]);

/** Whether a function comes from an extension that the browser's DuckDB does not have; a test compares the two engines. */
export const isServerOnlyFunction = (name: string): boolean =>
  extensionFunctions.has(name) || /^(json|icu_|parquet_|read_json|read_ndjson|read_parquet)/.test(name);

/** Functions that give moments with a time zone, whose arithmetic needs ICU. */
const zonedFunctions: ReadonlySet<string> = new Set([
  'now',
  'get_current_timestamp',
  'transaction_timestamp',
  'current_date',
  'today',
  'current_time',
  'get_current_time',
  'current_localtime',
  'current_localtimestamp',
  'current_timestamp',
  'localtime',
  'localtimestamp',
  'to_timestamp',
  'make_timestamptz',
  'timezone',
  'timezone_hour',
  'timezone_minute',
]);

const zonedTypes: ReadonlySet<string> = new Set([
  'TIMESTAMP WITH TIME ZONE',
  'TIME WITH TIME ZONE',
  'TIMESTAMPTZ',
  'TIMETZ',
]);

/** Types of results that the two engines do not write to Arrow alike. */
const resultTypes =
  /\b(UHUGEINT|BIGNUM|BIT|ENUM|INTERVAL|UNION|VARIANT|GEOMETRY|TIME_NS|TIME WITH TIME ZONE|TIMESTAMP WITH TIME ZONE)\b/;

/** `row(1, 2)`: its fields would fall together under one empty name. */
const unnamedFields = /STRUCT\("" /;

/** Why the browser's engine cannot run the statement, as a sentence; `null` when it can. */
export function browserObstacle(
  { tree, kind }: Statement,
  { needs, resultColumns }: StatementPlan,
): string | null {
  if (kind === 'explain') return 'EXPLAIN shows the plan of the server';
  const functions = functionNamesOf(tree);
  for (const name of bareFunctionsOf(tree, needs)) functions.add(name);
  for (const name of functions)
    if (zonedFunctions.has(name)) return `${name} needs time zones, which run on the server only`;
  for (const name of functions) if (isServerOnlyFunction(name)) return `${name} runs on the server only`;
  const casts = castTypesOf(tree);
  for (const type of casts) if (zonedTypes.has(type)) return 'time zones run on the server only';
  if (casts.has('JSON')) return 'JSON runs on the server only';
  for (const { needed } of needs) {
    for (const { name, arrowType } of needed) {
      const what = unfetchable(arrowType);
      if (what !== null) return `${name} holds ${what}, which run on the server only`;
    }
  }
  for (const { name, type } of resultColumns) {
    if (unnamedFields.test(type)) return `${name} has fields without names, which the server numbers`;
    const what = resultTypes.exec(type)?.[0];
    if (what !== undefined) return `${name} is of type ${what}, which runs on the server only`;
  }
  return null;
}

/** Functions that are written without brackets; to the parser they are columns. */
const bareFunctions = ['current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp'];

function bareFunctionsOf(tree: unknown, needs: StatementPlan['needs']): string[] {
  const named = columnNamesOf(tree);
  const isColumn = (name: string) =>
    needs.some(({ visible }) => visible.some((column) => column.name.toLowerCase() === name));
  return bareFunctions.filter((name) => named.has(name) && !isColumn(name));
}

/** What the browser's engine cannot take in as it is. */
function unfetchable(type: DataType): string | null {
  if (Is.isFloat(type) && type.precision === arrow.Precision.HALF) return 'half floats';
  if (Is.isTimestamp(type) && (type as Timestamp).timezone) return 'times with a zone';
  if (Is.isTime(type) && (type as Time).unit === arrow.TimeUnit.NANOSECOND) return 'times in nanoseconds';
  if (Is.isDuration(type) || Is.isInterval(type)) return 'durations';
  if (Is.isUnion(type)) return 'unions';
  if (Is.isDecimal(type) && ((type as Decimal).bitWidth > 128 || (type as Decimal).precision > 38))
    return 'long decimals';
  for (const { type: child } of (type.children ?? []) as { type: DataType }[]) {
    const what = unfetchable(child);
    if (what !== null) return what;
  }
  return null;
}
