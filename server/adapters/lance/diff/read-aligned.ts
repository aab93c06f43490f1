import { AppError } from '#shared/api/problem.ts';
import { formatRef } from '#shared/domain/ref.ts';
import type { Data, DataType } from '../../../arrow/arrow.ts';
import { gather } from '../../../arrow/gather.ts';
import { emptyData } from '../../../arrow/null-data.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { tryCastExpression } from '../write-cast.ts';
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

/** As {@link readAligned}, with each column as the given type. UNSUPPORTED names a column with cells that cannot be cast. */
export async function readCast(
  side: Side,
  ids: Float64Array,
  { types, signal }: { types: ReadonlyMap<string, DataType>; signal: AbortSignal },
): Promise<Map<string, Data>> {
  const names = [...types.keys()];
  if (ids.length === 0) return new Map([...types].map(([name, type]) => [name, emptyData(type)]));
  const { table, ref, handle } = side;
  const plain = readingOf(names);
  const reading = Object.fromEntries([
    ...names.map((name) => [name, tryCastExpression(plain[name]!, types.get(name)!)] as const),
    ...names.map((name, at) => [`was${at}`, `${plain[name]} is null`] as const),
  ]);
  const rows = await withLanceErrors({ table, ref }, () => readRowsById(handle, ids, reading, signal));
  if (rows.ids.length !== ids.length) throw missingRows(side);
  for (const [at, name] of names.entries()) assertCast(side, name, rows.columns, `was${at}`);
  return rows.columns;
}

function assertCast({ ref }: Side, name: string, columns: ReadonlyMap<string, Data>, flag: string): void {
  const [data, wasNull] = [columns.get(name)!, columns.get(flag)!];
  if (data.nullCount === 0) return;
  let lost = 0;
  for (let row = 0; row < data.length; row++) if (!data.getValid(row) && bitAt(wasNull, row) === 0) lost += 1;
  if (lost > 0) throw cannotCast({ name, branch: ref.branch, type: String(data.type), count: lost });
}

const bitAt = ({ values, offset }: Data, row: number): number =>
  ((values as Uint8Array)[(offset + row) >> 3]! >> ((offset + row) & 7)) & 1;

export const cannotCast = (lost: { name: string; branch: string; type: string; count: number }): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `These branches cannot be merged. ${lossText(lost)}`,
    hint: 'They can still be compared.',
  });

/** What a change of type would lose, with the way out. */
export const lossText = ({
  name,
  branch,
  type,
  count,
}: {
  name: string;
  branch: string;
  type: string;
  count: number;
}): string =>
  `${count} ${count === 1 ? 'cell' : 'cells'} of ${name} on ${branch} cannot be read as ${type}, the type of the column after the merge. Correct or empty them there first.`;

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
