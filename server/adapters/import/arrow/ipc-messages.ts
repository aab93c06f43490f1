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

/** A file's schema as a message, and where its other messages are. */
export interface IpcContents {
  schemaMessage: Uint8Array;
  places: MessagePlace[];
}

/** The messages of an IPC stream; it must end with Arrow's end marker, or rows may be missing. */
export async function listStreamMessages(
  file: FileHandle,
  size: number,
  signal: AbortSignal,
): Promise<IpcContents> {
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
    if (headerSize === 0) break;
    const place = await readPlace(file, size, { start: at + (isContinued ? 8 : 4), size: headerSize, what });
    at = place.headerStart + place.headerSize + place.bodySize;
    places.push(place);
  }
  const [first, ...others] = places;
  if (first?.kind !== 'schema') throw new BrokenIpcError('its first message is no schema');
  return {
    schemaMessage: await readExactly(file, first.headerStart, first.headerSize, 'its schema'),
    places: others,
  };
}

const fileMark = 'ARROW1';
const fileStart = 8;
const fileEnd = 10;
const footerField = { schema: 1, dictionaries: 2, batches: 3 };
const blockSize = 24;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

export async function isIpcFile(file: FileHandle, size: number): Promise<boolean> {
  return size >= fileStart && latin1(await readExactly(file, 0, fileMark.length, 'its mark')) === fileMark;
}

/** The dictionaries and batches of an IPC file, and its schema, as its footer lists them. */
export async function listFileMessages(
  file: FileHandle,
  size: number,
  signal: AbortSignal,
): Promise<IpcContents> {
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
  const { schemaMessage, blocks } = readFooter(footer);
  const places: MessagePlace[] = [];
  for (const [index, { offset, size: blockHeader }] of blocks.entries()) {
    signal.throwIfAborted();
    const what = `block ${index + 1}`;
    if (offset < fileStart || offset + 8 > size)
      throw new BrokenIpcError(`at byte ${offset} there is no Arrow message`);
    const isContinued = asView(await readExactly(file, offset, 4, what)).getInt32(0, true) === continuation;
    const prefix = isContinued ? 8 : 4;
    places.push(
      await readPlace(file, footerStart, { start: offset + prefix, size: blockHeader - prefix, what }),
    );
  }
  return { schemaMessage, places };
}

interface Footer {
  schemaMessage: Uint8Array;
  blocks: { offset: number; size: number }[];
}

function readFooter(footer: Uint8Array): Footer {
  try {
    const root = FlatTable.root(footer);
    const schema = root.table(footerField.schema);
    if (!schema) throw new RangeError('It has no schema.');
    const blocks = [footerField.dictionaries, footerField.batches].flatMap((field) => {
      const { start, length } = root.vector(field, blockSize);
      return Array.from({ length }, (_, index) => {
        const at = start + index * blockSize;
        return { offset: Number(root.bytes.getBigInt64(at, true)), size: root.bytes.getInt32(at + 8, true) };
      });
    });
    return { schemaMessage: wrapAsMessage(footer, schema.start), blocks };
  } catch (error) {
    if (error instanceof RangeError) throw new BrokenIpcError('its footer is damaged');
    throw error;
  }
}

const wrapper = {
  size: 32,
  slots: 4,
  slotsSize: 10,
  table: 16,
  tableSize: 12,
  version: 4,
  headerType: 6,
  header: 8,
};
const schemaHeader = 1;
const newestVersion = 4;

/**
 * A schema message around the schema in a footer: the schema at the start of a file is missing or without a length in
 * files of some writers. FlatBuffers point forward, so a table put before the bytes can point into them.
 */
function wrapAsMessage(footer: Uint8Array, schemaAt: number): Uint8Array {
  const message = new Uint8Array(wrapper.size + footer.length);
  message.set(footer, wrapper.size);
  const view = asView(message);
  view.setUint32(0, wrapper.table, true);
  view.setUint16(wrapper.slots, wrapper.slotsSize, true);
  view.setUint16(wrapper.slots + 2, wrapper.tableSize, true);
  view.setUint16(wrapper.slots + 4, wrapper.version, true);
  view.setUint16(wrapper.slots + 6, wrapper.headerType, true);
  view.setUint16(wrapper.slots + 8, wrapper.header, true);
  view.setInt32(wrapper.table, wrapper.table - wrapper.slots, true);
  view.setInt16(wrapper.table + wrapper.version, newestVersion, true);
  view.setUint8(wrapper.table + wrapper.headerType, schemaHeader);
  const pointerAt = wrapper.table + wrapper.header;
  view.setUint32(pointerAt, wrapper.size + schemaAt - pointerAt, true);
  return message;
}
