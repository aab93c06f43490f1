import { createCellsEqual } from '../../arrow/cells-equal.ts';
import { gather } from '../../arrow/gather.ts';
import { writtenField } from '../../arrow/json-to-cell.ts';
import { commit } from './apply-commit.ts';
import { isBlobField } from './column-type-arrow.ts';
import { openPinned } from './open-table.ts';
import { tableOf } from './write-files.ts';
import { findRowsByKey, type Keys } from './write-keys.ts';
import { type CellColumn, readCells } from './write-read-cells.ts';
import type { WriteTarget } from './write-target.ts';

export interface Overlap {
  /** The version whose rows were completed. */
  read: number;
  /** The version that the merge made; others committed in between. */
  written: number;
  /** Keys of the rows that were updated. */
  keys: Keys;
  /** Columns that the change itself set. */
  changed: ReadonlySet<string>;
}

/**
 * A merge of whole rows that another program's commit came before has put back cells that the other changed: Lance
 * tries such a merge again with the same rows. Here the other's cells are written again, where the change did not mean
 * them.
 */
export async function giveBack(
  target: WriteTarget,
  { read, written, keys, changed }: Overlap,
  signal: AbortSignal,
): Promise<void> {
  const { home, table, branch, handle } = target;
  const schema = await handle.schema();
  const others = schema.fields.filter(({ name }) => !changed.has(name) && !target.key.includes(name));
  const columns: CellColumn[] = others.map((field) => ({
    field: writtenField(field),
    storedName: field.name,
    valueSql: null,
    isBlob: isBlobField(field),
  }));
  const [before, between] = await Promise.all(
    [read, written - 1].map((version) => openPinned(home, table, { branch, version })),
  );
  const idsOf = async (version: typeof before) => {
    const ids = new Float64Array(keys.length).fill(-1);
    for (const { id, at } of await findRowsByKey(version!, keys, signal)) ids[at] = id;
    return ids;
  };
  const [idsBefore, idsBetween] = [await idsOf(before), await idsOf(between)];
  const rows = Int32Array.from(idsBefore.keys()).filter(
    (row) => idsBefore[row]! >= 0 && idsBetween[row]! >= 0,
  );
  const pick = (ids: Float64Array) => Float64Array.from(rows, (row) => ids[row]!);
  const old = await readCells({ handle: before!, schema }, columns, pick(idsBefore), signal);
  const theirs = await readCells({ handle: between!, schema }, columns, pick(idsBetween), signal);
  const isChanged = new Uint8Array(rows.length);
  const changedColumns = columns.flatMap((_, index) => {
    const isEqual = createCellsEqual(old[index]!, theirs[index]!);
    let hasChanges = false;
    for (let at = 0; at < rows.length; at++) {
      if (isEqual(at, at)) continue;
      isChanged[at] = 1;
      hasChanges = true;
    }
    return hasChanges ? [index] : [];
  });
  if (changedColumns.length === 0) return;
  const at = Int32Array.from(isChanged.keys()).filter((row) => isChanged[row] === 1);
  const keyRows = at.map((row) => rows[row]!);
  const fields = [...keys.fields, ...changedColumns.map((index) => columns[index]!.field)];
  const cells = [
    ...keys.columns.map((column) => gather(column, keyRows)),
    ...changedColumns.map((index) => gather(theirs[index]!, at)),
  ];
  await commit(target, () =>
    handle
      .mergeInsert(target.key)
      .useIndex(false)
      .whenMatchedUpdateAll()
      .execute(tableOf(fields, cells, at.length)),
  );
}
