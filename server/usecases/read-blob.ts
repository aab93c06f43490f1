import { AppError, isAppError } from '#shared/api/problem.ts';
import type { ByteStream, CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { BlobFacts } from '../ports/table-reader.ts';
import { keyOfBlob, knownBlobsOf } from './known-blobs.ts';
import { resolveAddress } from './resolve-address.ts';

export interface BlobAddress {
  table: string;
  ref: string;
  column: string;
  rowId: string;
  /** The incarnation of the branch, where the address names it: such an address always means the same bytes. */
  of?: string;
}

/** Bytes `start` (inclusive) to `end` (exclusive) of a cell; the whole when neither is given. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Opens a blob or binary cell, or what a text cell with a media role names. Throws NOT_FOUND for null cells and missing rows. */
export async function readBlob(
  ports: Ports,
  address: BlobAddress,
  context: CallContext,
  range?: ByteRange,
): Promise<ByteStream<BlobFacts>> {
  const { facts, open } = await findBlob(ports, address, context);
  return open(range ?? { start: 0, end: facts.sizeBytes });
}

/** What is known of a value, and the way to its bytes. */
export interface FoundBlob {
  facts: BlobFacts;
  /** May be called any number of times, or never. */
  open(range: ByteRange): Promise<ByteStream<BlobFacts>>;
}

/** Finds a value without its bytes: once per value at a pinned ref, then without an engine. Errors as for {@link readBlob}. */
export async function findBlob(ports: Ports, address: BlobAddress, context: CallContext): Promise<FoundBlob> {
  const { column, rowId } = address;
  if (!/^\d{1,20}$/.test(rowId))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `“${rowId.slice(0, 40)}” is not a row id.`,
      hint: 'Row ids are whole numbers: the _rowid of a row.',
    });
  const resolved = await resolveAddress(ports, address, context);
  const known = knownBlobsOf(ports);
  const key = keyOfBlob(resolved, address);
  const read = async (range: ByteRange): Promise<ByteStream<BlobFacts>> => {
    const blob = await ports.reader.blob({ ...resolved.pinned, column, rowId, ...range }, context);
    const { link } = blob.facts;
    if (link !== undefined) return ports.places.open({ link, ...range }, context);
    known.add(key, blob.facts);
    return blob;
  };
  const facts = known.get(key) ?? (await factsOf(await read({ start: 0, end: 0 })));
  const open = async (range: ByteRange): Promise<ByteStream<BlobFacts>> => {
    const { place } = facts;
    if (!place) return read(range);
    try {
      return { ...(await ports.reader.placedBytes({ place, ...range }, context)), facts };
    } catch (error) {
      if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
      known.forget(key);
      return read(range);
    }
  };
  return { facts, open };
}

async function factsOf({ facts, chunks }: ByteStream<BlobFacts>): Promise<BlobFacts> {
  await chunks[Symbol.asyncIterator]().return?.(undefined);
  return facts;
}
