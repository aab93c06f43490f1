import type { MergeResult } from '@lancedb/lancedb';
import type { Table } from '../../arrow/arrow.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { assertCounts, commit, type Step } from './apply-commit.ts';
import { completeRows } from './apply-complete.ts';
import { canIndexKey, rowsWorthAnIndex } from './apply-index.ts';
import { giveBack } from './apply-overwritten.ts';
import type { TableShape } from './apply-shape.ts';
import { isBlobField } from './column-type-arrow.ts';
import { columnsOfFile, cutFile, readFile } from './write-files.ts';
import { keyPredicate, keysOf, printableTypes } from './write-keys.ts';
import { fieldOf, type WriteTarget } from './write-target.ts';

/** In larger tables a merge that also deletes reads the whole table. */
const rowsWithDeleteClause = 20_000;
const deletesPerClause = 2_000;

export interface MergeSteps {
  steps: Step[];
  /** The deletes are part of a merge. */
  takesDeletes: boolean;
}

/** Updates and inserts of a table with a key. */
export function planMergeSteps(
  target: WriteTarget,
  changeset: Changeset,
  shape: TableShape,
  signal: AbortSignal,
): MergeSteps {
  if (shape.isHeavy) return { steps: planPatches(target, changeset), takesDeletes: false };
  const { rows, rowsPerMerge } = shape;
  const updates = changeset.updates.map(readFile);
  const inserts = changeset.inserts.map(readFile);
  const total = [...updates, ...inserts].reduce((sum, file) => sum + file.numRows, 0);
  const deletes = rows <= rowsWithDeleteClause ? clauseOf(target, changeset.deletes) : null;
  const isOneMerge =
    total <= rowsPerMerge && (updates.length > 0 || (inserts.length > 0 && deletes !== null));
  const merge = (input: Omit<MergeInput, 'rows' | 'signal'>) => mergeStep(target, { ...input, rows, signal });
  if (isOneMerge) return { steps: [merge({ updates, inserts, deletes })], takesDeletes: deletes !== null };
  const parts = updates.flatMap((file) => cutFile(file, rowsPerMerge));
  const merges = parts.map((part) => merge({ updates: [part], inserts: [], deletes: null }));
  return { steps: [...merges, ...inserts.map((file) => addStep(target, file))], takesDeletes: false };
}

interface DeleteClause {
  where: string;
  rows: number;
}

function clauseOf(target: WriteTarget, deletes: Uint8Array | null): DeleteClause | null {
  if (deletes === null) return null;
  const file = readFile(deletes);
  const keys = keysOf(
    target.key.map((name) => fieldOf(target, name)),
    columnsOfFile(file),
    file.numRows,
  );
  if (file.numRows > deletesPerClause || !keys.fields.every(({ type }) => printableTypes.has(type.typeId)))
    return null;
  return {
    where: keyPredicate(
      keys,
      Array.from({ length: file.numRows }, (_, row) => row),
    ),
    rows: file.numRows,
  };
}

interface MergeInput {
  updates: Table[];
  inserts: Table[];
  deletes: DeleteClause | null;
  /** Of the table. */
  rows: number;
  signal: AbortSignal;
}

/** Whole rows in one merge: Lance finds them by the index where there is one, and the manifest stays small. */
function mergeStep(target: WriteTarget, { updates, inserts, deletes, rows, signal }: MergeInput): Step {
  return {
    name: 'merge rows',
    operation: 'update',
    run: async () => {
      const read = await target.handle.version();
      const { table, updated, keys } = await completeRows(target, {
        updates,
        inserts,
        signal,
      });
      const inserted = table.numRows - updated;
      const usesIndex = rows >= rowsWorthAnIndex && canIndexKey(target) && deletes === null;
      const result = await commit(target, () => {
        let merge = target.handle.mergeInsert(target.key).useIndex(usesIndex);
        if (updated > 0) merge = merge.whenMatchedUpdateAll();
        if (inserted > 0) merge = merge.whenNotMatchedInsertAll();
        if (deletes) merge = merge.whenNotMatchedBySourceDelete({ where: deletes.where });
        return merge.execute(table);
      });
      if (result.version > read + 1 && updated > 0) {
        const changed = new Set(updates.flatMap(({ schema }) => schema.names.map(String)));
        await giveBack(target, { read, written: result.version, keys, changed }, signal);
      }
      assertMerged(target, result, { updated, inserted, deleted: deletes?.rows ?? 0 });
    },
  };
}

function addStep(target: WriteTarget, file: Table): Step {
  return { name: 'add rows', operation: 'append', run: () => commit(target, () => target.handle.add(file)) };
}

/** In tables with heavy rows only the columns that change are written. */
function planPatches(target: WriteTarget, { updates, inserts }: Changeset): Step[] {
  const blobs = new Set(target.schema.fields.filter(isBlobField).map(({ name }) => name));
  const patches = updates.map(readFile).map((file): Step => {
    const writesBlobs = file.schema.fields.some((field) => isBlobField(field) || blobs.has(field.name));
    const usesIndex = !writesBlobs && canIndexKey(target);
    return {
      name: 'patch columns',
      operation: 'update',
      run: async () => {
        const result = await commit(target, () =>
          target.handle.mergeInsert(target.key).useIndex(usesIndex).whenMatchedUpdateAll().execute(file),
        );
        assertMerged(target, result, { updated: file.numRows, inserted: 0, deleted: 0 });
      },
    };
  });
  return [...patches, ...inserts.map(readFile).map((file) => addStep(target, file))];
}

function assertMerged(
  target: WriteTarget,
  result: MergeResult,
  planned: { updated: number; inserted: number; deleted: number },
): void {
  assertCounts(target, 'updated', result.numUpdatedRows, planned.updated);
  assertCounts(target, 'inserted', result.numInsertedRows, planned.inserted);
  assertCounts(target, 'deleted', result.numDeletedRows, planned.deleted);
}
