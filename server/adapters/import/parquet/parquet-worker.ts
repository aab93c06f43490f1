import { openAsBlob } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { type ParquetReply, type ParquetWork, planBatchRows } from './parquet-protocol.ts';

/**
 * A thread that decodes one Parquet file in WebAssembly: what a hostile file does stays in its sandbox, and a trap ends
 * the thread, not the process. The build for Node is CommonJS.
 */
const { ParquetFile } = createRequire(import.meta.url)('parquet-wasm/node') as typeof import('parquet-wasm');

const { path, end, offset, batchRows } = workerData as ParquetWork;
const port = parentPort!;

function reply(message: ParquetReply): void {
  const bytes = message.kind === 'batch' ? message.stream : null;
  port.postMessage(message, bytes ? [bytes.buffer as ArrayBuffer] : []);
}

try {
  const whole = await openAsBlob(path);
  const file = await ParquetFile.fromFile(new Blob([whole.slice(0, end.start), end.bytes as BlobPart]));
  const metadata = file.metadata();
  const groups = metadata.rowGroups().map((group) => ({
    rows: group.numRows(),
    packedBytes: group.compressedSize(),
    plainBytes: group.totalByteSize(),
  }));
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  reply({ kind: 'facts', facts: { schema: file.schema().intoIPCStream(), rows, groups } });
  const stream = await file.stream({ offset, batchSize: batchRows ?? planBatchRows({ rows, groups }) });
  const reader = stream.getReader();
  port.on('message', async () => {
    try {
      const { done, value } = await reader.read();
      reply(done ? { kind: 'end' } : { kind: 'batch', stream: value.intoIPCStream() });
    } catch (error) {
      reply({ kind: 'error', message: String(error instanceof Error ? error.message : error) });
    }
  });
} catch (error) {
  reply({ kind: 'error', message: String(error instanceof Error ? error.message : error) });
}
