import { AppError } from '#shared/api/problem.ts';
import { type MediaValue, readPart, sizeOfValue } from './media-value.ts';

const maxTopBoxes = 200;
const maxIndexBytes = 64 * 1024 * 1024;
const holders: ReadonlySet<string> = new Set(['trak', 'mdia', 'minf', 'stbl']);

/** What the tables of a track say of its samples (ISO/IEC 14496-12, 8.6 to 8.7). */
interface Tables {
  samples: number;
  sizedBytes: number;
  timed: number;
  placed: number;
}

/** The index of a film in an ISO base media file, wherever it lies; null where there is none that can be looked at. */
async function readIndex(value: MediaValue): Promise<Buffer | null> {
  const fileBytes = sizeOfValue(value);
  for (let at = 0, boxes = 0; at + 16 <= fileBytes && boxes < maxTopBoxes; boxes++) {
    const head = Buffer.from(await readPart(value, at, at + 16));
    const short = head.readUInt32BE(0);
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? fileBytes - at : short;
    if (size < 8) return null;
    if (head.toString('latin1', 4, 8) === 'moov')
      return size > maxIndexBytes ? null : Buffer.from(await readPart(value, at + 8, at + size));
    at += size;
  }
  return null;
}

function* boxesOf(bytes: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) };
    at += size;
  }
}

/** The entries of a table that are really there, each of so many numbers of 32 bits. */
function* entriesOf(body: Buffer, words: number): Generator<number[]> {
  const told = body.length >= 8 ? body.readUInt32BE(4) : 0;
  const count = Math.min(told, Math.floor((body.length - 8) / (words * 4)));
  for (let entry = 0; entry < count; entry++)
    yield Array.from({ length: words }, (_none, word) => body.readUInt32BE(8 + (entry * words + word) * 4));
}

function readTables(bytes: Buffer): Tables {
  const boxes = new Map([...boxesOf(bytes)].map(({ type, body }) => [type, body]));
  const [sizes, times, runs, places] = ['stsz', 'stts', 'stsc', boxes.has('co64') ? 'co64' : 'stco'].map(
    (type) => boxes.get(type) ?? Buffer.alloc(0),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const samples = sizes.length >= 12 ? sizes.readUInt32BE(8) : 0;
  const each = sizes.length >= 12 ? sizes.readUInt32BE(4) : 0;
  let timed = 0;
  for (const [count = 0] of entriesOf(times, 2)) timed += count;
  const chunks = places.length >= 8 ? places.readUInt32BE(4) : 0;
  let placed = 0;
  let before: number[] | null = null;
  for (const run of entriesOf(runs, 3)) {
    if (before) placed += Math.max(0, (run[0] ?? 0) - (before[0] ?? 0)) * (before[1] ?? 0);
    before = run;
  }
  if (before) placed += Math.max(0, chunks + 1 - (before[0] ?? 0)) * (before[1] ?? 0);
  return { samples, sizedBytes: each > 0 ? samples * each : samples, timed, placed };
}

function* tablesOf(bytes: Buffer): Generator<Tables> {
  for (const { type, body } of boxesOf(bytes)) {
    if (type === 'stbl') yield readTables(body);
    else if (holders.has(type)) yield* tablesOf(body);
  }
}

/**
 * An index may tell of four thousand million samples in a few bytes, and readers make room for each. Throws AppError
 * INVALID_FILE where it tells of more than the file can hold, or where its tables contradict each other.
 */
export async function assertHonestTables(value: MediaValue): Promise<void> {
  const index = await readIndex(value);
  if (!index) return;
  for (const { samples, sizedBytes, timed, placed } of tablesOf(index)) {
    const most = samples * 2 + 1000;
    if (sizedBytes <= sizeOfValue(value) && timed <= most && placed <= most) continue;
    throw new AppError({
      code: 'INVALID_FILE',
      message: `The video cannot be decoded: its index tells of ${Math.max(samples, timed, placed).toLocaleString('en')} samples, more than it holds.`,
      hint: 'Download it to look at the file.',
    });
  }
}
