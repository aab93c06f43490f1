import type { Query, TakeQuery } from '@lancedb/lancedb';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import type { Data, DataType, RecordBatch } from '../../../arrow/arrow.ts';
import { concatData } from '../../../arrow/concat-data.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { tryCastExpression } from '../write-cast.ts';
import { numbersOf, rowPositions } from '../write-read.ts';
import { emptyColumns, missingRows } from './read-aligned.ts';
import { countLiveRows, type Side } from './side.ts';

/** Columns as Lance gave them, and where each asked row is in them: nothing is moved that is only looked at. */
export interface CellBlock {
  columns: Map<string, Data>;
  rowOf: Int32Array;
}

/** A column to read, and the type as which it is read where that is not its own. */
export interface BlockColumn {
  name: string;
  as?: DataType | null;
}

/** Plain names where no column is cast: that is the quicker way. */
const readingOf = (wanted: readonly BlockColumn[]): string[] | Record<string, string> =>
  wanted.some(({ as }) => as)
    ? Object.fromEntries([
        ...wanted.map(({ name, as }) => {
          const quoted = quoteLanceIdent(name);
          return [name, as ? tryCastExpression(quoted, as) : quoted];
        }),
        [idColumn, idColumn],
      ])
    : [...wanted.map(({ name }) => name), idColumn];

const idColumn = '_rowid';
const rowsPerBatch = 32_768;
const takeAtOnce = 50_000;
/** From this share of the rows on, a scan costs less than a take. */
const scanShare = 1 / 4;

/** True when so many rows are asked for that the whole columns are read. */
export const isScan = (side: Side, count: number): boolean =>
  count > takeAtOnce && count > countLiveRows(side) * scanShare;

const readAhead = new WeakMap<Float64Array, { side: Side; block: CellBlock }>();

/** Keeps a block for whoever asks for rows with these very ids next: once. */
export const keepBlock = (side: Side, ids: Float64Array, block: CellBlock): void => {
  readAhead.set(ids, { side, block });
};

function takeAhead(side: Side, ids: Float64Array, wanted: readonly BlockColumn[]): CellBlock | null {
  const kept = readAhead.get(ids);
  if (!kept) return null;
  readAhead.delete(ids);
  const hasAll = wanted.every(({ name, as }) => !as && kept.block.columns.has(name));
  return kept.side === side && hasAll ? kept.block : null;
}

/** Columns of the rows with the ids. Every row must be there. */
export async function readBlock(
  side: Side,
  ids: Float64Array,
  { columns: wanted, signal }: { columns: readonly BlockColumn[]; signal: AbortSignal },
): Promise<CellBlock> {
  const ahead = takeAhead(side, ids, wanted);
  if (ahead) return ahead;
  const names = wanted.map(({ name }) => name);
  if (ids.length === 0) return { columns: emptyColumns(side, names), rowOf: new Int32Array(0) };
  const { handle, table, ref } = side;
  const batches = await withLanceErrors({ table, ref }, async () => {
    if (isScan(side, ids.length)) return readBatches(handle.query(), wanted, signal);
    const parts: RecordBatch[] = [];
    for (let start = 0; start < ids.length; start += takeAtOnce) {
      const some = Array.from(ids.subarray(start, start + takeAtOnce));
      parts.push(...(await readBatches(handle.takeRowIds(some), wanted, signal)));
    }
    return parts;
  });
  const [first] = batches;
  if (!first) throw missingRows(side);
  const columns = new Map(
    first.schema.fields.map((field, at) => [
      field.name,
      concatData(
        field.type,
        batches.map((batch) => batch.data.children[at]!),
      ),
    ]),
  );
  const positionOf = rowPositions(numbersOf(columns.get(idColumn)));
  const rowOf = new Int32Array(ids.length);
  for (let row = 0; row < ids.length; row++) rowOf[row] = positionOf(ids[row]!);
  if (rowOf.includes(-1)) throw missingRows(side);
  return { columns, rowOf };
}

async function readBatches(
  query: Query | TakeQuery,
  wanted: readonly BlockColumn[],
  signal: AbortSignal,
): Promise<RecordBatch[]> {
  signal.throwIfAborted();
  const { batches } = await query.select(readingOf(wanted)).toArrow({ maxBatchLength: rowsPerBatch });
  return batches as unknown as RecordBatch[];
}
