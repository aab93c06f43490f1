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
import { arrow, type DataType, type Field } from '../../arrow/arrow.ts';

const fieldOf = (name: string, type: DuckDBType): Field => new arrow.Field(name, arrowTypeOf(type), true);

/** A dictionary's index type, as wide as DuckDB stores the enum. */
const enumIndexOf = (type: DuckDBEnumType) => {
  if (type.internalTypeId === DuckDBTypeId.UTINYINT) return new arrow.Uint8();
  if (type.internalTypeId === DuckDBTypeId.USMALLINT) return new arrow.Uint16();
  return new arrow.Uint32();
};

/**
 * The Arrow type that carries a DuckDB type. Whole numbers above 64 bits are decimals (`HUGEINT`) or text (`UHUGEINT`,
 * `BIGNUM`); `UUID`, `BIT`, `INTERVAL`, `TIMETZ` and `VARIANT` are DuckDB's own text; geometry is WKB.
 */
export function arrowTypeOf(type: DuckDBType): DataType {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return new arrow.Bool();
    case DuckDBTypeId.TINYINT:
      return new arrow.Int8();
    case DuckDBTypeId.SMALLINT:
      return new arrow.Int16();
    case DuckDBTypeId.INTEGER:
      return new arrow.Int32();
    case DuckDBTypeId.BIGINT:
      return new arrow.Int64();
    case DuckDBTypeId.UTINYINT:
      return new arrow.Uint8();
    case DuckDBTypeId.USMALLINT:
      return new arrow.Uint16();
    case DuckDBTypeId.UINTEGER:
      return new arrow.Uint32();
    case DuckDBTypeId.UBIGINT:
      return new arrow.Uint64();
    case DuckDBTypeId.HUGEINT:
      return new arrow.Decimal(0, 38, 128);
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as DuckDBDecimalType;
      return new arrow.Decimal(scale, width, 128);
    }
    case DuckDBTypeId.FLOAT:
      return new arrow.Float32();
    case DuckDBTypeId.DOUBLE:
      return new arrow.Float64();
    case DuckDBTypeId.DATE:
      return new arrow.DateDay();
    case DuckDBTypeId.TIME:
      return new arrow.TimeMicrosecond();
    case DuckDBTypeId.TIME_NS:
      return new arrow.TimeNanosecond();
    case DuckDBTypeId.TIMESTAMP_S:
      return new arrow.TimestampSecond();
    case DuckDBTypeId.TIMESTAMP_MS:
      return new arrow.TimestampMillisecond();
    case DuckDBTypeId.TIMESTAMP:
      return new arrow.TimestampMicrosecond();
    case DuckDBTypeId.TIMESTAMP_NS:
      return new arrow.TimestampNanosecond();
    case DuckDBTypeId.TIMESTAMP_TZ:
      return new arrow.TimestampMicrosecond('UTC');
    case DuckDBTypeId.BLOB:
    case DuckDBTypeId.GEOMETRY:
      return new arrow.Binary();
    case DuckDBTypeId.SQLNULL:
      return new arrow.Null();
    case DuckDBTypeId.ENUM:
      return new arrow.Dictionary(new arrow.Utf8(), enumIndexOf(type as DuckDBEnumType));
    case DuckDBTypeId.LIST:
      return new arrow.List(fieldOf('item', (type as DuckDBListType).valueType));
    case DuckDBTypeId.ARRAY: {
      const { valueType, length } = type as DuckDBArrayType;
      return new arrow.FixedSizeList(length, fieldOf('item', valueType));
    }
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      return new arrow.Struct(
        entryTypes.map((entry, index) => fieldOf(entryNames[index] || String(index + 1), entry)),
      );
    }
    case DuckDBTypeId.MAP: {
      const { keyType, valueType } = type as DuckDBMapType;
      const key = new arrow.Field('key', arrowTypeOf(keyType), false);
      const entries = new arrow.Struct([key, fieldOf('value', valueType)]);
      return new arrow.Map_(new arrow.Field('entries', entries as never, false));
    }
    case DuckDBTypeId.UNION: {
      const { memberTags, memberTypes } = type as DuckDBUnionType;
      const fields = memberTypes.map((member, index) => fieldOf(memberTags[index] ?? '', member));
      return new arrow.SparseUnion(
        fields.map((_field, index) => index),
        fields,
      );
    }
    default:
      return new arrow.Utf8();
  }
}
