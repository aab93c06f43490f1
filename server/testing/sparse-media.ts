import { open } from 'node:fs/promises';

/** Writes pieces at their places into a file of `sizeBytes`; what lies between them takes no room on the disk. */
export async function writeSparse(
  path: string,
  sizeBytes: number,
  pieces: readonly { at: number; bytes: Uint8Array }[],
): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.truncate(sizeBytes);
    for (const { at, bytes } of pieces) await file.write(bytes, 0, bytes.byteLength, at);
  } finally {
    await file.close();
  }
}

const holders: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

interface Box {
  type: string;
  start: number;
  end: number;
}

function boxesOf(bytes: Buffer, start = 0, end = bytes.length): Box[] {
  const found: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at);
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), start: at, end: at + length });
    at += length;
  }
  return found;
}

const boxOf = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

/** The index with offsets of 64 bits (`co64`), moved by so many bytes. */
function moveOffsets(bytes: Buffer, { type, start, end }: Box, by: number): Buffer {
  if (holders.has(type))
    return boxOf(
      type,
      Buffer.concat(boxesOf(bytes, start + 8, end).map((box) => moveOffsets(bytes, box, by))),
    );
  if (type !== 'stco') return bytes.subarray(start, end);
  const count = bytes.readUInt32BE(start + 12);
  const body = Buffer.alloc(8 + count * 8);
  body.writeUInt32BE(count, 4);
  for (let index = 0; index < count; index++)
    body.writeBigUInt64BE(BigInt(bytes.readUInt32BE(start + 16 + index * 4) + by), 8 + index * 8);
  return boxOf('co64', body);
}

/**
 * A film of so many bytes, nearly all of them a hole: the samples lie behind the hole and the index behind them, so that
 * all that matters has offsets beyond it. `film` has its index at the end.
 */
export async function writeSparseFilm(path: string, film: Uint8Array, holeBytes: number): Promise<number> {
  const bytes = Buffer.from(film);
  const boxes = boxesOf(bytes);
  const data = boxes.find(({ type }) => type === 'mdat');
  const index = boxes.find(({ type }) => type === 'moov');
  if (!data || !index || index.start < data.start) throw new Error('The film has no index at its end.');
  const head = Buffer.concat([bytes.subarray(0, data.start), Buffer.alloc(16)]);
  head.writeUInt32BE(1, data.start);
  head.write('free', data.start + 4, 'latin1');
  head.writeBigUInt64BE(BigInt(holeBytes), data.start + 8);
  const moved = moveOffsets(bytes, index, holeBytes);
  const dataAt = data.start + holeBytes;
  const indexAt = dataAt + (data.end - data.start);
  await writeSparse(path, indexAt + moved.length, [
    { at: 0, bytes: head },
    { at: dataAt, bytes: bytes.subarray(data.start, data.end) },
    { at: indexAt, bytes: moved },
  ]);
  return indexAt + moved.length;
}

/** A WAV beyond 4 GB (RF64, EBU Tech 3306) of silence, but for a tone in its last part. */
export async function writeSparseWav(path: string, dataBytes: number): Promise<number> {
  const head = Buffer.alloc(80);
  head.write('RF64', 0, 'latin1');
  head.writeUInt32LE(0xffffffff, 4);
  head.write('WAVEds64', 8, 'latin1');
  head.writeUInt32LE(28, 16);
  head.writeBigUInt64LE(BigInt(72 + dataBytes), 20);
  head.writeBigUInt64LE(BigInt(dataBytes), 28);
  head.writeBigUInt64LE(BigInt(dataBytes / 4), 36);
  head.write('fmt ', 48, 'latin1');
  head.writeUInt32LE(16, 52);
  head.writeUInt16LE(1, 56);
  head.writeUInt16LE(2, 58);
  head.writeUInt32LE(48_000, 60);
  head.writeUInt32LE(192_000, 64);
  head.writeUInt16LE(4, 68);
  head.writeUInt16LE(16, 70);
  head.write('data', 72, 'latin1');
  head.writeUInt32LE(0xffffffff, 76);
  const tone = Buffer.from(
    Int16Array.from({ length: 8_000_000 }, (_none, at) => Math.sin((at >> 1) / 9) * 30_000).buffer,
  );
  await writeSparse(path, 80 + dataBytes, [
    { at: 0, bytes: head },
    { at: 80 + dataBytes - tone.length, bytes: tone },
  ]);
  return 80 + dataBytes;
}
