import { openAsBlob } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ParquetFile as WasmFile } from 'parquet-wasm';
import type { ParquetReply, ParquetSlice, ParquetWork } from './parquet-protocol.ts';

/**
 * A thread that decodes one Parquet file in WebAssembly: what a hostile file does stays in its sandbox, and a trap ends
 * the thread, not the process. The build for Node is CommonJS.
 */
const { ParquetFile } = createRequire(import.meta.url)('parquet-wasm/node') as typeof import('parquet-wasm');

const { path, end, slices, batchRows } = workerData as ParquetWork;
const port = parentPort!;

function reply(message: ParquetReply): void {
  const bytes = message.kind === 'batch' ? message.stream : null;
  port.postMessage(message, bytes ? [bytes.buffer as ArrayBuffer] : []);
}

const fail = (error: unknown): void =>
  reply({ kind: 'error', message: error instanceof Error ? error.message : String(error) });

/** `limit` and `offset` count within the row group. */
async function* readSlice(file: WasmFile, { group, offset, rows }: ParquetSlice): AsyncGenerator<Uint8Array> {
  const stream = await file.stream({ rowGroups: [group], offset, limit: rows, batchSize: batchRows });
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value.intoIPCStream();
  }
}

async function* readSlices(file: WasmFile, wanted: readonly ParquetSlice[]): AsyncGenerator<Uint8Array> {
  for (const slice of wanted) yield* readSlice(file, slice);
}

function factsOf(file: WasmFile) {
  const groups = file
    .metadata()
    .rowGroups()
    .map((group) => ({
      rows: group.numRows(),
      packedBytes: group.compressedSize(),
      plainBytes: group.totalByteSize(),
    }));
  return {
    schema: file.schema().intoIPCStream(),
    rows: groups.reduce((sum, group) => sum + group.rows, 0),
    groups,
  };
}

try {
  const whole = await openAsBlob(path);
  const file = await ParquetFile.fromFile(new Blob([whole.slice(0, end.start), end.bytes as BlobPart]));
  reply({ kind: 'facts', facts: factsOf(file) });
  const batches = readSlices(file, slices);
  port.on('message', () => {
    batches
      .next()
      .then(({ done, value }) => reply(done ? { kind: 'end' } : { kind: 'batch', stream: value }), fail);
  });
} catch (error) {
  fail(error);
}
