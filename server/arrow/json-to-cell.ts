import { AppError } from '#shared/api/problem.ts';
import {
  arrow,
  type Data,
  type DataType,
  type Decimal,
  type Dictionary,
  type Field,
  type FixedSizeBinary,
  type FixedSizeList,
  type Float,
  type Int,
  type Struct,
} from './arrow.ts';
import { CellFault, expected, type Places, type RowName, withCellFaults } from './cell-fault.ts';
import {
  buildBits,
  buildDecimals,
  buildFixedBytes,
  buildFloats,
  buildInts,
  buildMoments,
  forEachValue,
  packBytes,
  readBase64,
} from './json-scalars.ts';

const { Type } = arrow;

type Values = readonly unknown[];

const extensionKey = 'ARROW:extension:name';

/**
 * A column of the field's type from JSON values as `?format=json` prints them: 64-bit integers and decimals as text or
 * number, moments as ISO 8601, `"NaN"` and the infinities as text, bytes as base64 text or `{base64}`, blobs as
 * `{base64}`, JSON columns as their text or any JSON value; `undefined` is null. Nothing is rounded: BAD_REQUEST names
 * the column, the row and what was expected. The column's field is {@link writtenField}.
 */
export const columnFromJson = (field: Field, values: Values, rowName: RowName = () => ''): Data =>
  withCellFaults(rowName, () => buildField(field, values, (row) => ({ row, path: field.name })));

/** The field as Lance takes it: JSON columns are written as text. */
export function writtenField(field: Field): Field {
  if (field.metadata.get(extensionKey) !== 'lance.json') return field;
  const metadata = new Map([...field.metadata, [extensionKey, 'arrow.json'] as const]);
  return new arrow.Field(field.name, new arrow.Utf8(), field.nullable, metadata);
}

const isEmpty = (value: unknown): value is null | undefined => value === null || value === undefined;

function buildField(field: Field, values: Values, places: Places): Data {
  if (!field.nullable) {
    const row = values.findIndex(isEmpty);
    if (row !== -1) throw new CellFault(places(row), 'it cannot be empty');
  }
  switch (field.metadata.get(extensionKey)) {
    case 'arrow.json':
    case 'lance.json':
      return buildJson(values, places);
    case 'lance.blob.v2':
      return buildBlobs(field.type as Struct, values, places);
    default:
      return buildData(field.type, values, places);
  }
}

function validityOf(values: Values): { nullCount: number; nullBitmap: Uint8Array | null } {
  const nullBitmap = new Uint8Array((((values.length + 7) >> 3) + 7) & ~7);
  let nullCount = 0;
  values.forEach((value, row) => {
    if (isEmpty(value)) nullCount += 1;
    else nullBitmap[row >> 3]! |= 1 << (row & 7);
  });
  return { nullCount, nullBitmap: nullCount === 0 ? null : nullBitmap };
}

const make = (type: DataType, props: Record<string, unknown>): Data =>
  arrow.makeData({ type, ...props } as never) as Data;

/** What stands below a null is there but means nothing, also where nothing may be null. */
function withoutNulls({ type, length, values, valueOffsets, children, dictionary }: Data): Data {
  return make(type, {
    length,
    nullCount: 0,
    data: values,
    valueOffsets,
    child: children[0],
    children,
    dictionary,
  });
}

