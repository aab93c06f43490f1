import { arrow, type RecordBatch, type Schema } from '../../arrow/arrow.ts';
import { concatData } from '../../arrow/concat-data.ts';
import { gatherBatch } from '../../arrow/gather.ts';

/** Bytes of what is written at once: large enough for few fragments, small enough for the memory. */
export const groupBytes = 32 * 1024 * 1024;
const groupRows = 1_048_576;

const sizeOf = (batch: RecordBatch): number => batch.data.byteLength;

/** Cuts batches that are far larger than a group. */
export function* cutBatch(batch: RecordBatch): Generator<RecordBatch> {
  const parts = Math.min(batch.numRows, Math.ceil(sizeOf(batch) / groupBytes));
  if (parts <= 1) {
    yield batch;
    return;
  }
  const rows = Math.ceil(batch.numRows / parts);
  for (let from = 0; from < batch.numRows; from += rows) {
    const length = Math.min(rows, batch.numRows - from);
    yield gatherBatch(
      batch,
      Int32Array.from({ length }, (_, index) => from + index),
    );
  }
}

/** Gathers batches into groups of about {@link groupBytes}. */
export async function* groupBatches(batches: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch[]> {
  let group: RecordBatch[] = [];
  let bytes = 0;
  let rows = 0;
  for await (const whole of batches) {
    for (const batch of cutBatch(whole)) {
      const size = sizeOf(batch);
      if (group.length > 0 && (bytes + size > groupBytes || rows + batch.numRows > groupRows)) {
        yield group;
        group = [];
        bytes = 0;
        rows = 0;
      }
      if (batch.numRows === 0) continue;
      group.push(batch);
      bytes += size;
      rows += batch.numRows;
    }
  }
  if (group.length > 0) yield group;
}

/** The group as one Arrow table; batches with dictionaries of their own are joined, since an IPC file has one of each. */
export function tableOfGroup(
  schema: Schema,
  group: readonly RecordBatch[],
): InstanceType<typeof arrow.Table> {
  const hasDictionaries = schema.fields.some((field) => arrow.DataType.isDictionary(field.type));
  if (!hasDictionaries || group.length < 2) return new arrow.Table(schema, [...group]);
  const children = schema.fields.map((field, index) =>
    concatData(
      field.type,
      group.map((batch) => batch.data.children[index]!),
    ),
  );
  const length = group.reduce((sum, batch) => sum + batch.numRows, 0);
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length,
    nullCount: 0,
    children: children as never,
  });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, data as never)]);
}
