import { AppError } from '#shared/api/problem.ts';
import { formatRef } from '#shared/domain/ref.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { gather } from '../../../arrow/gather.ts';
import { emptyData } from '../../../arrow/null-data.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { type Keys, keysOf, readingOf } from '../write-keys.ts';
import { readRowsById } from '../write-read.ts';
import type { Side } from './side.ts';

/** Columns of the rows with the ids, in their order. Every row must be there. */
export async function readAligned(
  side: Side,
  ids: Float64Array,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): Promise<Map<string, Data>> {
  if (ids.length === 0) return emptyColumns(side, names);
  const { table, ref } = side;
  const rows = await withLanceErrors({ table, ref }, () =>
    readRowsById(side.handle, ids, readingOf(names), signal),
  );
  if (rows.ids.length !== ids.length) {
    throw missingRows(side);
  }
  return rows.columns;
}

export const missingRows = ({ table, ref }: Side): AppError =>
  new AppError({
    code: 'INTERNAL',
    message: `Rows of ${table} at ${formatRef(ref)} are not where its manifest says.`,
  });

export const emptyColumns = ({ fields }: Side, names: readonly string[]): Map<string, Data> =>
  new Map(names.map((name) => [name, emptyData(fields.find((field) => field.name === name)!.arrow.type)]));

/** The keys of the rows with the ids. */
export async function readKeys(
  side: Side,
  ids: Float64Array,
  key: readonly string[],
  signal: AbortSignal,
): Promise<Keys> {
  const columns = await readAligned(side, ids, { names: key, signal });
  const fields = key.map((name) => side.fields.find((field) => field.name === name)!.arrow);
  return keysOf(fields, columns, ids.length);
}

/** The keys at the indices. */
export const pickKeys = ({ fields, columns }: Keys, indices: Int32Array): Keys => ({
  fields,
  columns: columns.map((column) => gather(column, indices)),
  length: indices.length,
});

/** Lets other work in between two pieces of a long one. */
export const breathe = (signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted();
  return new Promise((resolve) => setImmediate(resolve));
};
