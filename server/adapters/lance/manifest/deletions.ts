import { Buffer } from 'node:buffer';
import { zstdDecompressSync } from 'node:zlib';
import { AppError } from '#shared/api/problem.ts';
import { messageKind, messagesOf } from '../../../arrow/ipc.ts';

/** Offsets of deleted physical rows, ascending, from a deletion file. INVALID_FILE when it is damaged. */
export function readDeletions(bytes: Uint8Array, kind: 'arrow' | 'bitmap'): Uint32Array {
  try {
    const offsets = kind === 'bitmap' ? readRoaring(bytes) : readArrow(bytes);
    return isAscending(offsets) ? offsets : offsets.sort();
  } catch (error) {
    throw new AppError({
      code: 'INVALID_FILE',
      message: 'A file that lists deleted rows is damaged or cut off.',
      hint: 'Open an older version, or restore the table’s files from a backup.',
      cause: error,
    });
  }
}

function isAscending(offsets: Uint32Array): boolean {
  for (let at = 1; at < offsets.length; at++) if (offsets[at]! < offsets[at - 1]!) return false;
  return true;
}

const lengthPrefix = 8;

/** An IPC file with one column of row offsets, whose buffers Lance compresses by zstd, which arrow-js does not read. */
function readArrow(bytes: Uint8Array): Uint32Array {
  const parts: Uint32Array[] = [];
  for (const { kind, start, end } of messagesOf(bytes)) {
    if (kind !== messageKind.batch) continue;
    const message = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
    const headerAt = message.readInt32LE(0) === -1 ? 8 : 4;
    const bodyAt = headerAt + message.readInt32LE(headerAt - 4);
    const batch = tableIn(message, tableAt(message, headerAt), 2);
    const buffers = batch.at(2);
    const rows = batch.at(0);
    if (buffers === null || rows === null) continue;
    const vector = tableAt(message, buffers);
    const last = vector + 4 + (message.readUInt32LE(vector) - 1) * 16;
    const from = bodyAt + Number(message.readBigInt64LE(last));
    const body = message.subarray(from, from + Number(message.readBigInt64LE(last + 8)));
    const isCompressed = batch.at(3) !== null;
    parts.push(toOffsets(isCompressed ? decompress(body) : body, Number(message.readBigInt64LE(rows))));
  }
  return concat(parts);
}

/** Where a flatbuffers offset leads. */
const tableAt = (bytes: Buffer, at: number): number => at + bytes.readUInt32LE(at);

/** The fields of the flatbuffers table that field `slot` of another one points at, by their slots. */
function tableIn(bytes: Buffer, parent: number, slot: number): { at(slot: number): number | null } {
  const fieldAt = (table: number, index: number): number | null => {
    const slots = table - bytes.readInt32LE(table);
    const entry = 4 + index * 2;
    const offset = entry < bytes.readUInt16LE(slots) ? bytes.readUInt16LE(slots + entry) : 0;
    return offset === 0 ? null : table + offset;
  };
  const pointer = fieldAt(parent, slot);
  if (pointer === null) throw new RangeError('A message has no header.');
  const table = tableAt(bytes, pointer);
  return { at: (index) => fieldAt(table, index) };
}

function decompress(body: Buffer): Uint8Array {
  const size = Number(body.readBigInt64LE(0));
  const rest = body.subarray(lengthPrefix);
  return size === -1 ? rest : zstdDecompressSync(rest);
}

const toOffsets = (bytes: Uint8Array, rows: number): Uint32Array =>
  new Uint32Array(Uint8Array.from(bytes.subarray(0, rows * 4)).buffer);

function concat(parts: Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const cookieWithRuns = 12_347;
const noOffsetThreshold = 4;
const arrayLimit = 4096;
const bitmapBytes = 8192;

/** A 32-bit roaring bitmap in the portable format (github.com/RoaringBitmap/RoaringFormatSpec). */
function readRoaring(bytes: Uint8Array): Uint32Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cookie = file.readUInt32LE(0);
  const hasRuns = (cookie & 0xffff) === cookieWithRuns;
  const containers = hasRuns ? (cookie >>> 16) + 1 : file.readUInt32LE(4);
  let at = hasRuns ? 4 : 8;
  const runFlags = hasRuns ? file.subarray(at, at + ((containers + 7) >> 3)) : null;
  at += runFlags?.length ?? 0;
  const headers = Array.from({ length: containers }, (_, index) => ({
    high: file.readUInt16LE(at + index * 4) * 65_536,
    count: file.readUInt16LE(at + index * 4 + 2) + 1,
  }));
  at += containers * 4;
  if (!hasRuns || containers >= noOffsetThreshold) at += containers * 4;
  const offsets = new Uint32Array(headers.reduce((sum, { count }) => sum + count, 0));
  let next = 0;
  for (const [index, { high, count }] of headers.entries()) {
    if (runFlags && runFlags[index >> 3]! & (1 << (index & 7))) {
      const runs = file.readUInt16LE(at);
      at += 2;
      for (let run = 0; run < runs; run++, at += 4) {
        const first = high + file.readUInt16LE(at);
        const more = file.readUInt16LE(at + 2);
        for (let low = 0; low <= more; low++) offsets[next++] = first + low;
      }
    } else if (count <= arrayLimit) {
      if (at + count * 2 > file.length) throw new RangeError('A container is cut off.');
      for (let k = 0; k < count; k++, at += 2) offsets[next++] = high + (file[at]! | (file[at + 1]! << 8));
    } else {
      for (let word = 0; word < bitmapBytes; word += 4)
        for (let bits = file.readUInt32LE(at + word); bits !== 0; bits &= bits - 1)
          offsets[next++] = high + word * 8 + (31 - Math.clz32(bits & -bits));
      at += bitmapBytes;
    }
  }
  if (next !== offsets.length) throw new RangeError('A container holds others than it says.');
  return offsets;
}
