import { AppError } from '#shared/api/problem.ts';
import { cellSource, type MergedRows, rowFate } from '#shared/domain/merge-rows.ts';
import { arrow, type Field } from '../../../arrow/arrow.ts';
import { writtenField } from '../../../arrow/json-to-cell.ts';
import type { Changeset } from '../../../ports/table-writer.ts';
import { buildRowFiles, buildSchemaFile, maxRowsPerFile } from '../write-files.ts';
import { findRowsByKey, hasNullKey, type Keys, keyLabel } from '../write-keys.ts';
import { blobSizes } from './blob-cells.ts';
import type { Comparison } from './comparison.ts';
import { buildFills } from './fill-columns.ts';
import { readMerged, type WantedColumn } from './merged-cells.ts';
import type { ColumnSteps } from './plan-merge.ts';
import { breathe, pickKeys, readAligned } from './read-aligned.ts';
import type { MergeScope } from './restrict.ts';
import type { Settled } from './settle.ts';

export interface ChangesetInput {
  scope: MergeScope;
  columns: ColumnSteps;
  merged: MergedRows;
  settled: Settled;
}

/** Rows as they are written are held in memory until they are. */
const maxChangesetBytes = 2 ** 31;
const fileBytes = 64 * 1024 * 1024;

/** The rows and columns that a merge writes: only what changes, sorted by key. */
export async function buildChangeset(input: ChangesetInput, signal: AbortSignal): Promise<Changeset> {
  const { scope, columns, merged } = input;
  const { comparison, ordered } = scope;
  const rowsOf = (fate: number): Int32Array => ordered.order.filter((row) => merged.fates[row] === fate);
  const [inserted, updated, deleted] = [
    rowsOf(rowFate.insert),
    rowsOf(rowFate.update),
    rowsOf(rowFate.delete),
  ];
  await assertUnique(
    scope,
    { inserted, existing: ordered.order.filter((row) => isWritten(merged, row)) },
    signal,
  );
  const budget = new Budget();
  const updates = [
    ...(await rowFiles(input, updated, updateColumns(input), { side: 'into', budget, signal })),
    ...(await buildFills(input, { updated, inserted }, { budget, signal })),
  ];
  const inserts = await rowFiles(input, inserted, insertColumns(input), { side: null, budget, signal });
  return {
    addColumns:
      columns.added.length === 0
        ? null
        : buildSchemaFile(columns.added.map((column) => addedField(input, column))),
    dropColumns: columns.dropped.map((column) => comparison.columns[column]!.into!.name),
    renameColumns: columns.renamed,
    setFacts: columns.facts,
    updates,
    inserts,
    deletes:
      deleted.length === 0
        ? null
        : (buildRowFiles({
            keys: keysAt(input, deleted, 'into'),
            fields: [],
            cells: [],
            length: deleted.length,
            isWhole: true,
          })[0] ?? null),
  };
}

const isWritten = ({ fates }: MergedRows, row: number): boolean =>
  fates[row] === rowFate.update || fates[row] === rowFate.delete;

/** Counts what is held, so that a merge that is too large says so before memory runs out. */
export class Budget {
  #left = maxChangesetBytes;

