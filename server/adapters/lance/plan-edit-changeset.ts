import { AppError } from '#shared/api/problem.ts';
import { arrow, type Data, type Field } from '../../arrow/arrow.ts';
import { createCellsEqual } from '../../arrow/cells-equal.ts';
import type { EditPlan } from '../../ports/table-writer.ts';
import type { EditColumn } from './plan-edit-columns.ts';
import type { EditDraft } from './plan-edit-draft.ts';
import { buildRowFiles, buildSchemaFile, valueSqlKey } from './write-files.ts';
import { findRowsByKey, hasNullKey, type Keys, keyLabel } from './write-keys.ts';

/** What is left of an edit when all its operations are done: the cells that differ from the head. */
export async function buildChangeset(draft: EditDraft): Promise<EditPlan> {
  const { images, columns } = draft;
  const all = Int32Array.from({ length: images.length }, (_, position) => position);
  const deleted = all.filter((position) => images.isDeleted(position) && !images.isInserted(position));
  const inserted = all.filter((position) => !images.isDeleted(position) && images.isInserted(position));
  const kept = all.filter((position) => !images.isDeleted(position) && !images.isInserted(position));
  const groups = await findChanges(draft, kept);
  const changed = new Set(groups.flatMap(({ positions }) => [...positions]));
  await assertUniqueKeys(draft, Int32Array.from([...changed, ...deleted]));
  const updates: Uint8Array[] = [];
  for (const group of groups) updates.push(...(await rowFiles(draft, group.positions, group.columns)));
  const insertedColumns = columns.all.filter((column) => !column.isKey);
  return {
    changeset: {
      addColumns: columns.added.length === 0 ? null : buildSchemaFile(columns.added.map(addedField)),
      dropColumns: [...columns.dropped],
      renameColumns: columns.renames,
      updates,
      inserts: inserted.length === 0 ? [] : await rowFiles(draft, inserted, insertedColumns),
      deletes: deleted.length === 0 ? null : await deletesFile(draft, deleted),
    },
    changed: { inserted: inserted.length, updated: changed.size, deleted: deleted.length },
    nextKey: draft.nextKey === null ? null : String(draft.nextKey),
  };
}

const addedField = ({ field, valueSql }: EditColumn): Field =>
  valueSql === null
    ? field
    : new arrow.Field(
        field.name,
        field.type,
        field.nullable,
        new Map([...field.metadata, [valueSqlKey, valueSql]]),
      );

interface Changes {
  positions: Int32Array;
  columns: EditColumn[];
}

/**
 * Rows whose cells differ from the head, with the columns that do. Blobs stand apart: a file with a blob column makes
 * Lance write the blobs of its rows again.
 */
async function findChanges(draft: EditDraft, kept: Int32Array): Promise<Changes[]> {
  const present = new Set(draft.columns.all);
  const touched = draft.images.touchedColumns.filter((column) => present.has(column) && !column.isKey);
  const plain = await changesOf(
    draft,
    touched.filter(({ isBlob }) => !isBlob),
    kept,
  );
  const blobs = await changesOf(
    draft,
    touched.filter(({ isBlob }) => isBlob),
    kept,
  );
  return [...plain, ...blobs];
}

async function changesOf(
  { images, signal }: EditDraft,
  columns: EditColumn[],
  kept: Int32Array,
): Promise<Changes[]> {
  const isChanged = new Uint8Array(images.length);
  const changedColumns: EditColumn[] = [];
  for (const column of columns) {
    signal.throwIfAborted();
    const set = kept.filter((position) => images.isSet(column, position));
    const before = (await images.head([column], set)).get(column)!;
    const after = await images.values(column, set);
    const isEqual = createCellsEqual(before, after);
    let hasChanges = false;
    set.forEach((position, index) => {
      if (isEqual(index, index)) return;
      isChanged[position] = 1;
      hasChanges = true;
    });
    if (hasChanges) changedColumns.push(column);
  }
  const positions = kept.filter((position) => isChanged[position] === 1);
  return positions.length === 0 ? [] : [{ positions, columns: changedColumns }];
}

/** Rows as files: their key, or their id in tables without one, and the columns given. */
async function rowFiles(
  draft: EditDraft,
  positions: Int32Array,
  columns: readonly EditColumn[],
): Promise<Uint8Array[]> {
  const { images } = draft;
  const keyed = await keysAt(draft, positions);
  const values = await images.valuesOf(columns, positions);
  const fields = columns.map(({ field }) => field);
  const cells = columns.map((column) => values.get(column)!);
  const isInsert = positions.length > 0 && images.isInserted(positions[0]!);
  if (isInsert && draft.columns.key.length === 0)
    return buildRowFiles({ keys: null, fields, cells, length: positions.length });
  return buildRowFiles({ keys: keyed, fields, cells, length: positions.length });
}

async function deletesFile(draft: EditDraft, positions: Int32Array): Promise<Uint8Array> {
  const keys = await keysAt(draft, positions);
  return buildRowFiles({ keys, fields: [], cells: [], length: positions.length, isWhole: true })[0]!;
}

/** The key of rows; their ids in tables without a key. */
async function keysAt({ columns, images, target }: EditDraft, positions: Int32Array): Promise<Keys> {
  if (columns.key.length === 0) {
    const ids = BigUint64Array.from(positions, (position) => BigInt(Math.max(0, images.idAt(position))));
    const data = arrow.makeData({
      type: new arrow.Uint64(),
      length: ids.length,
      nullCount: 0,
      data: ids,
    }) as Data;
    return {
      fields: [new arrow.Field('_rowid', new arrow.Uint64(), false)],
      columns: [data],
      length: ids.length,
    };
  }
  const values = await images.valuesOf(columns.key, positions);
  const keys: Keys = {
    fields: columns.key.map(({ field }) => field),
    columns: columns.key.map((column) => values.get(column)!),
    length: positions.length,
  };
  for (let row = 0; row < keys.length; row++) {
    if (!hasNullKey(keys, row)) continue;
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `A row of ${target.table} has no value for its key (${columns.key.map(({ name }) => name).join(', ')}), so it cannot be changed.`,
      hint: 'Give it a key with another program, or declare another key.',
    });
  }
  return keys;
}

/** Lance changes every row that has a key, so a key that several rows share would change more than was asked for. */
async function assertUniqueKeys(draft: EditDraft, positions: Int32Array): Promise<void> {
  const { target, columns, signal } = draft;
  if (columns.key.length === 0 || positions.length === 0) return;
  const keys = await keysAt(draft, positions);
  const stored: Keys = { ...keys, fields: columns.key.map(({ field }) => field) };
  const seen = new Uint8Array(keys.length);
  for (const { at } of await findRowsByKey(target.handle, stored, signal)) {
    if (seen[at] === 1)
      throw new AppError({
        code: 'CONFLICT',
        message: `Several rows of ${target.table} have the key ${keyLabel(keys, at)}, so none of them can be changed by it.`,
        hint: 'Declare key columns that are unique, or remove the duplicates with another program.',
      });
    seen[at] = 1;
  }
}
