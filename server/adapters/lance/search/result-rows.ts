import { arrow, type Data, type Field, type RecordBatch, type Schema } from '../../../arrow/arrow.ts';
import { encodeSchema, endMarker, type Facts, schemaOf, withFacts } from '../../../arrow/ipc.ts';
import { encodeBatch } from '../../../arrow/stream-of-tables.ts';
import type { Pinned } from '../../../ports/table-reader.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { outputSchemaOf } from '../rows/files-of-query.ts';
import type { ColumnPlan } from '../rows/plan-columns.ts';
import { needsShaping, type ShapeOptions, shapeBatch, shapedSchema } from '../rows/shape-batch.ts';
import { takeRows } from '../rows/take-rows.ts';

/** One row that was found, in the order of relevance. */
export interface Hit {
  id: bigint;
  distance: number | null;
  score: number | null;
  vectorRank: number | null;
  textRank: number | null;
}

const rankFields: readonly Field[] = [
  new arrow.Field('_distance', new arrow.Float64(), true),
  new arrow.Field('_score', new arrow.Float64(), true),
  new arrow.Field('_vector_rank', new arrow.Int32(), true),
  new arrow.Field('_text_rank', new arrow.Int32(), true),
];

function column(field: Field, values: (number | null)[]): Data {
  const data = new (field.type.typeId === arrow.Type.Int ? Int32Array : Float64Array)(values.length);
  const nullBitmap = new Uint8Array((((values.length + 7) >> 3) + 7) & ~7);
  let nullCount = 0;
  for (const [at, value] of values.entries()) {
    if (value === null) nullCount += 1;
    else {
      nullBitmap[at >> 3]! |= 1 << (at & 7);
      data[at] = value;
    }
  }
  return arrow.makeData({
    type: field.type,
    length: values.length,
    nullCount,
    nullBitmap: nullCount > 0 ? nullBitmap : null,
    data,
  } as never);
}

const withRanks = (schema: Schema): Schema =>
  new arrow.Schema([...schema.fields, ...rankFields], schema.metadata);

function addRanks(batch: RecordBatch, hits: readonly Hit[]): RecordBatch {
  const schema = withRanks(batch.schema);
  const ranks = [
    hits.map(({ distance }) => distance),
    hits.map(({ score }) => score),
    hits.map(({ vectorRank }) => vectorRank),
    hits.map(({ textRank }) => textRank),
  ];
  const children = [...batch.data.children, ...ranks.map((values, at) => column(rankFields[at]!, values))];
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: batch.numRows,
    nullCount: 0,
    children,
  } as never);
  return new arrow.RecordBatch(schema, data as never);
}

export interface ResultInput {
  pinned: Pinned;
  table: PinnedTable;
  plan: ColumnPlan;
  hits: readonly Hit[];
  facts: Facts;
  place: LanceErrorPlace;
  signal: AbortSignal;
}

const rowsAtOnce = 1024;

/** The rows that were found with their distances, scores and ranks, as an Arrow stream; media as `/rows` sends them. */
export async function* streamHits({
  pinned,
  table,
  plan,
  hits,
  facts,
  place,
  signal,
}: ResultInput): AsyncGenerator<Uint8Array> {
  const { handle } = table;
  const shape: ShapeOptions = { pinned, plan, handle, looksAtBytes: true, withUrl: false };
  const isShaped = needsShaping(plan);
  const header = (schema: Schema): Uint8Array =>
    encodeSchema(
      withFacts(withRanks(isShaped ? shapedSchema(schema, shape) : schema), facts, plan.fieldFacts),
    );
  if (hits.length === 0) {
    const query = handle.query();
    yield header(
      schemaOf(
        await outputSchemaOf(
          plan.selection === null ? query.withRowId() : query.select(plan.selection),
          place,
        ),
      ),
    );
  }
  for (let start = 0; start < hits.length; start += rowsAtOnce) {
    const some = hits.slice(start, start + rowsAtOnce);
    const ids = BigUint64Array.from(some, ({ id }) => id);
    const { batch } = await takeRows(ids, { handle, selection: plan.selection, place, signal });
    if (start === 0) yield header(batch.schema);
    const bytes = encodeBatch(addRanks(isShaped ? await shapeBatch(batch, shape) : batch, some));
    if (bytes) yield bytes;
  }
  yield endMarker;
}
