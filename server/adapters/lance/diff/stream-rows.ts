import { fieldFacts, wire } from '#shared/api/wire.ts';
import { guessRole } from '#shared/domain/column-role.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { changeKindOf } from '#shared/domain/diff.ts';
import { parseFieldFacts } from '#shared/domain/field-facts.ts';
import { formatRef } from '#shared/domain/ref.ts';
import {
  arrow,
  type Data,
  type DataType,
  type Field,
  type RecordBatch,
  type Schema,
} from '../../../arrow/arrow.ts';
import { gather } from '../../../arrow/gather.ts';
import { withFacts } from '../../../arrow/ipc.ts';
import { nullData } from '../../../arrow/null-data.ts';
import { streamOfTables } from '../../../arrow/stream-of-tables.ts';
import type { ByteStream, CallContext } from '../../../ports/call.ts';
import type { TableFacts } from '../../../ports/table-reader.ts';
import { isHiddenColumn } from '../describe.ts';
import { type ColumnPlan, planColumns, rowIdColumn } from '../rows/plan-columns.ts';
import { type ShapeOptions, shapeBatch, shapedSchema } from '../rows/shape-batch.ts';
import { takeRows } from '../rows/take-rows.ts';
import type { Comparison } from './comparison.ts';
import { filterRows, type RowFilter } from './filter-rows.ts';
import { orderRows } from './order-rows.ts';
import type { Side } from './side.ts';
import { changedColumns, conflictColumns, shownName, summarize } from './summarize.ts';

export interface RowsWindow extends RowFilter {
  offset?: number;
  limit?: number;
}

type Name = 'base' | 'from' | 'into';
const names: readonly Name[] = ['base', 'from', 'into'];

const rowsPerBatch = 1000;

/** The changed rows as an Arrow stream, with old and new cells as `rows` sends them; the summary is in the metadata. */
export async function streamRows(
  comparison: Comparison,
  { offset = 0, limit, ...filter }: RowsWindow,
  { facts, context }: { facts: TableFacts; context: CallContext },
): Promise<ByteStream> {
  const startedAt = performance.now();
  const { signal } = context;
  const [{ order, keys }, isAsked] = await Promise.all([
    orderRows(comparison),
    filterRows(comparison, filter, signal),
  ]);
  const all = order.filter(isAsked);
  const window = all.subarray(offset, limit === undefined ? undefined : offset + limit);
  const sides = Object.fromEntries(names.map((name) => [name, planSide(comparison, name, facts)])) as Record<
    Name,
    PlannedSide
  >;
  const keyField = keyFieldOf(keys.fields);
  const schema = withFacts(schemaOf(keyField, sides), {
    ...(comparison.isTwoWay ? {} : { [wire.base]: formatRef(comparison.base.ref) }),
    [wire.from]: formatRef(comparison.from.ref),
    [wire.into]: formatRef(comparison.into.ref),
    [wire.ref]: formatRef(comparison.from.ref),
    [wire.total]: String(all.length),
    [wire.scope]: 'all',
    [wire.engine]: 'lance',
    [wire.elapsedMs]: (performance.now() - startedAt).toFixed(1),
    [wire.summary]: JSON.stringify(summarize(comparison)),
  });
  const batches = async function* (): AsyncGenerator<RecordBatch> {
    for (let start = 0; start < window.length; start += rowsPerBatch) {
      signal.throwIfAborted();
      const rows = window.subarray(start, start + rowsPerBatch);
      const key = keyData(keyField, keys.columns, rows);
      const cells = await Promise.all(names.map((name) => sideData(comparison, sides[name], rows, signal)));
      yield batchOf(schema, [key, ...factColumns(comparison, rows), ...cells], rows.length);
    }
  };
  return { facts: {}, chunks: streamOfTables(batches(), schema) };
}

interface PlannedSide {
  name: Name;
  side: Side;
  plan: ColumnPlan;
  field: Field;
}

/** The visible columns of a side; their roles as `from` has them. */
function planSide(comparison: Comparison, name: Name, facts: TableFacts): PlannedSide {
  const side = comparison[name];
  const roles = new Map(facts.columns.map((column) => [column.name, column.role]));
  const columns = side.fields.map(({ name: column, type, arrow: field }): ColumnInfo => {
    const said = parseFieldFacts(field.metadata);
    const role = said.role ?? roles.get(column) ?? guessRole({ name: column, type: parseColumnType(type) });
    const annotations = said.annotations ?? undefined;
    return { ...said, annotations, name: column, type, nullable: true, role, hidden: isHiddenColumn(field) };
  });
  const plan = planColumns({ ...facts, columns }, undefined);
  const shaped = shapedSchema(side.schema, { plan: withoutRowId(plan), withUrl: false });
  const { fields } = withFacts(shaped, {}, plan.fieldFacts);
  const children = fields.map((field) => new arrow.Field(field.name, field.type, true, field.metadata));
  return { name, side, plan, field: new arrow.Field(name, new arrow.Struct(children), true) };
}

const withoutRowId = (plan: ColumnPlan): ColumnPlan => ({
  ...plan,
  columns: plan.columns.filter(({ name }) => name !== rowIdColumn),
});

