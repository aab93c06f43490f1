import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { messageKind, messagesOf, schemaBytesOf } from '../../arrow/ipc.ts';

/** Numbers of the types in Arrow's `Schema.fbs` that matter here. */
const typeNumber = { null: 1, struct: 13, union: 14, fixedSizeList: 16, list: 12, largeList: 21 } as const;
const listLike: ReadonlySet<number> = new Set([typeNumber.list, typeNumber.largeList, 17]);
const byteLike: ReadonlySet<number> = new Set([4, 5, 19, 20]);

/** A table of a flatbuffer. */
class FlatTable {
  readonly bytes: Buffer;
  readonly at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Where the value of a field stands, or 0. */
  slot(field: number): number {
    const table = this.at - this.bytes.readInt32LE(this.at);
    const entry = 4 + field * 2;
    const offset = entry < this.bytes.readUInt16LE(table) ? this.bytes.readUInt16LE(table + entry) : 0;
    return offset === 0 ? 0 : this.at + offset;
  }

  table(field: number): FlatTable | null {
    const slot = this.slot(field);
    return slot === 0 ? null : new FlatTable(this.bytes, slot + this.bytes.readInt32LE(slot));
  }

  vector(field: number): { start: number; length: number } {
    const slot = this.slot(field);
    if (slot === 0) return { start: 0, length: 0 };
    const start = slot + this.bytes.readInt32LE(slot);
    return { start: start + 4, length: this.bytes.readInt32LE(start) };
  }

  tables(field: number): FlatTable[] {
    const { start, length } = this.vector(field);
    return Array.from(
      { length },
      (_, i) => new FlatTable(this.bytes, start + i * 4 + this.bytes.readInt32LE(start + i * 4)),
    );
  }
}

const messageAt = (bytes: Buffer, start: number): FlatTable => {
  const header = bytes.readInt32LE(start) === -1 ? start + 8 : start + 4;
  return new FlatTable(bytes, header + bytes.readInt32LE(header));
};

interface Layout {
  /** Positions of the buffers that hold 64-bit list offsets, and of the nodes that say how many rows they have. */
  offsets: { buffer: number; node: number }[];
  buffers: number;
  nodes: number;
}

/** Makes the type of every large list that of a list, and notes where its offsets are (Arrow format: buffers in pre-order). */
function narrowField(field: FlatTable, layout: Layout): void {
  const typeAt = field.slot(2);
  const type = field.bytes.readUInt8(typeAt);
  const node = layout.nodes++;
  if (field.slot(4) !== 0) {
    layout.buffers += 2;
    return;
  }
  if (type === typeNumber.largeList) {
    layout.offsets.push({ buffer: layout.buffers + 1, node });
    field.bytes.writeUInt8(typeNumber.list, typeAt);
  }
  if (type === typeNumber.struct || type === typeNumber.fixedSizeList) layout.buffers += 1;
  else if (listLike.has(type)) layout.buffers += 2;
  else if (byteLike.has(type)) layout.buffers += 3;
  else if (type !== typeNumber.null) layout.buffers += 2;
  for (const child of field.tables(5)) narrowField(child, layout);
}

const schemaOf = (message: FlatTable): FlatTable => message.table(2)!;

/** The schema stands in the file's footer a second time. */
function narrowFooter(bytes: Buffer): void {
  if (bytes.toString('latin1', bytes.length - 6) !== 'ARROW1') return;
  const length = bytes.readInt32LE(bytes.length - 10);
  const start = bytes.length - 10 - length;
  const footer = new FlatTable(bytes, start + bytes.readInt32LE(start));
  const schema = footer.table(1);
  for (const field of schema?.tables(1) ?? []) narrowField(field, { offsets: [], buffers: 0, nodes: 0 });
}

/** 64-bit offsets become 32-bit ones in the first half of their buffer; the rest is padding, which the format allows. */
function narrowBatch(bytes: Buffer, start: number, layout: Layout): void {
  const message = messageAt(bytes, start);
  const batch = message.table(2)!;
  const nodes = batch.vector(1);
  const buffers = batch.vector(2);
  const headerLength =
    bytes.readInt32LE(start) === -1 ? 8 + bytes.readInt32LE(start + 4) : 4 + bytes.readInt32LE(start);
  const body = start + headerLength;
  for (const { buffer, node } of layout.offsets) {
    const rows = Number(bytes.readBigInt64LE(nodes.start + node * 16));
    const at = body + Number(bytes.readBigInt64LE(buffers.start + buffer * 16));
    const length = Number(bytes.readBigInt64LE(buffers.start + buffer * 16 + 8));
    if (length < (rows + 1) * 8) continue;
    for (let i = 0; i <= rows; i++) bytes.writeInt32LE(Number(bytes.readBigInt64LE(at + i * 8)), at + i * 4);
  }
}

/** Schemas that have none, as their bytes: that is nearly all, and every batch comes with its schema. */
const plainSchemas = new Set<string>();
const maxPlainSchemas = 200;

/** Turns the large lists of an IPC file of Lance into lists, in place. Files without any are left alone. */
export function narrowLargeLists<B extends Uint8Array>(file: B): B {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const key = schemaBytesOf(bytes).toString('latin1');
  if (plainSchemas.has(key)) return file;
  const messages = messagesOf(bytes);
  const schema = messages.find(({ kind }) => kind === messageKind.schema);
  if (!schema) return file;
  const layout: Layout = { offsets: [], buffers: 0, nodes: 0 };
  for (const field of schemaOf(messageAt(bytes, schema.start)).tables(1)) narrowField(field, layout);
  if (layout.offsets.length === 0) {
    if (plainSchemas.size >= maxPlainSchemas) plainSchemas.clear();
    plainSchemas.add(key);
    return file;
  }
  narrowFooter(bytes);
  for (const { kind, start } of messages) if (kind === messageKind.batch) narrowBatch(bytes, start, layout);
  return file;
}

type Method = (this: unknown, ...values: unknown[]) => Promise<Uint8Array | null>;

let isTaught = false;

/**
 * Lets LanceDB read tables with large lists, which Polars writes: its apache-arrow has no such type and fails on the
 * whole table. All that crosses from the native code passes here. Lists of more than 2^31 items in one batch stay out
 * of reach.
 */
export function teachLargeLists(): void {
  if (isTaught) return;
  isTaught = true;
  const require = createRequire(import.meta.url);
  const native = require(join(dirname(require.resolve('@lancedb/lancedb')), 'native.js')) as Record<
    string,
    { prototype: Record<string, Method> }
  >;
  const crossings: [type: string, method: string][] = [
    ['RecordBatchIterator', 'next'],
    ['Table', 'schema'],
    ['Query', 'outputSchema'],
    ['TakeQuery', 'outputSchema'],
    ['VectorQuery', 'outputSchema'],
  ];
  for (const [type, name] of crossings) {
    const prototype = native[type]?.prototype;
    const original = prototype?.[name];
    if (!prototype || !original) continue;
    prototype[name] = async function narrowed(...values) {
      const file = await original.apply(this, values);
      return file && narrowLargeLists(file);
    };
  }
}
