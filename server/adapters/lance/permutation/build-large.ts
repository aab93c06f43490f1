import { AppError } from '#shared/api/problem.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { arrow, type Data, type RecordBatch } from '../../../arrow/arrow.ts';
import { resolveDictionaries } from '../../../arrow/resolve-dictionaries.ts';
import { filesOfQuery, freeFile } from '../rows/files-of-query.ts';
import { rowIdColumn, unknownColumn } from '../rows/plan-columns.ts';
import {
  type BuildEvents,
  maxInlineRows,
  type PermutationInput,
  sortApart,
  unsortable,
} from './build-permutation.ts';
import { createPermutationWriter } from './permutation-file.ts';
import { createWordColumn, type WordColumn } from './row-words.ts';
import { emptyWords, KeySample, LeastRows, type Words } from './sample-keys.ts';
import { runSort } from './sort-task.ts';
import { type SpoolFile, withSpool } from './spool.ts';

/** Rows read at once. */
const scanRows = 65_536;
const sampledRows = 200_000;
/** Rows of a part that is sorted at once: with its words and ids well under 256 MB. */
const defaultPartRows = 3_000_000;

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

const idsOf = (high: Uint32Array, low: Uint32Array, order: Uint32Array | null): BigUint64Array => {
  const ids = new BigUint64Array(low.length);
  const halves = new Uint32Array(ids.buffer);
  for (let i = 0; i < low.length; i++) {
    const row = order ? order[i]! : i;
    halves[i * 2] = low[row]!;
    halves[i * 2 + 1] = high[row]!;
  }
  return ids;
};

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
      for (const part of parts) {
        signal.throwIfAborted();
        if (part.rows > 0) await writer.append(await sortPart(part, isIdNeeded, signal));
        await part.close();
      }
      await writer.finish();
    } catch (error) {
      await writer.discard();
      throw error;
    }
  });
}

async function sortPart(part: SpoolFile, isIdNeeded: boolean, signal: AbortSignal): Promise<BigUint64Array> {
  const columns = await part.read();
  const [high, low] = columns.slice(-2) as [Uint32Array, Uint32Array];
  const words = columns.slice(0, -2);
  if (words.length === 0) {
    const ids = idsOf(high, low, null);
    return isIdNeeded ? ids.sort() : ids;
  }
  const keys = isIdNeeded ? [...words, high.slice(), low.slice()] : words;
  const values = { kind: 'words' as const, words: keys, nulls: null, desc: false, hasNullsFirst: false };
  const task = { columns: [values], rowCount: part.rows, firstCount: 0 };
  const order =
    part.rows <= maxInlineRows
      ? runSort(task, () => undefined)
      : await sortApart(task, () => undefined, signal);
  return idsOf(high, low, order);
}