const item = (type: DataType): Field => new arrow.Field('item', type, false);
const rowIdsType = new arrow.Struct(names.map((name) => new arrow.Field(name, new arrow.Uint64(), true)));
const namesType = new arrow.List(item(new arrow.Utf8()));

const schemaOf = (key: Field, sides: Record<Name, PlannedSide>): Schema =>
  new arrow.Schema([
    key,
    new arrow.Field('_rowids', rowIdsType, false),
    new arrow.Field('_change', new arrow.Utf8(), false),
    new arrow.Field('_columns', namesType, false),
    new arrow.Field('_conflict', namesType, false),
    ...names.map((name) => sides[name].field),
  ]);

/** One key column as itself, several as a struct. */
function keyFieldOf(fields: readonly Field[]): Field {
  const parts = fields.map(({ name, type }) => new arrow.Field(name, plainType(type), true));
  const metadata = new Map([[fieldFacts.role, 'key']]);
  const type = parts.length === 1 ? parts[0]!.type : new arrow.Struct(parts);
  return new arrow.Field('_key', type, true, metadata);
}

const plainType = (type: DataType): DataType =>
  type.typeId === arrow.Type.Dictionary ? (type as unknown as { dictionary: DataType }).dictionary : type;

function keyData(field: Field, columns: readonly Data[], rows: Int32Array): Data {
  const parts = columns.map((column) => plainData(gather(column, rows)));
  return parts.length === 1 ? parts[0]! : structData(field.type, parts, rows.length);
}

function plainData(data: Data): Data {
  if (data.typeId !== arrow.Type.Dictionary) return data;
  const values = (data as unknown as { dictionary: { data: Data[] } }).dictionary.data[0]!;
  const codes = data.values as ArrayLike<number | bigint>;
  return gather(
    values,
    Int32Array.from({ length: data.length }, (_, row) => (data.getValid(row) ? Number(codes[row]) : -1)),
  );
}

function factColumns(comparison: Comparison, rows: Int32Array): Data[] {
  const { three, ids } = comparison;
  const idColumns = names.map((name) => rowIdData(Array.from(rows, (row) => ids[name][row]!)));
  const listOf = (columnsOf: (comparison: Comparison, row: number) => number[]): Data =>
    arrow.vectorFromArray(
      Array.from(rows, (row) => columnsOf(comparison, row).map((column) => shownName(comparison, column))),
      namesType,
    ).data[0]!;
  return [
    structData(rowIdsType, idColumns, rows.length),
    arrow.vectorFromArray(
      Array.from(rows, (row) => changeKindOf(three.from[row]!)),
      new arrow.Utf8(),
    ).data[0]!,
    listOf(changedColumns),
    listOf(conflictColumns),
  ];
}

function rowIdData(ids: readonly number[]): Data {
  const nullBitmap = new Uint8Array((ids.length + 7) >> 3);
  ids.forEach((id, at) => {
    if (id >= 0) nullBitmap[at >> 3]! |= 1 << (at & 7);
  });
  const data = BigUint64Array.from(ids, (id) => BigInt(Math.max(id, 0)));
  const nullCount = ids.filter((id) => id < 0).length;
  return arrow.makeData({ type: new arrow.Uint64(), length: ids.length, nullCount, nullBitmap, data });
}

const structData = (
  type: DataType,
  children: Data[],
  length: number,
  more: Record<string, unknown> = {},
): Data => arrow.makeData({ type, length, nullCount: 0, ...more, children } as never) as Data;

/** The rows of a side as structs; null where the side does not have the row. */
async function sideData(
  comparison: Comparison,
  { name, side, plan, field }: PlannedSide,
  rows: Int32Array,
  signal: AbortSignal,
): Promise<Data> {
  const { table, ref } = side;
  const ids = Array.from(rows, (row) => comparison.ids[name][row]!);
  const present = BigUint64Array.from(ids.filter((id) => id >= 0).map(BigInt));
  if (present.length === 0) return nullData(field.type, rows.length);
  const options: ShapeOptions = {
    pinned: { table, ref },
    plan,
    handle: side.handle,
    looksAtBytes: true,
    withUrl: false,
  };
  const taken = await takeRows(present, {
    handle: side.handle,
    selection: plan.selection,
    place: { table, ref },
    signal,
  });
  const shaped = await shapeBatch(taken.batch, options);
  let next = 0;
  const places = Int32Array.from(ids, (id) => (id >= 0 ? next++ : -1));
  const children = field.type.children.map((child: Field) => {
    const at = shaped.schema.fields.findIndex((each) => each.name === child.name);
    return gather(shaped.data.children[at]!, places);
  });
  const nullBitmap = new Uint8Array((rows.length + 7) >> 3);
  places.forEach((place, at) => {
    if (place >= 0) nullBitmap[at >> 3]! |= 1 << (at & 7);
  });
  return structData(field.type, children, rows.length, { nullBitmap, nullCount: rows.length - next });
}

function batchOf(schema: Schema, children: Data[], length: number): RecordBatch {
  const data = structData(new arrow.Struct(schema.fields), children, length);
  return new arrow.RecordBatch(schema, data as never);
}