function buildData(type: DataType, values: Values, places: Places): Data {
  const facts = { length: values.length, ...validityOf(values) };
  switch (type.typeId) {
    case Type.Null:
      forEachValue(values, (value, row) => {
        throw expected('null', value, places(row));
      });
      return make(type, { length: values.length });
    case Type.Bool:
      return make(type, { ...facts, data: buildBits(values, places) });
    case Type.Int:
      return make(type, { ...facts, data: buildInts(type as Int, values, places) });
    case Type.Float:
      return make(type, { ...facts, data: buildFloats(type as Float, values, places) });
    case Type.Decimal:
      return make(type, { ...facts, data: buildDecimals(type as Decimal, values, places) });
    case Type.Utf8:
    case Type.LargeUtf8:
      return make(type, {
        ...facts,
        ...packBytes(type, values, (value, row) => readText(value, row, places)),
      });
    case Type.Binary:
    case Type.LargeBinary:
      return make(type, {
        ...facts,
        ...packBytes(type, values, (value, row) => readBase64(value, () => places(row))),
      });
    case Type.FixedSizeBinary:
      return make(type, { ...facts, data: buildFixedBytes(type as FixedSizeBinary, values, places) });
    case Type.Timestamp:
    case Type.Date:
    case Type.Time:
    case Type.Duration:
      return make(type, { ...facts, data: buildMoments(type, values, places) });
    case Type.List:
      return make(type, { ...facts, ...buildLists(type.children[0]!, values, places) });
    case Type.FixedSizeList:
      return make(type, { ...facts, child: buildFixedLists(type as FixedSizeList, values, places) });
    case Type.Struct:
      return make(type, { ...facts, children: buildStructs(type as Struct, values, places) });
    case Type.Map:
      return make(type, { ...facts, ...buildMaps(type, values, places) });
    case Type.Dictionary:
      return buildDictionary(type as Dictionary, values, places);
    default:
      throw new AppError({ code: 'UNSUPPORTED', message: `Cells of the type ${type} cannot be edited.` });
  }
}

function readText(value: unknown, row: number, places: Places): Uint8Array {
  if (typeof value !== 'string') throw expected('text', value, places(row));
  if (!value.isWellFormed()) throw new CellFault(places(row), 'it is not whole Unicode text');
  return Buffer.from(value, 'utf8');
}

/** The place of an item of lists that lie one behind the other. */
const itemPlaces =
  (ends: Int32Array, places: Places, nameOf: (index: number, within: number) => string): Places =>
  (index) => {
    const list = ends.findIndex((end) => end > index) - 1;
    const { row, path } = places(list);
    return { row, path: `${path}${nameOf(index, index - ends[list]!)}` };
  };

function buildLists(item: Field, values: Values, places: Places) {
  const valueOffsets = new Int32Array(values.length + 1);
  const items: unknown[] = [];
  values.forEach((value, row) => {
    if (!isEmpty(value)) {
      if (!Array.isArray(value)) throw expected('a list', value, places(row));
      for (const part of value) items.push(part);
    }
    valueOffsets[row + 1] = items.length;
  });
  return {
    valueOffsets,
    child: buildField(
      item,
      items,
      itemPlaces(valueOffsets, places, (_, at) => `[${at}]`),
    ),
  };
}

function buildFixedLists({ children, listSize }: FixedSizeList, values: Values, places: Places): Data {
  const item = children[0]!;
  const items: unknown[] = [];
  const placeOf: Places = (index) => {
    const { row, path } = places(Math.floor(index / listSize));
    return { row, path: `${path}[${index % listSize}]` };
  };
  values.forEach((value, row) => {
    if (!isEmpty(value) && !Array.isArray(value)) throw expected(`a list of ${listSize}`, value, places(row));
    if (!isEmpty(value) && value.length !== listSize)
      throw new CellFault(places(row), `expected ${listSize} values, got ${value.length}`);
    for (let at = 0; at < listSize; at++) {
      const part: unknown = isEmpty(value) ? null : value[at];
      if (!isEmpty(value) && isEmpty(part) && !item.nullable)
        throw new CellFault(placeOf(items.length), 'it cannot be empty');
      items.push(part);
    }
  });
  return item.nullable
    ? buildField(item, items, placeOf)
    : withoutNulls(buildData(item.type, items, placeOf));
}

