import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppError, abortedError, isAppError } from '#shared/api/problem.ts';
import type { ByteStream, CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { BlobFacts } from '../ports/table-reader.ts';
import { collectBlob } from './collect-blob.ts';
import { type BlobAddress, readBlob } from './read-blob.ts';

/** Raised when thumbs of the same content would look different. */
const thumbEdition = 1;
const maxRememberedFailures = 5_000;
/** Sources are in memory whole while their thumbs are made. */
const maxAtOnce = 8;

export interface ThumbFile {
  bytes: Uint8Array;
  etag: string;
  /** The source lies outside of the table and may change. */
  mayChange?: boolean;
}

/** A thumb in the making, for everybody who waits for it. */
interface Work {
  thumb: Promise<Uint8Array>;
  waiting: number;
  /** Aborts the work when nobody waits any more. */
  controller: AbortController;
}

/** Failures that the same content meets again, in any size. */
const lasting: ReadonlySet<string> = new Set(['INVALID_FILE', 'UNSUPPORTED_MEDIA', 'TIMEOUT']);

/** Makes thumbs once per content and size, keeps them in the cache folder, and makes no thumb twice at once. */
export function createThumbMaker(ports: Ports, cacheFolder: string) {
  const underWay = new Map<string, Work>();
  const failures = new Map<string, AppError>();
  const inTurn = createTurns(maxAtOnce);

  async function make(
    file: string,
    blob: ByteStream<BlobFacts>,
    size: number,
    context: CallContext,
  ): Promise<Uint8Array> {
    const bytes = await collectBlob(blob, 'a thumbnail', context.signal);
    const { contentType, etag } = blob.facts;
    const thumb = await ports.media
      .makeThumb({ bytes, contentType, size }, context)
      .catch((error: unknown) => {
        if (isAppError(error) && lasting.has(error.code)) remember(failures, etag, error);
        throw error;
      });
    await mkdir(join(file, '..'), { recursive: true });
    const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, thumb.bytes);
    await rename(draft, file);
    return thumb.bytes;
  }

  /** Waits for a thumb; who leaves does not end it for the others, and the last one does. */
  async function waitFor(key: string, work: Work, signal: AbortSignal): Promise<Uint8Array> {
    work.waiting += 1;
    let leave = () => {};
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        leave = () => reject(abortedError());
        if (signal.aborted) leave();
        signal.addEventListener('abort', leave, { once: true });
        work.thumb.then(resolve, reject);
      });
    } finally {
      signal.removeEventListener('abort', leave);
      work.waiting -= 1;
      if (work.waiting === 0) {
        if (underWay.get(key) === work) underWay.delete(key);
        work.controller.abort();
      }
    }
  }

  return async (address: BlobAddress, size: number, context: CallContext): Promise<ThumbFile> => {
    const { signal } = context;
    const controller = new AbortController();
    const leave = () => controller.abort();
    signal.addEventListener('abort', leave, { once: true });
    try {
      const blob = await readBlob(ports, address, { ...context, signal: controller.signal });
      const { etag, mayChange } = blob.facts;
      const key = createHash('sha256').update(`${thumbEdition}\0${etag}\0${size}`).digest('hex').slice(0, 40);
      const stop = () => blob.chunks[Symbol.asyncIterator]().return?.(undefined);
      const failure = failures.get(etag);
      if (failure) {
        await stop();
        throw failure;
      }
      const file = join(cacheFolder, 'thumbs', key.slice(0, 2), `${key}.webp`);
      const kept = await readFile(file).catch(() => null);
      if (kept) {
        await stop();
        return { bytes: kept, etag: key, mayChange };
      }
      const running = underWay.get(key);
      if (running) {
        const [bytes] = await Promise.all([waitFor(key, running, signal), stop()]);
        return { bytes, etag: key, mayChange };
      }
      signal.removeEventListener('abort', leave);
      const thumb = inTurn(() => make(file, blob, size, { ...context, signal: controller.signal }));
      const work = { thumb, waiting: 0, controller };
      underWay.set(key, work);
      return { bytes: await waitFor(key, work, signal), etag: key, mayChange };
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}

/** Runs so much work at once; the rest waits. */
function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

function remember(failures: Map<string, AppError>, etag: string, error: AppError): void {
  if (failures.size >= maxRememberedFailures) failures.delete(failures.keys().next().value as string);
  failures.set(etag, error);
}
