import { Buffer } from 'node:buffer';
import { arrow, type RecordBatch, type Schema, type Table } from './arrow.ts';
import { bodyOf, encodeSchema, endMarker } from './ipc.ts';
import { resolveDictionaries, withoutDictionaries } from './resolve-dictionaries.ts';

type Batches = AsyncIterable<RecordBatch | Table> | Iterable<RecordBatch | Table>;

/** The messages of one batch, without a schema. */
export function encodeBatch(batch: RecordBatch): Uint8Array | null {
  return bodyOf(arrow.tableToIPC(new arrow.Table(batch.schema, [batch]), 'stream'));
}

/** Smaller pieces are joined: each costs a write and a frame of its own. */
const smallPiece = 32 * 1024;

/** Takes what a writer writes as it is, piece by piece. */
class Pieces extends arrow.AsyncByteQueue {
  pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    this.pieces.push(piece);
  }
}

/** The same messages in pieces, of which large ones are the columns' own buffers: nothing is copied to join them. */
export function encodeBatchInPieces(batch: RecordBatch): Uint8Array[] {
  const sink = new Pieces();
  const writer = new arrow.RecordBatchStreamWriter();
  writer.reset(sink, batch.schema);
  sink.pieces = [];
  writer.write(batch);
  const joined: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const flush = () => {
    if (small.length > 0) joined.push(small.length === 1 ? (small[0] as Uint8Array) : Buffer.concat(small));
    small = [];
  };
  for (const piece of sink.pieces) {
    if (piece.byteLength < smallPiece) small.push(piece);
    else {
      flush();
      joined.push(piece);
    }
  }
  flush();
  return joined;
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
