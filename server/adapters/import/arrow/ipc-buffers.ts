import { zstdDecompressSync } from 'node:zlib';
import { FlatTable } from './flat-table.ts';
import { unpackLz4Frame } from './lz4-frame.ts';

/** One column's length and nulls, in the order of the columns, depth first. */
export interface BatchNode {
  length: number;
  nullCount: number;
}

/** The parts of a record batch, taken one after the other as its columns are read. */
export interface BatchParts {
  length: number;
  nodes: BatchNode[];
  buffers: Uint8Array[];
  /** How many data buffers each column of views has. */
  variadicCounts: number[];
}

const batchField = { length: 0, nodes: 1, buffers: 2, compression: 3, variadicCounts: 4 };
const codecField = 0;
const codec = { lz4: 0, zstd: 1 };
const lengthPrefix = 8;
const maxUnpackedBytes = 2 ** 31;

const tooLarge = (): Error => new Error('A batch holds more than 2 GB.');

function unpack(packed: Uint8Array, codecId: number, budget: { left: number }): Uint8Array {
  if (packed.length === 0) return packed;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const size = Number(view.getBigInt64(0, true));
  const data = packed.subarray(lengthPrefix);
  if (size === -1) return data;
  if (size < 0) throw new RangeError('A packed buffer has no length.');
  budget.left -= size;
  if (budget.left < 0) throw tooLarge();
  if (codecId === codec.lz4) return unpackLz4Frame(data, size);
  if (codecId !== codec.zstd) throw new RangeError('It is packed in an unknown way.');
  const unpacked = zstdDecompressSync(data, { maxOutputLength: Math.max(1, size) });
  if (unpacked.length !== size) throw new RangeError('A packed buffer has another length than it says.');
  return unpacked;
}

/** Cuts a message's body into the buffers of a record batch, and unpacks them where they are compressed. */
export function readBatchParts(batch: FlatTable, body: Uint8Array): BatchParts {
  const nodeAt = batch.vector(batchField.nodes, 16);
  const nodes = Array.from({ length: nodeAt.length }, (_, index) => {
    const at = nodeAt.start + index * 16;
    return {
      length: Number(batch.bytes.getBigInt64(at, true)),
      nullCount: Number(batch.bytes.getBigInt64(at + 8, true)),
    };
  });
  const compression = batch.table(batchField.compression);
  const bufferAt = batch.vector(batchField.buffers, 16);
  const budget = { left: maxUnpackedBytes };
  const buffers = Array.from({ length: bufferAt.length }, (_, index) => {
    const at = bufferAt.start + index * 16;
    const start = Number(batch.bytes.getBigInt64(at, true));
    const length = Number(batch.bytes.getBigInt64(at + 8, true));
    if (start < 0 || length < 0 || start + length > body.length)
      throw new RangeError('A buffer leaves its message.');
    const bytes = body.subarray(start, start + length);
    return compression ? unpack(bytes, compression.uint8(codecField), budget) : bytes;
  });
  const variadicAt = batch.vector(batchField.variadicCounts, 8);
  const variadicCounts = Array.from({ length: variadicAt.length }, (_, index) =>
    Number(batch.bytes.getBigInt64(variadicAt.start + index * 8, true)),
  );
  return { length: batch.int64(batchField.length), nodes, buffers, variadicCounts };
}

const messageField = { header: 2 };
const dictionaryField = { id: 0, data: 1, isDelta: 2 };

/** The record batch of a message, and for a dictionary batch whose values it holds. */
export function readBatchMessage(
  message: Uint8Array,
  body: Uint8Array,
  isDictionary: boolean,
): { parts: BatchParts; dictionaryId: number; isDelta: boolean } {
  const header = FlatTable.root(message).table(messageField.header);
  const batch = isDictionary ? header?.table(dictionaryField.data) : header;
  if (!header || !batch) throw new RangeError('A message has no batch.');
  return {
    parts: readBatchParts(batch, body),
    dictionaryId: isDictionary ? header.int64(dictionaryField.id) : 0,
    isDelta: isDictionary && header.uint8(dictionaryField.isDelta) !== 0,
  };
}
