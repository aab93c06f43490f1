import type { FileHandle } from 'node:fs/promises';
import { FlatTable } from './flat-table.ts';

export interface MessagePlace {
  kind: 'schema' | 'dictionary' | 'batch' | 'other';
  /** The header of the message in the file; its body follows. */
  headerStart: number;
  headerSize: number;
  bodySize: number;
  /** Rows of a batch. */
  rows: number;
}

const kinds: Record<number, MessagePlace['kind']> = { 1: 'schema', 2: 'dictionary', 3: 'batch' };
const messageField = { headerType: 1, header: 2, bodyLength: 3 };
const batchLengthField = 0;
const continuation = -1;
const maxHeaderBytes = 256 * 1024 * 1024;
const maxBodyBytes = 2 ** 31 - 1;

/** Where a file stops being what it says. The message has no file name; the reader adds it. */
export class BrokenIpcError extends Error {
  readonly hint: string;

  constructor(message: string, hint = 'The file is damaged or was not written to its end. Write it again.') {
    super(message);
    this.name = 'BrokenIpcError';
    this.hint = hint;
  }
}

export async function readExactly(
  file: FileHandle,
  start: number,
  size: number,
  what: string,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, start + filled);
    if (bytesRead === 0) throw new BrokenIpcError(`the file ends at byte ${start + filled}, within ${what}`);
    filled += bytesRead;
  }
  return bytes;
}

interface HeaderPlace {
  start: number;
  size: number;
  /** `message 3`, for what is told. */
  what: string;
}

async function readPlace(
  file: FileHandle,
  fileSize: number,
  { start, size, what }: HeaderPlace,
): Promise<MessagePlace> {
  if (size < 4 || size > maxHeaderBytes || start < 0)
    throw new BrokenIpcError(`at byte ${start} there is no Arrow message`);
  if (start + size > fileSize) throw new BrokenIpcError(`the file ends at byte ${fileSize}, within ${what}`);
  const header = await readExactly(file, start, size, what);
  const place = parseHeader(header, start, what);
  if (place.bodySize < 0 || start + size + place.bodySize > fileSize)
    throw new BrokenIpcError(`the file ends at byte ${fileSize}, within ${what}`);
  if (place.bodySize > maxBodyBytes)
    throw new BrokenIpcError(`${what} has more than 2 GB`, 'Write it in smaller batches.');
  return place;
}

function parseHeader(header: Uint8Array, headerStart: number, what: string): MessagePlace {
  try {
    const root = FlatTable.root(header);
    const kind = kinds[root.uint8(messageField.headerType)] ?? 'other';
    const rows = kind === 'batch' ? (root.table(messageField.header)?.int64(batchLengthField) ?? 0) : 0;
    return {
      kind,
      headerStart,
      headerSize: header.length,
      bodySize: root.int64(messageField.bodyLength),
      rows,
    };
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenIpcError(`${what}, at byte ${headerStart}, is damaged`);
    throw error;
  }
}

const asView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The messages of an IPC stream; it must end with Arrow's end marker, or rows may be missing. */
export async function listStreamMessages(
  file: FileHandle,
  size: number,
  signal: AbortSignal,
): Promise<MessagePlace[]> {
  const places: MessagePlace[] = [];
  let at = 0;
  for (;;) {
    signal.throwIfAborted();
    const what = `message ${places.length + 1}`;
    if (at >= size)
      throw new BrokenIpcError(
        `the file ends after message ${places.length} without Arrow’s end marker, so rows may be missing`,
      );
    const prefix = asView(await readExactly(file, at, at + 8 <= size ? 8 : 4, what));
    const isContinued = prefix.getInt32(0, true) === continuation;
    if (isContinued && prefix.byteLength < 8)
      throw new BrokenIpcError(`the file ends at byte ${size}, within ${what}`);
    const headerSize = prefix.getInt32(isContinued ? 4 : 0, true);
    if (headerSize === 0) return places;
    const place = await readPlace(file, size, { start: at + (isContinued ? 8 : 4), size: headerSize, what });
    at = place.headerStart + place.headerSize + place.bodySize;
    places.push(place);
  }
}

const fileMark = 'ARROW1';
const fileStart = 8;
const fileEnd = 10;
const footerField = { dictionaries: 2, batches: 3 };
const blockSize = 24;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

export async function isIpcFile(file: FileHandle, size: number): Promise<boolean> {
  return size >= fileStart && latin1(await readExactly(file, 0, fileMark.length, 'its mark')) === fileMark;
}

/** The messages of an IPC file, as its footer lists them: schema, dictionaries, batches. */
export async function listFileMessages(
  file: FileHandle,
  size: number,
  signal: AbortSignal,
): Promise<MessagePlace[]> {
  const tail =
    size >= fileStart + fileEnd
      ? await readExactly(file, size - fileEnd, fileEnd, 'its end')
      : new Uint8Array(fileEnd);
  if (latin1(tail.subarray(4)) !== fileMark)
    throw new BrokenIpcError('the file has no end (Arrow’s footer is missing), so rows may be missing');
  const footerSize = asView(tail).getInt32(0, true);
  const footerStart = size - fileEnd - footerSize;
  if (footerSize < 4 || footerStart < fileStart) throw new BrokenIpcError('its footer is damaged');
  const footer = await readExactly(file, footerStart, footerSize, 'its footer');
  const blocks = readBlocks(footer);
  const places = [await findSchema(file, blocks[0]?.offset ?? footerStart)];
  for (const [index, { offset, size: blockHeader }] of blocks.entries()) {
    signal.throwIfAborted();
    const what = `message ${index + 2}`;
    if (offset < fileStart || offset + 8 > size)
      throw new BrokenIpcError(`at byte ${offset} there is no Arrow message`);
    const isContinued = asView(await readExactly(file, offset, 4, what)).getInt32(0, true) === continuation;
    const prefix = isContinued ? 8 : 4;
    places.push(
      await readPlace(file, footerStart, { start: offset + prefix, size: blockHeader - prefix, what }),
    );
  }
  return places;
}

function readBlocks(footer: Uint8Array): { offset: number; size: number }[] {
  try {
    const root = FlatTable.root(footer);
    return [footerField.dictionaries, footerField.batches].flatMap((field) => {
      const { start, length } = root.vector(field, blockSize);
      return Array.from({ length }, (_, index) => {
        const at = start + index * blockSize;
        return { offset: Number(root.bytes.getBigInt64(at, true)), size: root.bytes.getInt32(at + 8, true) };
      });
    });
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenIpcError('its footer is damaged');
    throw error;
  }
}

/** The schema message at the start of a file. Polars writes it there without its length. */
async function findSchema(file: FileHandle, end: number): Promise<MessagePlace> {
  const bytes = await readExactly(
    file,
    fileStart,
    Math.max(0, Math.min(end - fileStart, maxHeaderBytes)),
    'its schema',
  );
  const isContinued = bytes.length >= 8 && asView(bytes).getInt32(0, true) === continuation;
  for (const prefix of isContinued ? [8] : [4, 0]) {
    const header = bytes.subarray(prefix);
    try {
      const place = parseHeader(header, fileStart + prefix, 'its schema');
      if (place.kind === 'schema') return place;
    } catch (error) {
      if (!(error instanceof BrokenIpcError)) throw error;
    }
  }
  throw new BrokenIpcError('its schema is damaged');
}
