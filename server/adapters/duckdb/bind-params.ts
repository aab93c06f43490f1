import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBStructType,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  SQLNULL,
  structValue,
  VARCHAR,
} from '@duckdb/node-api';
import { AppError } from '#shared/api/problem.ts';

export type Params = unknown[] | Record<string, unknown>;

/** Values and their types, by position or by name. */
export type BoundParams =
  | { values: DuckDBValue[]; types: DuckDBType[] }
  | { values: Record<string, DuckDBValue>; types: Record<string, DuckDBType> };

interface TypedValue {
  value: DuckDBValue;
  type: DuckDBType;
}

/** JSON values as DuckDB takes them: whole numbers are BIGINT, others DOUBLE, lists and objects LIST and STRUCT. */
export function bindParams(params: Params): BoundParams {
  if (Array.isArray(params)) {
    const typed = params.map((value) => typedValue(value));
    return { values: typed.map(({ value }) => value), types: typed.map(({ type }) => type) };
  }
  const entries = Object.entries(params).map(([name, value]) => ({
    name: name.replace(/^\$/, ''),
    ...typedValue(value),
  }));
  return {
    values: Object.fromEntries(entries.map(({ name, value }) => [name, value])),
    types: Object.fromEntries(entries.map(({ name, type }) => [name, type])),
  };
}

/** Throws BAD_REQUEST where more values stand in a list than the statement has places for. */
export function assertParamCount(params: Params | undefined, places: number): void {
  if (!Array.isArray(params) || params.length <= places) return;
  const are = places === 1 ? 'one parameter' : places === 0 ? 'no parameters' : `${places} parameters`;
  throw badParam(`The statement has ${are}, but params has ${params.length} values.`);
}

function typedValue(value: unknown): TypedValue {
  if (value === null) return { value, type: SQLNULL };
  if (typeof value === 'boolean') return { value, type: BOOLEAN };
  if (typeof value === 'string') return { value, type: VARCHAR };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { value: BigInt(value), type: BIGINT } : { value, type: DOUBLE };
  if (Array.isArray(value)) return typedList(value);
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([name, item]) => ({ name, ...typedValue(item) }));
    return {
      value: structValue(Object.fromEntries(entries.map((entry) => [entry.name, entry.value]))),
      type: new DuckDBStructType(
        entries.map(({ name }) => name),
        entries.map(({ type }) => type),
      ),
    };
  }
  throw badParam('A parameter is neither text, number, true, false, null, list nor object.');
}

function typedList(items: readonly unknown[]): TypedValue {
  const typed = items.map((item) => typedValue(item));
  const types = new Map(typed.filter(({ value }) => value !== null).map(({ type }) => [String(type), type]));
  const hasFractions = types.has('DOUBLE');
  if (hasFractions) types.delete('BIGINT');
  if (types.size > 1) throw badParam('A parameter is a list of values of different kinds.');
  const values = hasFractions
    ? typed.map(({ value }) => (typeof value === 'bigint' ? Number(value) : value))
    : typed.map(({ value }) => value);
  return { value: listValue(values), type: LIST([...types.values()][0] ?? VARCHAR) };
}

const badParam = (message: string): AppError => new AppError({ code: 'BAD_REQUEST', message });
