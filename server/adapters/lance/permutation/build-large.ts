import { availableParallelism } from 'node:os';
import { AppError } from '#shared/api/problem.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { arrow, type Data, type RecordBatch } from '../../../arrow/arrow.ts';
import { resolveDictionaries } from '../../../arrow/resolve-dictionaries.ts';
import { filesOfQuery, freeFile } from '../rows/files-of-query.ts';
import { rowIdColumn, unknownColumn } from '../rows/plan-columns.ts';
import { type BuildEvents, type PermutationInput, unsortable } from './build-permutation.ts';
import { createPermutationWriter } from './permutation-file.ts';
import { createWordColumn, type WordColumn } from './row-words.ts';
import { emptyWords, KeySample, LeastRows, type Words } from './sample-keys.ts';
import type { IdHalves } from './sort-task.ts';
import { SortThread } from './sort-thread.ts';
import { type SpoolFile, withSpool } from './spool.ts';

/** Rows read at once. */
const scanRows = 65_536;
const sampledRows = 200_000;
/** Rows of a part that is sorted at once: with its words and ids well under 128 MB. */
const defaultPartRows = 1_500_000;
/** Parts that are sorted at the same time. */
const threadCount = Math.min(2, availableParallelism());

interface ScannedBatch {
  rows: number;
  ids: BigUint64Array;
  words: Uint32Array[];
}

const columnData = (batch: RecordBatch, name: string): Data =>
  batch.data.children[batch.schema.fields.findIndex((field) => field.name === name)]!;

const tooManyTexts = (name: string): AppError =>
  new AppError({
    code: 'MEMORY',
    message: `“${name}” has too many different texts to sort so many rows by it.`,
    hint: 'Filter first, or sort by another column.',
  });

function columnsOf({ facts, orderBy }: PermutationInput): WordColumn[] {
  return orderBy.map(({ column: name, desc = false, nulls }) => {
    const info = facts.columns.find((column) => column.name === name);
    if (!info && name !== rowIdColumn) throw unknownColumn(name, facts);
    const type = info ? parseColumnType(info.type) : ({ kind: 'uint64' } as const);
    const column = createWordColumn({ name, type }, { desc, hasNullsFirst: nulls === 'first' });
    if (!column) throw unsortable(name, info?.type ?? type.kind);
    return column;
  });
}

/** The words of the sort columns and the ids of the rows that match, batch by batch; the arrays are used again. */
async function* scan(
  { handle, where, place }: PermutationInput,
  columns: readonly WordColumn[],
  signal: AbortSignal,
): AsyncGenerator<ScannedBatch> {
  const names = [...new Set(columns.map(({ name }) => name).filter((name) => name !== rowIdColumn))];
  const query = handle.query().select(names).withRowId();
  const words = emptyWords(
    columns.reduce((sum, { wordCount }) => sum + wordCount, 0),
    scanRows,
  );
  const files = filesOfQuery(where === undefined ? query : query.where(where), {
    place,
    signal,
    batchRows: scanRows,
  });
  for await (const file of files) {
    for (const encoded of arrow.tableFromIPC(file).batches) {
      const batch = resolveDictionaries(encoded);
      let at = 0;
      for (const column of columns) {
        if (!column.write(columnData(batch, column.name), words.slice(at, at + column.wordCount)))
          throw tooManyTexts(column.name);
        at += column.wordCount;
      }
      const ids = columnData(batch, rowIdColumn).values as BigUint64Array;
      yield { rows: batch.numRows, ids: ids.subarray(0, batch.numRows), words };
    }
    freeFile(file);
  }
}

/** What a first scan finds: how many rows, and where to part them. */
interface Survey {
  count: number;
  maxId: bigint;
  /** The scan gives the rows in the order of their ids. */
  isById: boolean;
  splitters: Uint32Array[];
}

async function survey(
  input: PermutationInput,
  columns: readonly WordColumn[],
  { firstCount, onFirst, partRows }: BuildEvents & { partRows: number },
  signal: AbortSignal,
): Promise<Survey> {
  const wordCount = columns.reduce((sum, column) => sum + column.wordCount, 0);
  const sample = new KeySample(wordCount, { rows: input.facts.rows, limit: sampledRows });
  const least = new LeastRows(wordCount, columns.some(({ isText }) => isText) ? 0 : firstCount);
  const found = { count: 0, maxId: 0n, isById: true };
  let before = -1n;
  for await (const { rows, ids, words } of scan(input, columns, signal)) {
    for (let row = 0; row < rows; row++) {
      const id = ids[row]!;
      if (id < before) found.isById = false;
      if (id > found.maxId) found.maxId = id;
      before = id;
    }
    found.count += rows;
    sample.add(words, rows);
    least.add(words, ids, rows);
  }
  const first = least.take();
  if (found.isById && first.length > 0) onFirst({ ids: first, count: found.count });
  const splitters = sample.splitters(Math.ceil(found.count / partRows), (written) => {
    let at = 0;
    for (const column of columns) {
      column.settle(written.slice(at, at + column.wordCount));
      at += column.wordCount;
    }
  });
  return { ...found, splitters };
}

