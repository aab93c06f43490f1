import { Buffer } from 'node:buffer';
import { arrowEndMarker } from '#shared/api/wire.ts';
import { arrow, type Schema } from './arrow.ts';

/** Arrow's end marker: the last bytes of a whole stream. */
export const endMarker: Uint8Array = Uint8Array.from(arrowEndMarker);

/** Kinds of messages in an IPC file or stream. */
export const messageKind = { schema: 1, dictionary: 2, batch: 3 } as const;

export interface IpcMessage {
  kind: number;
  /** From the length prefix to the end of the body, as offsets into the bytes. */
  start: number;
  end: number;
  /** Rows of a batch. */
  rows: number;
}

const fileMagicSize = 8;
const fileMagic = 0x4f525241;

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The messages of an Arrow IPC file (also one whose magic is padded to 64 bytes) or stream, without parsing bodies. */
export function messagesOf(bytes: Uint8Array): IpcMessage[] {
  const buffer = asBuffer(bytes);
  const messages: IpcMessage[] = [];
  let at = buffer.readUInt32LE(0) === fileMagic ? fileMagicSize : 0;
  while (at > 0 && buffer.readInt32LE(at) === 0) at += 8;
  while (at + 4 <= buffer.length) {
    let length = buffer.readInt32LE(at);
    let prefix = 4;
    if (length === -1) {
      length = buffer.readInt32LE(at + 4);
      prefix = 8;
    }
    if (length === 0) break;
    const header = at + prefix;
    const root = header + buffer.readInt32LE(header);
    const table = root - buffer.readInt32LE(root);
    const tableSize = buffer.readUInt16LE(table);
    const fieldAt = (index: number): number => {
      const slot = 4 + index * 2;
      return slot < tableSize ? buffer.readUInt16LE(table + slot) : 0;
    };
    const kindAt = fieldAt(1);
    const bodyAt = fieldAt(3);
    const kind = kindAt ? buffer.readUInt8(root + kindAt) : 0;
    const body = bodyAt ? Number(buffer.readBigInt64LE(root + bodyAt)) : 0;
    const end = header + length + body;
    const rows = kind === messageKind.batch && fieldAt(2) ? rowsOf(buffer, root + fieldAt(2)) : 0;
    messages.push({ kind, start: at, end, rows });
    at = end;
  }
  return messages;
}

/** The length in the header of a batch, which is a table that the message points to. */
function rowsOf(buffer: Buffer, pointer: number): number {
  const batch = pointer + buffer.readInt32LE(pointer);
  const table = batch - buffer.readInt32LE(batch);
  const lengthAt = buffer.readUInt16LE(table) > 4 ? buffer.readUInt16LE(table + 4) : 0;
  return lengthAt ? Number(buffer.readBigInt64LE(batch + lengthAt)) : 0;
}

/** Rows of an IPC file or stream, without parsing its columns. */
export const rowsIn = (bytes: Uint8Array): number =>
  messagesOf(bytes).reduce((sum, { rows }) => sum + rows, 0);

/** All that follows the schema message and stands before the end marker: what a stream takes from an IPC file. */
export function bodyOf(file: Uint8Array): Uint8Array | null {
  const messages = messagesOf(file).filter(({ kind }) => kind !== messageKind.schema);
  const first = messages[0];
  const last = messages.at(-1);
  return first && last ? file.subarray(first.start, last.end) : null;
}

const schemas = new Map<string, Schema>();
const maxSchemas = 200;
const maxKeptSchemaBytes = 64 * 1024;

/** The bytes of the schema message, which comes first. */
export function schemaBytesOf(bytes: Uint8Array): Buffer {
  const buffer = asBuffer(bytes);
  let start = buffer.readUInt32LE(0) === fileMagic ? fileMagicSize : 0;
  while (start > 0 && buffer.readInt32LE(start) === 0) start += 8;
  const length = buffer.readInt32LE(start);
  return buffer.subarray(
    start,
    length === -1 ? start + 8 + buffer.readInt32LE(start + 4) : start + 4 + length,
  );
}

/** The schema of an IPC file or stream. Those of the last messages are kept: pages of a table all have the same. */
export function schemaOf(bytes: Uint8Array): Schema {
  const message = schemaBytesOf(bytes);
  if (message.length > maxKeptSchemaBytes) return arrow.tableFromIPC(bytes).schema;
  const key = message.toString('latin1');
  const known = schemas.get(key);
  if (known) return known;
  const { schema } = arrow.tableFromIPC(bytes);
  if (schemas.size >= maxSchemas) schemas.clear();
  schemas.set(key, schema);
  return schema;
}

/** The schema message that begins a stream. */
export function encodeSchema(schema: Schema): Uint8Array {
  const header = arrow.Message.encode(arrow.Message.from(schema as never));
  const size = (header.byteLength + 7) & ~7;
  const message = Buffer.alloc(8 + size);
  message.writeInt32LE(-1, 0);
  message.writeInt32LE(size, 4);
  message.set(header, 8);
  return message;
}

export type Facts = Record<string, string>;

/** The schema with facts in its metadata (`shared/api/wire.ts`) and more metadata on its fields, by name. */
export function withFacts(
  schema: Schema,
  facts: Facts,
  fieldFacts: ReadonlyMap<string, Facts> = new Map(),
): Schema {
  const fields = schema.fields.map((field) => {
    const more = fieldFacts.get(field.name);
    if (!more) return field;
    return new arrow.Field(
      field.name,
      field.type,
      field.nullable,
      new Map([...field.metadata, ...Object.entries(more)]),
    );
  });
  return new arrow.Schema(
    fields,
    new Map([...schema.metadata, ...Object.entries(facts)]),
    schema.dictionaries,
  );
}

/** One stream out of IPC files of one schema, as Lance makes them: the schema given, their bodies untouched, the end marker. */
export async function* streamOfFiles(
  files: AsyncIterable<Uint8Array>,
  schema: Schema,
): AsyncGenerator<Uint8Array> {
  yield encodeSchema(schema);
  for await (const file of files) {
    const body = bodyOf(file);
    if (body) yield body;
  }
  yield endMarker;
}