  take(files: readonly Uint8Array[]): Uint8Array[] {
    for (const { byteLength } of files) this.#left -= byteLength;
    if (this.#left >= 0) return [...files];
    throw new AppError({
      code: 'TOO_LARGE',
      message: 'The merge would write more than 2 GB at once.',
      hint: 'Bring the changes over in parts: cherry-pick some rows first, then merge the rest.',
    });
  }
}

/** A column under its final name, as it is written. */
export function finalField({ scope, columns }: ChangesetInput, column: number): Field {
  const { into, from } = scope.comparison.columns[column]!;
  const { arrow: field } = (into ?? from)!;
  const written = writtenField(field);
  return new arrow.Field(columns.finalName(column)!, written.type, written.nullable, written.metadata);
}

function addedField(input: ChangesetInput, column: number): Field {
  const field = finalField(input, column);
  return new arrow.Field(field.name, field.type, true, field.metadata);
}

/**
 * What says which rows are meant: their keys, or in a table without one their ids on a side; `null` for new rows of such
 * a table.
 */
function keysAt(input: ChangesetInput, rows: Int32Array, side: 'into' | null): Keys | null {
  const { comparison, ordered } = input.scope;
  if (comparison.key.length > 0) return pickKeys(finalKeys(input, ordered.keys), rows);
  return side && idKeys(Float64Array.from(rows, (row) => comparison.ids[side][row]!));
}

/** Row ids in the place of keys. */
export function idKeys(ids: Float64Array): Keys {
  const type = new arrow.Uint64();
  const data = BigUint64Array.from(ids, (id) => BigInt(id));
  return {
    fields: [new arrow.Field('_rowid', type, false)],
    columns: [arrow.makeData({ type, length: ids.length, nullCount: 0, data })],
    length: ids.length,
  };
}

/** The keys under the names that the key columns will have. */
export function finalKeys(input: ChangesetInput, keys: Keys): Keys {
  const { key } = input.scope.comparison;
  return { ...keys, fields: key.map((column) => finalField(input, column)) };
}

function updateColumns(input: ChangesetInput): WantedColumn[] {
  const { columns, merged, settled } = input;
  const isUpdate = (row: number): boolean => merged.fates[row] === rowFate.update;
  const changed = [...merged.sources]
    .filter(([, sources]) => sources.some((source, row) => source !== cellSource.into && isUpdate(row)))
    .map(([column, sources]) => ({ column, sourceOf: (row: number) => sources[row]! }));
  const added = columns.added.map((column) => ({ column, sourceOf: () => cellSource.from }));
  return [...changed, ...added]
    .sort((a, b) => a.column - b.column)
    .map((each) => ({
      ...each,
      field: finalField(input, each.column),
      typed: settled.typed.get(each.column),
    }));
}

function insertColumns(input: ChangesetInput): WantedColumn[] {
  const { scope, columns, merged, settled } = input;
  const all = [...scope.comparison.columns.keys()].filter(
    (column) => columns.finalName(column) !== null && !scope.comparison.key.includes(column),
  );
  return all.map((column) => {
    const sources = merged.sources.get(column);
    return {
      column,
      field: finalField(input, column),
      typed: settled.typed.get(column),
      sourceOf: (row) => sources?.[row] || merged.rowSource[row]!,
    };
  });
}

/** Rows as files of bounded size; a column that is a blob makes the files smaller. */
async function rowFiles(
  input: ChangesetInput,
  rows: Int32Array,
  wanted: readonly WantedColumn[],
  { side, budget, signal }: { side: 'into' | null; budget: Budget; signal: AbortSignal },
): Promise<Uint8Array[]> {
  const { comparison } = input.scope;
  const files: Uint8Array[] = [];
  for (const some of await splitBySize(comparison, rows, wanted, signal)) {
    const cells = await readMerged(comparison, some, wanted, signal);
    const built = buildRowFiles({
      keys: keysAt(input, some, side),
      fields: wanted.map(({ field }) => field),
      cells,
      length: some.length,
    });
    files.push(...budget.take(built));
    await breathe(signal);
  }
  return files;
}

async function splitBySize(
  comparison: Comparison,
  rows: Int32Array,
  wanted: readonly WantedColumn[],
  signal: AbortSignal,
): Promise<Int32Array[]> {
  const blobs = wanted.filter(
    ({ column }) => (comparison.columns[column]!.from ?? comparison.columns[column]!.into)!.isBlob,
  );
  const parts: Int32Array[] = [];
  let start = 0;
  let bytes = 0;
  const sizeOf = await blobSizeOf(comparison, rows, blobs, signal);
  for (let at = 0; at < rows.length; at++) {
    const size = sizeOf(at);
    if (at > start && (at - start === maxRowsPerFile || bytes + size > fileBytes)) {
      parts.push(rows.subarray(start, at));
      start = at;
      bytes = 0;
    }
    bytes += size;
  }
  if (rows.length > start) parts.push(rows.subarray(start));
  return parts;
}

async function blobSizeOf(
  { columns, ids, from }: Comparison,
  rows: Int32Array,
  blobs: readonly WantedColumn[],
  signal: AbortSignal,
): Promise<(at: number) => number> {
  const names = blobs.flatMap(({ column }) => columns[column]!.from?.name ?? []);
  const totals = new Float64Array(rows.length);
  const present = [...rows.keys()].filter((at) => ids.from[rows[at]!]! >= 0);
  if (names.length > 0 && present.length > 0) {
    const some = Float64Array.from(present, (at) => ids.from[rows[at]!]!);
    for (const data of (await readAligned(from, some, { names, signal })).values())
      blobSizes(data).forEach((size, index) => {
        totals[present[index]!]! += size ?? 0;
      });
  }
  return (at) => totals[at]!;
}

/** Every row that is written must be the only one with its key, and no new row's key may be there. */
async function assertUnique(
  { comparison, ordered }: MergeScope,
  { inserted, existing }: { inserted: Int32Array; existing: Int32Array },
  signal: AbortSignal,
): Promise<void> {
  if (comparison.key.length === 0) return;
  const rows = Int32Array.from([...inserted, ...existing]);
  const keys = pickKeys(ordered.keys, rows);
  const { into, columns, key, ids } = comparison;
  for (let at = 0; at < keys.length; at++) {
    if (!hasNullKey(keys, at)) continue;
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `A row that was changed on ${comparison.from.ref.branch} has no key, so it cannot be merged.`,
      hint: 'Give each row a key of its own first.',
    });
  }
  const fields = key.map((column) => columns[column]!.into!.arrow);
  const found = await findRowsByKey(into.handle, { ...keys, fields }, signal);
  const seen = new Set<number>();
  for (const { at, id } of found) {
    const expected = at < inserted.length ? -1 : ids.into[rows[at]!]!;
    if (!seen.has(at) && id === expected) seen.add(at);
    else throw duplicateKey(comparison, keyLabel(keys, at));
  }
}

const duplicateKey = ({ into }: Comparison, key: string): AppError =>
  new AppError({
    code: 'CONFLICT',
    message: `The key ${key} stands in more than one row of ${into.ref.branch}, so it is not certain which row is meant.`,
    hint: 'Delete or correct the duplicates first.',
  });
