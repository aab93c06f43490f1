import { AppError, notFound } from '#shared/api/problem.ts';
import type { SearchBody } from '#shared/api/tables.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { isVectorType } from '#shared/domain/index-kinds.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import { arrow, type Data } from '../../../arrow/arrow.ts';
import { halfToNumber } from '../../../arrow/cell-json.ts';
import type { TableFacts } from '../../../ports/table-reader.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import { withLanceErrors } from '../lance-errors.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { unknownColumn } from '../rows/plan-columns.ts';

export interface VectorColumn {
  name: string;
  dimensions: number;
  isDouble: boolean;
}

const listed = (columns: VectorColumn[]): string =>
  columns.map(({ name, dimensions }) => `“${name}” (${dimensions})`).join(' and ');

function vectorColumnsOf({ columns }: TableFacts): VectorColumn[] {
  return columns.flatMap(({ name, type: text }) => {
    const type = parseColumnType(text);
    return isVectorType(type) && !name.includes('`')
      ? [{ name, dimensions: type.size, isDouble: type.item.kind === 'float64' }]
      : [];
  });
}

/**
 * The column to search in: the one named; else the first one, or for a vector the first one of its length. The answer
 * says which it was.
 */
export function chooseVectorColumn(
  facts: TableFacts,
  { column, vector }: Pick<SearchBody, 'column' | 'vector'>,
): VectorColumn {
  const all = vectorColumnsOf(facts);
  if (column !== undefined) {
    const chosen = all.find(({ name }) => name === column);
    if (chosen) return chosen;
    if (!facts.columns.some(({ name }) => name === column)) throw unknownColumn(column, facts);
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `“${column}” holds no vectors that can be searched.`,
      hint:
        all.length === 0 ? 'This table has no column of vectors.' : `Columns of vectors are ${listed(all)}.`,
    });
  }
  const [first] = all;
  if (!first)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: 'This table has no column of vectors.',
      hint: 'Add a column of vectors (fixed-size lists of floats), or search by words.',
    });
  if (vector === undefined || all.length === 1) return first;
  const fitting = all.find(({ dimensions }) => dimensions === vector.length);
  if (fitting) return fitting;
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `The vector has ${vector.length} numbers, which is the length of no column of vectors here.`,
    hint: `There are ${listed(all)}.`,
  });
}

function numbersAt(data: Data, row: number): Float64Array {
  const child = data.children[0]!;
  const size = data.stride;
  const values = child.values as ArrayLike<number>;
  const isHalf = child.type.typeId === arrow.Type.Float && values instanceof Uint16Array;
  return Float64Array.from({ length: size }, (_, i) =>
    isHalf ? halfToNumber(values[row * size + i]!) : values[row * size + i]!,
  );
}

/** The vector of a row. NOT_FOUND for a row that is not there, BAD_REQUEST for one without a vector. */
export async function readRowVector(
  { handle }: PinnedTable,
  { column, rowId, place }: { column: VectorColumn; rowId: bigint; place: LanceErrorPlace },
): Promise<Float64Array> {
  const table = await withLanceErrors(place, () =>
    handle
      .takeRowIds([rowId])
      .select({ vector: quoteLanceIdent(column.name), _rowid: '_rowid' })
      .toArrow(),
  );
  const data = table.batches.find(({ numRows }) => numRows > 0)?.getChild('vector')?.data[0];
  if (!data) throw notFound(`The row ${rowId}`, 'It was deleted, or the id belongs to another version.');
  if (!data.getValid(0))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The row ${rowId} has no vector in “${column.name}”.`,
      hint: 'Start from another row or in another column.',
    });
  return numbersAt(data, 0);
}

/** Throws BAD_REQUEST unless the vector can be compared with those of the column. */
export function assertQueryVector(vector: Float64Array, column: VectorColumn, metric: string): void {
  if (vector.length !== column.dimensions)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The vector has ${vector.length} numbers, but those of “${column.name}” have ${column.dimensions}.`,
      hint: 'Send a vector of the same model, or name another column.',
    });
  if (!vector.every(Number.isFinite))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The vector has numbers that are not finite.',
      hint: 'Start from another row or vector.',
    });
  const length = vector.reduce((sum, value) => sum + value * value, 0);
  if (!Number.isFinite(column.isDouble ? length : Math.fround(length)))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The vector has numbers so large that no distance from it can be computed in “${column.name}”.`,
      hint: 'Scale the vector down, for example to the length 1.',
    });
  if (metric === 'cosine' && vector.every((value) => value === 0))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'A vector of zeros points nowhere: nothing is similar to it.',
      hint: 'Start from another row or vector, or use the metric l2.',
    });
}
