import { ProtoReader } from './proto-reader.ts';

/** Row ids (or versions' spans) of a fragment, one per physical row (lance `protos/rowids.proto`). */
export interface RowIdSequence {
  length: number;
  /** The id of a physical row. */
  at(offset: number): number;
}

/** A sequence with its pieces, in physical order. */
export interface RowIdPieces extends RowIdSequence {
  segments: readonly RowIdSegment[];
}

/** Ids one after the other from `start` on, or ids as listed. */
export type RowIdSegment = { length: number; start: number } | { length: number; ids: Float64Array };

/** Reads an encoded `RowIdSequence`. Ranges stay ranges: ten million ids in order take no memory. */
export function readRowIds(bytes: Uint8Array): RowIdPieces {
  const segments: RowIdSegment[] = [];
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    if (reader.field === 1) segments.push(readSegment(reader.bytes()));
    else reader.skip();
  }
  const starts: number[] = [];
  let length = 0;
  for (const segment of segments) {
    starts.push(length);
    length += segment.length;
  }
  let last = 0;
  return {
    length,
    segments,
    at(offset) {
      if (!isInside(starts, last, offset, length)) last = findSegment(starts, offset);
      const segment = segments[last]!;
      const inside = offset - starts[last]!;
      return 'ids' in segment ? segment.ids[inside]! : segment.start + inside;
    },
  };
}

const isInside = (starts: number[], at: number, offset: number, length: number): boolean =>
  offset >= (starts[at] ?? 0) && offset < (starts[at + 1] ?? length);

function findSegment(starts: number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function readSegment(bytes: Uint8Array): RowIdSegment {
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    switch (reader.field) {
      case 1:
      case 2:
      case 3:
        return readRange(reader.bytes(), reader.field);
      case 4:
      case 5: {
        const ids = readArray(reader.bytes());
        return { length: ids.length, ids };
      }
      default:
        reader.skip();
    }
  }
  return { length: 0, start: 0 };
}

/** A range (1), a range with holes (2: the ids that are missing), or with a bitmap (3: the ids that are there). */
function readRange(bytes: Uint8Array, kind: 1 | 2 | 3): RowIdSegment {
  const reader = new ProtoReader(bytes);
  let [start, end] = [0, 0];
  let rest: Uint8Array = new Uint8Array(0);
  while (reader.next()) {
    if (reader.field === 1) start = reader.number();
    else if (reader.field === 2) end = reader.number();
    else if (reader.field === 3) rest = reader.bytes();
    else reader.skip();
  }
  if (kind === 1) return { length: end - start, start };
  const holes = kind === 2 ? new Set(readArray(rest)) : null;
  const isThere = (id: number): boolean =>
    holes ? !holes.has(id) : ((rest[(id - start) >> 3] ?? 0) & (1 << ((id - start) & 7))) !== 0;
  const ids = new Float64Array(end - start);
  let length = 0;
  for (let id = start; id < end; id++) if (isThere(id)) ids[length++] = id;
  return { length, ids: ids.subarray(0, length) };
}

/** Numbers as 16- or 32-bit offsets from a base (1, 2), or whole (3). */
function readArray(bytes: Uint8Array): Float64Array {
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    if (reader.field < 1 || reader.field > 3) {
      reader.skip();
      continue;
    }
    const width = reader.field === 1 ? 2 : reader.field === 2 ? 4 : 8;
    const { base, values } = readOffsets(reader.bytes(), width);
    const numbers = new Float64Array(values.byteLength / width);
    const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
    for (let i = 0; i < numbers.length; i++) {
      numbers[i] =
        width === 2
          ? base + view.getUint16(i * 2, true)
          : width === 4
            ? base + view.getUint32(i * 4, true)
            : Number(view.getBigUint64(i * 8, true));
    }
    return numbers;
  }
  return new Float64Array(0);
}

function readOffsets(bytes: Uint8Array, width: number): { base: number; values: Uint8Array } {
  const reader = new ProtoReader(bytes);
  let base = 0;
  let values: Uint8Array = new Uint8Array(0);
  while (reader.next()) {
    if (reader.field === 1 && width < 8) base = reader.number();
    else if (reader.field === (width < 8 ? 2 : 1) || reader.field === 2) values = reader.bytes();
    else reader.skip();
  }
  return { base, values };
}

export interface VersionRun {
  length: number;
  version: number;
}

/** Reads an encoded sequence of versions (created at, last updated at): runs of physical rows. */
export function readVersionRuns(bytes: Uint8Array): VersionRun[] {
  const runs: VersionRun[] = [];
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    if (reader.field !== 1) {
      reader.skip();
      continue;
    }
    const run = new ProtoReader(reader.bytes());
    const read: VersionRun = { length: 0, version: 0 };
    while (run.next()) {
      if (run.field === 1) read.length = readSegment(run.bytes()).length;
      else if (run.field === 2) read.version = run.number();
      else run.skip();
    }
    runs.push(read);
  }
  return runs;
}
