import {
  type DuckDBArrayType,
  type DuckDBDecimalType,
  type DuckDBEnumType,
  type DuckDBListType,
  type DuckDBMapType,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBUnionType,
} from '@duckdb/node-api';
import type { DataType } from '../../arrow/arrow.ts';
import {
  BoolBuilder,
  type ColumnBuilder,
  DecimalBuilder,
  DictionaryBuilder,
  FixedBuilder,
  NullBuilder,
  StringBuilder,
  TextBuilder,
} from './flat-builders.ts';
import { ArrayBuilder, ListBuilder, StructBuilder, UnionBuilder } from './nested-builders.ts';
import { decimalWidth } from './vector-memory.ts';

/** Bytes per value where DuckDB and Arrow store the same. */
const sameWidth: ReadonlyMap<DuckDBTypeId, number> = new Map([
  [DuckDBTypeId.TINYINT, 1],
  [DuckDBTypeId.UTINYINT, 1],
  [DuckDBTypeId.SMALLINT, 2],
  [DuckDBTypeId.USMALLINT, 2],
  [DuckDBTypeId.INTEGER, 4],
  [DuckDBTypeId.UINTEGER, 4],
  [DuckDBTypeId.BIGINT, 8],
  [DuckDBTypeId.UBIGINT, 8],
  [DuckDBTypeId.HUGEINT, 16],
  [DuckDBTypeId.FLOAT, 4],
  [DuckDBTypeId.DOUBLE, 8],
  [DuckDBTypeId.DATE, 4],
  [DuckDBTypeId.TIME, 8],
  [DuckDBTypeId.TIME_NS, 8],
  [DuckDBTypeId.TIMESTAMP_S, 8],
  [DuckDBTypeId.TIMESTAMP_MS, 8],
  [DuckDBTypeId.TIMESTAMP, 8],
  [DuckDBTypeId.TIMESTAMP_NS, 8],
  [DuckDBTypeId.TIMESTAMP_TZ, 8],
]);

const enumWidth = (type: DuckDBEnumType): number =>
  type.internalTypeId === DuckDBTypeId.UTINYINT ? 1 : type.internalTypeId === DuckDBTypeId.USMALLINT ? 2 : 4;

/** A builder for a column of DuckDB type `type` that is sent as Arrow type `as` (see `arrowTypeOf`). */
export function createColumnBuilder(type: DuckDBType, as: DataType): ColumnBuilder {
  const width = sameWidth.get(type.typeId);
  if (width !== undefined) return new FixedBuilder(as, width);
  const childTypes = (as.children ?? []).map((field) => field.type as DataType);
  const childOf = (index: number, child: DuckDBType) =>
    createColumnBuilder(child, childTypes[index] as DataType);
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return new BoolBuilder(as);
    case DuckDBTypeId.DECIMAL:
      return new DecimalBuilder(as, decimalWidth((type as DuckDBDecimalType).width));
    case DuckDBTypeId.VARCHAR:
    case DuckDBTypeId.BLOB:
    case DuckDBTypeId.GEOMETRY:
      return new StringBuilder(as);
    case DuckDBTypeId.ENUM:
      return new DictionaryBuilder(as, enumWidth(type as DuckDBEnumType), (type as DuckDBEnumType).values);
    case DuckDBTypeId.STRUCT:
      return new StructBuilder(
        as,
        (type as DuckDBStructType).entryTypes.map((entry, index) => childOf(index, entry)),
      );
    case DuckDBTypeId.ARRAY:
      return new ArrayBuilder(
        as,
        childOf(0, (type as DuckDBArrayType).valueType),
        (type as DuckDBArrayType).length,
      );
    case DuckDBTypeId.LIST:
      return new ListBuilder(as, childOf(0, (type as DuckDBListType).valueType));
    case DuckDBTypeId.MAP: {
      const { keyType, valueType } = type as DuckDBMapType;
      const entries = childTypes[0] as DataType;
      const [key, value] = entries.children.map((field) => field.type as DataType);
      const parts = [
        createColumnBuilder(keyType, key as DataType),
        createColumnBuilder(valueType, value as DataType),
      ];
      return new ListBuilder(as, new StructBuilder(entries, parts));
    }
    case DuckDBTypeId.UNION:
      return new UnionBuilder(
        as,
        (type as DuckDBUnionType).memberTypes.map((member, index) => childOf(index, member)),
      );
    case DuckDBTypeId.SQLNULL:
      return new NullBuilder();
    default:
      return new TextBuilder(as, type);
  }
}
