import { AppError } from '#shared/api/problem.ts';
import { cellSource, type MergedRows, rowFate } from '#shared/domain/merge-rows.ts';
import { arrow, type Field } from '../../../arrow/arrow.ts';
import type { Changeset } from '../../../ports/table-writer.ts';
import { duplicateKey } from '../apply-deletes.ts';
import { readShape } from '../apply-shape.ts';
import { buildRowFiles, buildSchemaFile, maxRowsPerFile } from '../write-files.ts';
import { findRowsByKey, hasNullKey, type Keys, type KeyToken, keyLabel, keyTokens } from '../write-keys.ts';
import { blobSizes } from './blob-cells.ts';
import { type Budget, type ChangesetInput, createBudget, finalField, keysAt } from './changeset-parts.ts';
import type { Comparison } from './comparison.ts';
import { buildFills } from './fill-columns.ts';
import { readMerged, type WantedColumn } from './merged-cells.ts';
import { breathe, pickKeys, readAligned } from './read-aligned.ts';
import type { MergeScope } from './restrict.ts';
import type { Side } from './side.ts';

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
  const budget = createBudget();
  const updates: Uint8Array[] = [];
  for (const { rows, wanted } of updateGroups(input, updated))
    updates.push(...(await rowFiles(input, rows, wanted, { side: 'into', budget, signal })));
  updates.push(...(await buildFills(input, { updated, inserted }, { budget, signal })));
  const inserts = await rowFiles(input, inserted, insertColumns(input), { side: null, budget, signal });
  return {
    addColumns:
      columns.added.length === 0
        ? null
        : buildSchemaFile(columns.added.map((column) => addedField(input, column))),
    dropColumns: columns.dropped.map((column) => comparison.columns[column]!.into!.name),
    renameColumns: columns.renamed,
    retypeColumns:
      columns.retyped.length === 0
        ? null
        : buildSchemaFile(columns.retyped.map((column) => finalField(input, column))),
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

function addedField(input: ChangesetInput, column: number): Field {
  const field = finalField(input, column);
  return new arrow.Field(field.name, field.type, true, field.metadata);
}

interface UpdateGroup {
  rows: Int32Array;
  wanted: WantedColumn[];
}

/**
 * Changed rows with the columns that change. Each blob column stands apart, with the rows whose blobs change: a file that
 * holds a blob column makes Lance write the blobs of all its rows.
 */
function updateGroups(input: ChangesetInput, updated: Int32Array): UpdateGroup[] {
  const { scope, columns, merged, settled } = input;
  const isBlob = (column: number): boolean => {
    const { into, from } = scope.comparison.columns[column]!;
    return (into ?? from)!.isBlob;
  };
  const wantedOf = (column: number): WantedColumn => ({
    column,
    field: finalField(input, column),
    typed: settled.typed.get(column),
    sourceOf: columns.added.includes(column)
      ? () => cellSource.from
      : (row) => merged.sources.get(column)?.[row] ?? cellSource.into,
  });
  const isChanged =
    ({ sourceOf }: WantedColumn) =>
    (row: number): boolean =>
      sourceOf(row) !== cellSource.into;
  const changed = [...new Set([...merged.sources.keys(), ...columns.added])]
    .sort((a, b) => a - b)
    .map(wantedOf);
  const plain = changed.filter((each) => !isBlob(each.column) && updated.some(isChanged(each)));
  const blobs = changed.filter(({ column }) => isBlob(column));
  return [
    { wanted: plain, rows: updated.filter((row) => plain.some((each) => isChanged(each)(row))) },
    ...blobs.map((each) => ({ wanted: [each], rows: updated.filter(isChanged(each)) })),
  ].filter(({ rows }) => rows.length > 0);
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

/** Two of the rows to be written cannot have one key: `from` holds it twice. */
function assertDistinct(keys: Keys, { ref }: Side): void {
  const seen = new Set<KeyToken>();
  const tokenOf = keyTokens(keys);
  for (let row = 0; row < keys.length; row++) {
    if (hasNullKey(keys, row)) continue;
    const token = tokenOf(row);
    if (seen.has(token)) throw duplicateKey(ref.branch, keyLabel(keys, row));
    seen.add(token);
  }
}

/** Above this, rows that are there already are looked up once only: when they are written. */
const maxLookups = 2_000;

/**
 * Every row that is written must be the only one with its key, and no new row's key may be there. Where many whole rows
 * are written, they are found by their keys before the first commit, and duplicates with them.
 */
async function assertUnique(
  { comparison, ordered }: MergeScope,
  { inserted, existing }: { inserted: Int32Array; existing: Int32Array },
  signal: AbortSignal,
): Promise<void> {
  if (comparison.key.length === 0) return;
  const { into, columns, key, ids } = comparison;
  assertDistinct(pickKeys(ordered.keys, Int32Array.from([...inserted, ...existing])), comparison.from);
  const isLater = existing.length > maxLookups && !(await readShape(into, { addColumns: null })).isHeavy;
  const rows = isLater ? inserted : Int32Array.from([...inserted, ...existing]);
  const keys = pickKeys(ordered.keys, rows);
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
    else throw duplicateKey(into.ref.branch, keyLabel(keys, at));
  }
}
