import { arrow, type RecordBatch } from '../../../arrow/arrow.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { PermutationCache } from '../permutation/permutation-cache.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { countMatches } from '../rows/count-rows.ts';
import { filesOfQuery } from '../rows/files-of-query.ts';

/** Up to this many rows every one is looked at. */
const defaultExactUpToRows = 1_000_000;
const sampleBlocks = 64;
const defaultRowsPerBlock = 2048;

export interface ProfiledRows {
  /** Rows that match the filter, or all. */
  rows: number;
  scope: string;
  isSample: boolean;
  read(selection: Record<string, string>): AsyncGenerator<RecordBatch>;
}

export interface ProfiledSource {
  table: PinnedTable;
  permutations: PermutationCache;
  where: string | undefined;
  place: LanceErrorPlace;
  signal: AbortSignal;
  /** Up to this many rows every one is looked at, else about as many of the sample. */
  exactUpToRows?: number;
  rowsPerBlock?: number;
}

/** Starts of blocks that are spread evenly over the rows. */
const blockStarts = (rows: number, rowsPerBlock: number): number[] =>
  Array.from({ length: sampleBlocks }, (_, block) =>
    Math.floor((block * (rows - rowsPerBlock)) / (sampleBlocks - 1)),
  );

/** The rows that a profile looks at: all, or above a million a sample of 64 blocks spread over them. */
export async function chooseProfiledRows(source: ProfiledSource): Promise<ProfiledRows> {
  const { table, permutations, where, place, signal } = source;
  const { exactUpToRows = defaultExactUpToRows, rowsPerBlock = defaultRowsPerBlock } = source;
  const rows = await countMatches({ table, permutations, where, place, signal });
  const matching = where === undefined ? '' : ' that match the filter';
  const isSample = rows > exactUpToRows;
  const sampled = sampleBlocks * rowsPerBlock;
  return {
    rows,
    isSample,
    scope: isSample ? `a sample of ${sampled} of ${rows} rows${matching}` : `all ${rows} rows${matching}`,
    read: (selection) => (isSample ? readSample(source, rows, selection) : readAll(source, selection)),
  };
}

async function* batchesOf(files: AsyncIterable<Uint8Array>): AsyncGenerator<RecordBatch> {
  for await (const file of files) yield* arrow.tableFromIPC(file).batches;
}

function readAll(
  { table, where, place, signal }: ProfiledSource,
  selection: Record<string, string>,
): AsyncGenerator<RecordBatch> {
  const query = table.handle.query().select(selection);
  return batchesOf(filesOfQuery(where === undefined ? query : query.where(where), { place, signal }));
}

async function* readSample(
  source: ProfiledSource,
  rows: number,
  selection: Record<string, string>,
): AsyncGenerator<RecordBatch> {
  const { table, permutations, where, place, signal, rowsPerBlock = defaultRowsPerBlock } = source;
  for (const start of blockStarts(rows, rowsPerBlock)) {
    const query =
      where === undefined
        ? table.handle.takeOffsets(Array.from({ length: rowsPerBlock }, (_, i) => start + i))
        : table.handle.takeRowIds([
            ...(
              await permutations.window({
                ...table,
                pinnedKey: table.key,
                place,
                where,
                orderBy: undefined,
                signal,
                offset: start,
                limit: rowsPerBlock,
              })
            ).ids,
          ]);
    yield* batchesOf(filesOfQuery(query.select(selection), { place, signal }));
  }
}
