import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AppError, abortedError, isAppError } from '#shared/api/problem.ts';
import { isText } from '../media-type.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { canReadInParts, createBlobSource } from './blob-source.ts';
import { collectBlob, collectBytes, maxSourceBytes } from './collect-blob.ts';
import { type BlobAddress, type FoundBlob, findBlob } from './read-blob.ts';
import { ThumbCache } from './thumb-cache.ts';
import { explainThumb, noBytes, noFurtherPages, shownBytes } from './thumb-reason.ts';

/** Raised when thumbs of the same content would look different. */
const thumbEdition = 1;
const maxRememberedFailures = 5_000;
const maxRememberedKeys = 20_000;
/** What of a text its first lines are taken from, and what comes along of a value that is read in parts. */
const headBytes = 16 * 1024;
/** Small sources are in memory whole while their thumbs are made. */
const maxAtOnce = 8;

/** Of what a thumb is wanted, and how large. */
export interface ThumbWish {
  size: number;
  /** Of a PDF, from 1. */
  page?: number;
}

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
  isDone: boolean;
  /** Aborts the work when nobody waits any more. */
  controller: AbortController;
}

/** Failures that the same content meets again, in any size. */
const lasting: ReadonlySet<string> = new Set(['INVALID_FILE', 'UNSUPPORTED_MEDIA', 'TIMEOUT']);

/** Makes thumbs once per content and size, keeps them in the cache folder, and makes no thumb twice at once. */
export function createThumbMaker(ports: Ports, cacheFolder: string) {
  const underWay = new Map<string, Work>();
  const failures = new Map<string, AppError>();
  const crashes = new Set<string>();
  const keyOf = createKeys();
  const inTurn = createTurns(maxAtOnce);
  const cache = new ThumbCache(join(cacheFolder, 'thumbs'));

  async function make(
    key: string,
    blob: FoundBlob,
    wish: ThumbWish,
    context: CallContext,
  ): Promise<Uint8Array> {
    const thumb = await makeWhereItLies(blob, wish, context).catch(async (error: unknown) => {
      if (!isAppError(error) || !isLasting(error, drawnOf(blob.facts.etag, wish))) throw error;
      const end = Math.min(blob.facts.sizeBytes, shownBytes);
      const head = await collectBytes(await blob.open({ start: 0, end }), context.signal);
      throw remember(drawnOf(blob.facts.etag, wish), explainThumb(reasonOf(error), head, blob.facts));
    });
    cache.write(key, thumb);
    return thumb;
  }

  /** Small values are read by the process that decodes them, where their place is known. */
  async function makeWhereItLies(
    blob: FoundBlob,
    { size, page }: ThumbWish,
    context: CallContext,
  ): Promise<Uint8Array> {
    const { contentType, sizeBytes, place } = blob.facts;
    const source = canReadInParts(blob.facts) ? createBlobSource(blob) : undefined;
    if (place && !source && !isText(contentType) && sizeBytes <= maxSourceBytes) {
      const made = await ports.media
        .makePlacedThumb({ place, sizeBytes, contentType, size, page }, context)
        .catch((error: unknown) => {
          if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
          return null;
        });
      if (made) return made.bytes;
    }
    const end = source || isText(contentType) ? Math.min(sizeBytes, headBytes) : sizeBytes;
    const stream = await blob.open({ start: 0, end });
    const bytes =
      end < sizeBytes
        ? await collectBytes(stream, context.signal)
        : await collectBlob(stream, 'a thumbnail', context.signal);
    return (await ports.media.makeThumb({ bytes, contentType, size, page }, { ...context, source })).bytes;
  }

  /** Whether the same content would meet the failure again, in any size; that it ends an engine counts from the second time on. */
  function isLasting({ code }: AppError, drawn: string): boolean {
    if (code !== 'ENGINE_CRASHED') return lasting.has(code);
    if (crashes.has(drawn)) return true;
    if (crashes.size >= maxRememberedFailures) crashes.clear();
    crashes.add(drawn);
    return false;
  }

  function remember(drawn: string, error: AppError): AppError {
    if (failures.size >= maxRememberedFailures) failures.delete(failures.keys().next().value as string);
    failures.set(drawn, error);
    return error;
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
        if (!work.isDone) work.controller.abort();
      }
    }
  }

  function begin(key: string, address: BlobAddress, wish: ThumbWish, context: CallContext): Work {
    const controller = new AbortController();
    const own = { ...context, signal: controller.signal };
    const thumb = inTurn(async () => make(key, await findBlob(ports, address, own), wish, own));
    const work = { thumb, waiting: 0, isDone: false, controller };
    thumb
      .catch(() => undefined)
      .finally(() => {
        work.isDone = true;
      });
    underWay.set(key, work);
    return work;
  }

  return async (address: BlobAddress, wish: ThumbWish, context: CallContext): Promise<ThumbFile> => {
    const { facts } = await findBlob(ports, address, context);
    const { etag, sizeBytes, contentType, mayChange } = facts;
    if (sizeBytes === 0) throw noBytes();
    if ((wish.page ?? 1) > 1 && contentType !== 'application/pdf') throw noFurtherPages(contentType);
    const drawn = drawnOf(etag, wish);
    const key = keyOf(drawn, wish.size);
    const failure = failures.get(drawn);
    if (failure) throw failure;
    const kept = await cache.read(key);
    if (kept) return { bytes: kept, etag: key, mayChange };
    const work = underWay.get(key) ?? begin(key, address, wish, context);
    return { bytes: await waitFor(key, work, context.signal), etag: key, mayChange };
  };
}

/** Names what is drawn in any size: a content, or a further page of it. */
const drawnOf = (etag: string, { page = 1 }: ThumbWish): string =>
  page === 1 ? etag : `${etag}\0page ${page}`;

/** Names thumbs of a content and size; a screen asks for the same ones again and again. */
function createKeys() {
  const known = new Map<string, string>();
  return (drawn: string, size: number): string => {
    const name = `${thumbEdition}\0${drawn}\0${size}`;
    let key = known.get(name);
    if (key === undefined) {
      key = createHash('sha256').update(name).digest('hex').slice(0, 40);
      if (known.size >= maxRememberedKeys) known.clear();
      known.set(name, key);
    }
    return key;
  };
}

/** An engine that was ended by the same value again is no accident. */
const reasonOf = (error: AppError): AppError =>
  error.code === 'ENGINE_CRASHED'
    ? new AppError({
        code: 'UNSUPPORTED_MEDIA',
        message:
          'Its decoder was ended twice: by too much memory, or by an error that the file leads it into.',
        hint: 'Download it to look at it elsewhere.',
        cause: error,
      })
    : error;

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
