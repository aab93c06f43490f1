import { createRequire } from 'node:module';
import { arrow, type RecordBatch, type Schema } from '../../arrow/arrow.ts';
import { emptyData } from '../../arrow/null-data.ts';

const rowsPerGroup = 1_048_576;

/** Batches as a Parquet file (Zstandard), with the Arrow types and metadata in it; the build for Node is CommonJS. */
export async function* parquetBytes(
  schema: Schema,
  batches: AsyncIterable<RecordBatch>,
): AsyncGenerator<Uint8Array> {
  const parquet = createRequire(import.meta.url)('parquet-wasm/node') as typeof import('parquet-wasm');
  const toWasm = (batch: RecordBatch) => {
    const table = parquet.Table.fromIPCStream(arrow.tableToIPC(new arrow.Table(schema, [batch]), 'stream'));
    return table.recordBatches()[0];
  };
  const properties = new parquet.WriterPropertiesBuilder()
    .setCompression(parquet.Compression.ZSTD)
    .setMaxRowGroupSize(rowsPerGroup)
    .build();
  const source = batches[Symbol.asyncIterator]();
  let isFirst = true;
  const input = new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (!done) controller.enqueue(toWasm(value));
      else if (isFirst) controller.enqueue(toWasm(emptyBatch(schema)));
      if (done) controller.close();
      isFirst = false;
    },
    async cancel() {
      await source.return?.(undefined);
    },
  });
  yield* (await parquet.transformParquetStream(input, properties)) as unknown as AsyncIterable<Uint8Array>;
}

function emptyBatch(schema: Schema): RecordBatch {
  const children = schema.fields.map((field) => emptyData(field.type));
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: 0,
    nullCount: 0,
    children: children as never,
  });
  return new arrow.RecordBatch(schema, data as never);
}