/** The part of a row: 2 s before splitter s, 2 s + 1 when it is equal to it. */
function partOf(words: Words, row: number, splitters: Words): number {
  let low = 0;
  let high = splitters[0]!.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    let order = 0;
    for (let w = 0; w < words.length; w++) {
      const [a, b] = [words[w]![row]!, splitters[w]![middle]!];
      if (a !== b) {
        order = a < b ? -1 : 1;
        break;
      }
    }
    if (order === 0) return 2 * middle + 1;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return 2 * low;
}

/** Puts every row into the file of its part; rows that are equal to a splitter need no words. */
async function spoolParts(
  batches: AsyncIterable<ScannedBatch>,
  splitters: Words,
  openFile: (rowWords: number) => SpoolFile,
): Promise<SpoolFile[]> {
  const wordCount = splitters.length;
  const parts = Array.from({ length: 2 * splitters[0]!.length + 1 }, (_none, part) =>
    openFile(part % 2 === 1 ? 2 : wordCount + 2),
  );
  for await (const { rows, ids, words } of batches) {
    const halves = new Uint32Array(ids.buffer, ids.byteOffset, rows * 2);
    for (let row = 0; row < rows; row++) {
      const index = partOf(words, row, splitters);
      const part = parts[index]!;
      if (part.room < part.rowWords) await part.flush();
      if (index % 2 === 0) for (let w = 0; w < wordCount; w++) part.put(words[w]![row]!);
      part.put(halves[row * 2 + 1]!);
      part.put(halves[row * 2]!);
      part.rows += 1;
    }
  }
  return parts;
}

/**
 * Writes the order of more rows than are sorted in memory: a first scan finds where to part them, a second puts them
 * into files by part, and each part is sorted alone. Two scans of the sort columns, and what is written once is read
 * once. Throws MEMORY where a column of texts has too many different ones.
 */
export async function buildLargePermutation(
  input: PermutationInput,
  { path, partRows = defaultPartRows }: { path: string; partRows?: number },
  events: BuildEvents,
  signal: AbortSignal,
): Promise<void> {
  const columns = columnsOf(input);
  const { count, maxId, isById, splitters } = await survey(input, columns, { ...events, partRows }, signal);
  const isIdNeeded = input.facts.hasStableRowIds && !isById;
  await withSpool(`${path}.spool`, async (openFile) => {
    const parts = await spoolParts(scan(input, columns, signal), splitters, openFile);
    const writer = await createPermutationWriter(path, { count, maxId });
    try {
      for await (const ids of sortedParts(parts, isIdNeeded, signal)) await writer.append(ids);
      await writer.finish();
    } catch (error) {
      await writer.discard();
      throw error;
    }
  });
}

/** The ids of one part after the other, in order; the next ones are sorted meanwhile. */
async function* sortedParts(
  parts: readonly SpoolFile[],
  isIdNeeded: boolean,
  signal: AbortSignal,
): AsyncGenerator<IdHalves> {
  const threads = Array.from({ length: threadCount }, () => new SortThread());
  const underway: Promise<IdHalves>[] = [];
  try {
    for (const [at, part] of parts.filter(({ rows }) => rows > 0).entries()) {
      signal.throwIfAborted();
      if (underway.length === threadCount) yield await underway.shift()!;
      const sorted = sortPart(part, { isIdNeeded, thread: threads[at % threadCount]!, signal });
      sorted.catch(() => undefined);
      underway.push(sorted);
    }
    for (const sorted of underway) yield await sorted;
  } finally {
    for (const thread of threads) thread.end();
  }
}

async function sortPart(
  part: SpoolFile,
  { isIdNeeded, thread, signal }: { isIdNeeded: boolean; thread: SortThread; signal: AbortSignal },
): Promise<IdHalves> {
  const columns = await part.read();
  await part.close();
  const [high, low] = columns.slice(-2) as IdHalves;
  const words = columns.slice(0, -2);
  const keys = isIdNeeded ? [...words, high.slice(), low.slice()] : words;
  if (keys.length === 0) return [high, low];
  const values = { kind: 'words' as const, words: keys, nulls: null, desc: false, hasNullsFirst: false };
  return thread.ids({ columns: [values], rowCount: part.rows, firstCount: 0, ids: [high, low] }, signal);
}
