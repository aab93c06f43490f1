import { rowChange } from '#shared/domain/diff.ts';
import type { Data, Field } from '../../../arrow/arrow.ts';
import { gather } from '../../../arrow/gather.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { buildRowFiles, maxRowsPerFile } from '../write-files.ts';
import { compareKeys, hasNullKey, type Keys, keysOf, readingOf } from '../write-keys.ts';
import { scanRows } from '../write-read.ts';
import { type Budget, type ChangesetInput, finalField, finalKeys, idKeys } from './changeset-parts.ts';
import { readBlobs } from './merged-cells.ts';
import { breathe, pickKeys, readAligned } from './read-aligned.ts';

interface FillOptions {
  budget: Budget;
  signal: AbortSignal;
}

/**
 * Values of columns that `from` added, for its rows that `into` has too and that are not written for another reason.
 * Work grows with the table here: the column is new in every row.
 */
export async function buildFills(
  input: ChangesetInput,
  written: { updated: Int32Array; inserted: Int32Array },
  { budget, signal }: FillOptions,
): Promise<Uint8Array[]> {
  const { scope, columns } = input;
  const { comparison } = scope;
  if (columns.added.length === 0) return [];
  const { from, key } = comparison;
  const names = key.map((column) => comparison.columns[column]!.from!.name);
  const all = await withLanceErrors({ table: from.table, ref: from.ref }, () =>
    scanRows(from.handle, readingOf(names), { signal }),
  );
  const fields = names.map((name) => from.fields.find((field) => field.name === name)!.arrow);
  const keys =
    key.length > 0 ? finalKeys(input, keysOf(fields, all.columns, all.ids.length)) : idKeys(all.ids);
  const isLeftOut = leftOut(input, written);
  const order = Int32Array.from(all.ids.keys())
    .filter((at) => !isLeftOut.has(all.ids[at]!) && !hasNullKey(keys, at))
    .sort(compareKeys(keys));
  const files: Uint8Array[] = [];
  for (let start = 0; start < order.length; start += maxRowsPerFile) {
    const some = order.subarray(start, start + maxRowsPerFile);
    const ids = Float64Array.from(some, (at) => all.ids[at]!);
    files.push(...budget.take(await fillFiles(input, ids, pickKeys(keys, some), signal)));
    await breathe(signal);
  }
  return files;
}

/** Row ids of `from` that are written anyway, or that `into` does not have. */
function leftOut(
  { scope }: ChangesetInput,
  { updated, inserted }: { updated: Int32Array; inserted: Int32Array },
): Set<number> {
  const { comparison } = scope;
  const { ids, intoDelta, fromDelta, three } = comparison;
  const ours = new Set<number>();
  for (const rows of [updated, inserted]) for (const row of rows) ours.add(ids.from[row]!);
  for (const baseId of intoDelta.removed) ours.add(fromDelta.sideIdOf(baseId));
  const common = new Set<number>();
  for (let row = 0; row < three.count; row++)
    if (three.from[row] === rowChange.added && three.into[row] === rowChange.added)
      common.add(ids.from[row]!);
  for (const id of fromDelta.added) if (!common.has(id)) ours.add(id);
  return ours;
}

async function fillFiles(
  input: ChangesetInput,
  ids: Float64Array,
  keys: Keys,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const { comparison } = input.scope;
  const { from } = comparison;
  const added = input.columns.added.map((column) => ({
    source: comparison.columns[column]!.from!,
    field: finalField(input, column),
  }));
  const plain = added.filter(({ source }) => !source.isBlob);
  const read = await readAligned(from, ids, { names: plain.map(({ source }) => source.name), signal });
  const files = filledRows(
    keys,
    plain.map(({ source, field }) => ({ field, data: read.get(source.name)! })),
  );
  for (const { source, field } of added.filter((each) => each.source.isBlob)) {
    const data = await readBlobs(from, { name: source.name, ids, isAsked: () => true, field }, signal);
    files.push(...filledRows(keys, [{ field, data }]));
  }
  return files;
}

/** The rows that have a value in any of the columns. */
function filledRows(keys: Keys, columns: readonly { field: Field; data: Data }[]): Uint8Array[] {
  const rows = Int32Array.from({ length: keys.length }, (_, row) => row);
  const filled = rows.filter((row) => columns.some(({ data }) => data.getValid(row)));
  if (filled.length === 0) return [];
  return buildRowFiles({
    keys: pickKeys(keys, filled),
    fields: columns.map(({ field }) => field),
    cells: columns.map(({ data }) => gather(data, filled)),
    length: filled.length,
  });
}