function buildStructs({ children: fields }: Struct, values: Values, places: Places): Data[] {
  const names = new Set(fields.map(({ name }) => String(name)));
  forEachValue(values, (value, row) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw expected('an object', value, places(row));
    const unknown = Object.keys(value as object).find((name) => !names.has(name));
    if (unknown !== undefined) throw new CellFault(places(row), `it has no field “${unknown}”`);
  });
  return fields.map((field: Field) => {
    const inside = values.map((value) =>
      isEmpty(value) ? null : (value as Record<string, unknown>)[field.name],
    );
    const placeOf: Places = (index) => {
      const { row, path } = places(index);
      return { row, path: `${path}.${field.name}` };
    };
    if (field.nullable) return buildField(field, inside, placeOf);
    forEachValue(values, (_value, row) => {
      if (isEmpty(inside[row])) throw new CellFault(placeOf(row), 'it cannot be empty');
    });
    return withoutNulls(buildData(field.type, inside, placeOf));
  });
}

function buildMaps(type: DataType, values: Values, places: Places) {
  const entries = type.children[0]!.type as Struct;
  const [key, item] = entries.children as [Field, Field];
  const hasTextKeys = key.typeId === Type.Utf8 || key.typeId === Type.LargeUtf8;
  const valueOffsets = new Int32Array(values.length + 1);
  const names: string[] = [];
  const items: unknown[] = [];
  values.forEach((value, row) => {
    if (!isEmpty(value)) {
      if (typeof value !== 'object' || Array.isArray(value)) throw expected('an object', value, places(row));
      for (const [name, inside] of Object.entries(value)) {
        names.push(name);
        items.push(inside);
      }
    }
    valueOffsets[row + 1] = items.length;
  });
  const placeOf = itemPlaces(valueOffsets, places, (index) => `.${names[index]}`);
  const keys = hasTextKeys ? names : names.map(parseKey);
  const children = [buildField(key, keys, placeOf), buildField(item, items, placeOf)];
  return { valueOffsets, child: make(entries, { length: items.length, nullCount: 0, children }) };
}

function parseKey(name: string): unknown {
  try {
    return JSON.parse(name);
  } catch {
    return name;
  }
}

function buildDictionary(type: Dictionary, values: Values, places: Places): Data {
  const { bitWidth, isSigned, ArrayType } = type.indices;
  const indexOf = new Map<string, number>();
  const firstRows: number[] = [];
  const keys = new ArrayType(values.length) as unknown as Record<number, number | bigint>;
  const most = 2 ** (bitWidth - (isSigned ? 1 : 0));
  forEachValue(values, (value, row) => {
    const name = JSON.stringify(value);
    const index = indexOf.get(name) ?? firstRows.length;
    if (index === firstRows.length) {
      if (index >= most)
        throw new CellFault(places(row), `a column of this type holds at most ${most} different values`);
      indexOf.set(name, index);
      firstRows.push(row);
    }
    keys[row] = Number(bitWidth) === 64 ? BigInt(index) : index;
  });
  const distinct = buildData(
    type.dictionary,
    firstRows.map((row) => values[row]),
    (index) => places(firstRows[index]!),
  );
  const facts = { length: values.length, ...validityOf(values) };
  return make(type, { ...facts, data: keys, dictionary: new arrow.Vector([distinct]) });
}

function buildJson(values: Values, places: Places): Data {
  const texts = values.map((value, row) => {
    if (isEmpty(value)) return null;
    if (typeof value !== 'string') return JSON.stringify(value);
    try {
      JSON.parse(value);
      return value;
    } catch {
      throw expected('JSON', value, places(row));
    }
  });
  return buildData(new arrow.Utf8(), texts, places);
}

function buildBlobs(type: Struct, values: Values, places: Places): Data {
  forEachValue(values, (value, row) => {
    if (typeof value !== 'object' || Object.keys(value as object).join() !== 'base64')
      throw expected('{"base64": "…"}', value, places(row));
  });
  const nothing = values.map(() => null);
  const children = type.children.map((field: Field) =>
    buildData(field.type, field.name === 'data' ? values : nothing, places),
  );
  return make(type, { length: values.length, ...validityOf(values), children });
}
