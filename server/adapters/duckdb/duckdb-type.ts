import {
  ARRAY,
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBStructType,
  type DuckDBType,
  DuckDBUnionType,
  FLOAT,
  INTEGER,
  INTERVAL,
  LIST,
  MAP,
  SMALLINT,
  TIME,
  TIME_NS,
  TIMESTAMP,
  TIMESTAMP_MS,
  TIMESTAMP_NS,
  TIMESTAMP_S,
  TIMESTAMPTZ,
  TINYINT,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from '@duckdb/node-api';
import { AppError } from '#shared/api/problem.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import {
  arrow,
  type DataType,
  type Decimal,
  type Dictionary,
  type Field,
  type FixedSizeList,
  type Int,
  type List,
  type Map_,
  type Schema,
  type SparseUnion,
  type Struct,
  type Time,
  type Timestamp,
} from '../../arrow/arrow.ts';

const { DataType: Is, TimeUnit } = arrow;

const intTypes: Record<string, DuckDBType> = {
  Int8: TINYINT,
  Int16: SMALLINT,
  Int32: INTEGER,
  Int64: BIGINT,
  Uint8: UTINYINT,
  Uint16: USMALLINT,
  Uint32: UINTEGER,
  Uint64: UBIGINT,
};

const timestampTypes: Record<number, DuckDBType> = {
  [TimeUnit.SECOND]: TIMESTAMP_S,
  [TimeUnit.MILLISECOND]: TIMESTAMP_MS,
  [TimeUnit.MICROSECOND]: TIMESTAMP,
  [TimeUnit.NANOSECOND]: TIMESTAMP_NS,
};

/** Whether DuckDB's decimals (0 ≤ scale ≤ width ≤ 38) can hold the type. */
export const isDuckDecimal = ({ precision, scale }: Decimal): boolean =>
  precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision;

/** Names as DuckDB can hold them side by side: it does not tell upper from lower case. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    let free = name === '' ? `column${index}` : name;
    for (let count = 1; taken.has(free.toLowerCase()); count += 1) free = `${name}_${count}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

const childOf = (field: Field | undefined): DuckDBType => duckTypeOf((field as Field).type as DataType);

/**
 * The DuckDB type that holds an Arrow type. Half floats widen to FLOAT, dictionaries become their values, zoned
 * timestamps are instants in microseconds, decimals that DuckDB cannot hold are text. UNSUPPORTED for the rest.
 */
export function duckTypeOf(type: DataType): DuckDBType {
  if (Is.isNull(type)) return INTEGER;
  if (Is.isBool(type)) return BOOLEAN;
  if (Is.isInt(type)) return intTypes[(type as Int).toString()] as DuckDBType;
  if (Is.isFloat(type)) return type.precision === arrow.Precision.DOUBLE ? DOUBLE : FLOAT;
  if (Is.isUtf8(type) || Is.isLargeUtf8(type)) return VARCHAR;
  if (Is.isBinary(type) || Is.isLargeBinary(type) || Is.isFixedSizeBinary(type)) return BLOB;
  if (Is.isDecimal(type)) {
    return isDuckDecimal(type) ? DECIMAL(type.precision, type.scale) : VARCHAR;
  }
  if (Is.isDate(type)) return DATE;
  if (Is.isTime(type)) return (type as Time).unit === TimeUnit.NANOSECOND ? TIME_NS : TIME;
  if (Is.isTimestamp(type)) {
    const { unit, timezone } = type as Timestamp;
    return timezone ? TIMESTAMPTZ : (timestampTypes[unit] as DuckDBType);
  }
  if (Is.isDuration(type) || Is.isInterval(type)) return INTERVAL;
  if (Is.isDictionary(type)) return duckTypeOf((type as Dictionary).dictionary as DataType);
  if (Is.isList(type)) return LIST(childOf((type as List).children[0]));
  if (Is.isFixedSizeList(type))
    return ARRAY(childOf((type as FixedSizeList).children[0]), (type as FixedSizeList).listSize);
  if (Is.isStruct(type)) {
    const { children } = type as Struct;
    const names = distinctNames(children.map(({ name }) => name));
    if (children.length > 0) return new DuckDBStructType(names, children.map(childOf));
  }
  if (Is.isMap(type)) {
    const entries = (type as Map_).children[0]?.type as Struct;
    return MAP(childOf(entries.children[0]), childOf(entries.children[1]));
  }
  if (Is.isSparseUnion(type)) {
    const { children } = type as SparseUnion;
    return new DuckDBUnionType(distinctNames(children.map(({ name }) => name)), children.map(childOf));
  }
  throw new AppError({
    code: 'UNSUPPORTED',
    message: `SQL cannot read values of type ${type.toString()}.`,
    hint: 'Leave the column out of the statement.',
  });
}

export interface DuckColumn {
  name: string;
  type: DuckDBType;
}

/** The columns of a DuckDB table that holds rows of the schema. */
export function duckColumnsOf(schema: Pick<Schema, 'fields'>): DuckColumn[] {
  const names = distinctNames(schema.fields.map(({ name }) => name));
  return schema.fields.map((field, index) => ({
    name: names[index] as string,
    type: duckTypeOf(field.type),
  }));
}

export const formatColumns = (columns: readonly DuckColumn[]): string =>
  columns.map(({ name, type }) => `${quoteIdent(name)} ${type}`).join(', ');
