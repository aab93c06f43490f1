import { Worker } from 'node:worker_threads';
import { abortedError } from '#shared/api/problem.ts';
import type { ParquetFacts, ParquetReply, ParquetWork } from './parquet-protocol.ts';

/** The decoder gave up: its memory ran out, it met something that it does not know, or it took far too long. */
export class ParquetTrap extends Error {}

/** A batch is decoded in well under a second; a file that was made to take for ever is not waited for. */
const patienceMs = 60_000;

export interface ParquetThread {
  facts: Promise<ParquetFacts>;
  /** An Arrow stream with the next batch, or null at the end. */
  next(): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

type Incoming = ParquetReply | Error;

/** Starts a decoder for one file; the batch after the one that is asked for is decoded meanwhile. */
export function startParquetThread(work: ParquetWork, signal: AbortSignal): ParquetThread {
  const worker = new Worker(new URL('./parquet-worker.ts', import.meta.url), {
    workerData: work,
    stderr: true,
  });
  const incoming: Incoming[] = [];
  let wake: (() => void) | null = null;
  const put = (message: Incoming) => {
    incoming.push(message);
    wake?.();
  };
  worker.on('message', put);
  worker.on('error', (error) => put(new ParquetTrap(error instanceof Error ? error.message : String(error))));
  worker.on('exit', () => put(new ParquetTrap('the decoder stopped')));
  const onAbort = () => put(abortedError());
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const take = async (): Promise<Exclude<ParquetReply, { kind: 'error' }>> => {
    const timer = setTimeout(() => put(new ParquetTrap('the decoder took too long')), patienceMs);
    while (incoming.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    clearTimeout(timer);
    const message = incoming.shift()!;
    if (message instanceof Error) throw message;
    if (message.kind === 'error') throw new Error(message.message);
    return message;
  };
  const facts = take().then((reply) => {
    if (reply.kind !== 'facts') throw new ParquetTrap('the decoder said nothing of the file');
    worker.postMessage('next');
    return reply.facts;
  });
  facts.catch(() => undefined);
  return {
    facts,
    async next() {
      await facts;
      const reply = await take();
      if (reply.kind !== 'batch') return null;
      worker.postMessage('next');
      return reply.stream;
    },
    async close() {
      signal.removeEventListener('abort', onAbort);
      await worker.terminate();
    },
  };
}
