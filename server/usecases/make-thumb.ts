import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isAppError } from '#shared/api/problem.ts';
import type { ByteStream, CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { BlobFacts } from '../ports/table-reader.ts';
import { type BlobAddress, readBlob } from './read-blob.ts';

/** Raised when thumbs of the same content would look different. */
const thumbEdition = 1;
const maxSourceBytes = 192 * 1024 * 1024;
const maxRememberedFailures = 5_000;

export interface ThumbFile {
  bytes: Uint8Array;
  etag: string;
}

/** Makes thumbs once per content and size, keeps them in the cache folder, and makes no thumb twice at once. */
export function createThumbMaker(ports: Ports, cacheFolder: string) {
  const underWay = new Map<string, Promise<Uint8Array>>();
  const failures = new Map<string, AppError>();

  async function make(
    key: string,
    file: string,
    blob: ByteStream<BlobFacts>,
    size: number,
    context: CallContext,
  ): Promise<Uint8Array> {
    const bytes = await collect(blob, context.signal);
    const { contentType } = blob.facts;
    const thumb = await ports.media
      .makeThumb({ bytes, contentType, size }, context)
      .catch((error: unknown) => {
        if (isAppError(error) && (error.code === 'INVALID_FILE' || error.code === 'UNSUPPORTED_MEDIA'))
          remember(failures, key, error);
        throw error;
      });
    await mkdir(join(file, '..'), { recursive: true });
    const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, thumb.bytes);
    await rename(draft, file);
    return thumb.bytes;
  }

  return async (address: BlobAddress, size: number, context: CallContext): Promise<ThumbFile> => {
    const blob = await readBlob(ports, address, context);
    const key = createHash('sha256')
      .update(`${thumbEdition}\0${blob.facts.etag}\0${size}`)
      .digest('hex')
      .slice(0, 40);
    const stop = () => blob.chunks[Symbol.asyncIterator]().return?.(undefined);
    const failure = failures.get(key);
    if (failure) {
      await stop();
      throw failure;
    }
    const file = join(cacheFolder, 'thumbs', key.slice(0, 2), `${key}.webp`);
    const kept = await readFile(file).catch(() => null);
    if (kept) {
      await stop();
      return { bytes: kept, etag: key };
    }
    const running = underWay.get(key);
    if (running) {
      await stop();
      return { bytes: await running, etag: key };
    }
    // Others may wait for this thumb, so the first one leaving must not end it.
    const made = make(key, file, blob, size, { ...context, signal: new AbortController().signal }).finally(
      () => underWay.delete(key),
    );
    underWay.set(key, made);
    return { bytes: await made, etag: key };
  };
}

function remember(failures: Map<string, AppError>, key: string, error: AppError): void {
  if (failures.size >= maxRememberedFailures) failures.delete(failures.keys().next().value as string);
  failures.set(key, error);
}

async function collect({ facts, chunks }: ByteStream<BlobFacts>, signal: AbortSignal): Promise<Uint8Array> {
  if (facts.sizeBytes > maxSourceBytes) {
    await chunks[Symbol.asyncIterator]().return?.(undefined);
    throw new AppError({
      code: 'UNSUPPORTED_MEDIA',
      message: `At ${Math.round(facts.sizeBytes / 1e6)} MB it is too large for a thumbnail.`,
      hint: 'Open the row to look at it in full.',
    });
  }
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
