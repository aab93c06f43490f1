import { arrow, type RecordBatch, type Schema, type Table } from './arrow.ts';
import { bodyOf, encodeSchema, endMarker } from './ipc.ts';
import { resolveDictionaries, withoutDictionaries } from './resolve-dictionaries.ts';

type Batches = AsyncIterable<RecordBatch | Table> | Iterable<RecordBatch | Table>;

/** The messages of one batch, without a schema. */
export function encodeBatch(batch: RecordBatch): Uint8Array | null {
  return bodyOf(arrow.tableToIPC(new arrow.Table(batch.schema, [batch]), 'stream'));
}

/**
 * Tables or batches as the bytes of one Arrow stream with its end marker. Dictionary columns travel as their values,
 * since not every reader takes a dictionary that is replaced in mid-stream.
 */
export async function* streamOfTables(batches: Batches, schema: Schema): AsyncGenerator<Uint8Array> {
  yield encodeSchema(withoutDictionaries(schema));
  for await (const item of batches) {
    for (const batch of 'batches' in item ? item.batches : [item]) {
      if (batch.numRows === 0) continue;
      const bytes = encodeBatch(resolveDictionaries(batch));
      if (bytes) yield bytes;
    }
  }
  yield endMarker;
}
