import { AppError } from '#shared/api/problem.ts';
import type { RowId, RowKey, Selection } from '#shared/domain/selection.ts';
import { columnFromJson } from '../../arrow/json-to-cell.ts';
import type { EditDraft } from './plan-edit-draft.ts';
import { findRowsByKey, type Keys, keyText } from './write-keys.ts';
import { readRowsById, scanRows } from './write-read.ts';

/** Rows that one edit may touch: their images are held in memory. */
export const maxEditedRows = 5_000_000;

const namedAtMost = 5;

/** Positions of the selected rows, as the table is after the operations so far; each row once. */
export async function selectRows(draft: EditDraft, selection: Selection): Promise<Int32Array> {
  if ('ids' in selection) return selectIds(draft, selection.ids);
  if ('keys' in selection) return selectKeys(draft, selection.keys);
  return 'where' in selection ? selectWhere(draft, selection.where) : selectAll(draft);
}

async function selectIds({ target, images, signal }: EditDraft, ids: readonly RowId[]): Promise<Int32Array> {
  const wanted = Float64Array.from(new Set(ids.map(Number)));
  const isKnown = (id: number) => {
    const position = images.length === 0 ? undefined : images.positionOf(id);
    return position === undefined ? null : !images.isDeleted(position);
  };
  const unknown = wanted.filter((id) => isKnown(id) === null);
  const found = unknown.length === 0 ? unknown : (await readRowsById(target.handle, unknown, {}, signal)).ids;
  const there = new Set(found);
  const missing = [...wanted].filter((id) => !(isKnown(id) ?? there.has(id)));
  if (missing.length > 0) throw missingRows('row id', missing.map(String), draftName(target));
  return images.touch(wanted);
}

const draftName = ({ table, branch }: EditDraft['target']): string => `${branch} of ${table}`;

const missingRows = (what: string, names: readonly string[], where: string): AppError => {
  const shown = names.slice(0, namedAtMost).join(', ');
  const more = names.length > namedAtMost ? ` and ${names.length - namedAtMost} more` : '';
  return new AppError({
    code: 'NOT_FOUND',
    message: `${where} has no row with the ${what}${names.length > 1 ? 's' : ''} ${shown}${more}.`,
    hint: 'The rows may have been deleted; look at the branch again.',
  });
};

/** Key columns from keys as the API writes them. */
export function keysFromJson({ columns, target }: EditDraft, keys: readonly RowKey[]): Keys {
  const keyColumns = columns.key;
  if (keyColumns.length === 0)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${target.table} has no row key.`,
      hint: 'Select rows by their ids or by a filter, or declare the key columns of the table.',
    });
  const parts = keys.map((key) => (Array.isArray(key) ? key : [key]));
  const odd = parts.find((part) => part.length !== keyColumns.length);
  if (odd)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The key of ${target.table} is ${keyColumns.map(({ name }) => name).join(', ')}; ${JSON.stringify(odd)} has ${odd.length} values.`,
      hint: keyColumns.length > 1 ? 'Write each key as a list, in that order.' : undefined,
    });
  return {
    fields: keyColumns.map(({ field }) => field),
    columns: keyColumns.map(({ field }, index) =>
      columnFromJson(
        field,
        parts.map((part) => part[index]),
        (row) => `Key ${row + 1}`,
      ),
    ),
    length: keys.length,
  };
}

async function selectKeys(draft: EditDraft, list: readonly RowKey[]): Promise<Int32Array> {
  const { target, images, insertedKeys, signal } = draft;
  const keys = keysFromJson(draft, list);
  const positions = new Set<number>();
  const missing = new Set<number>();
  for (let at = 0; at < keys.length; at++) {
    const inserted = insertedKeys.get(keyText(keys, at));
    if (inserted === undefined || images.isDeleted(inserted)) missing.add(at);
    else positions.add(inserted);
  }
  if (missing.size > 0) {
    const texts = new Map([...missing].map((at) => [keyText(keys, at), at]));
    const found = await findRowsByKey(target.handle, keys, signal);
    const touched = images.touch(found.map(({ id }) => id));
    found.forEach(({ at }, index) => {
      const position = touched[index]!;
      if (images.isDeleted(position) || !texts.has(keyText(keys, at))) return;
      positions.add(position);
      texts.delete(keyText(keys, at));
    });
    const names = [...texts.values()].map((at) => JSON.stringify(list[at]));
    if (names.length > 0) throw missingRows('key', names, draftName(target));
  }
  return Int32Array.from(positions);
}

async function selectWhere(draft: EditDraft, where: string): Promise<Int32Array> {
  const { target, images, signal } = draft;
  const { ids } = await scanRows(target.handle, {}, { where, signal });
  assertNotTooMany(ids.length);
  if (images.length === 0) return images.touch(ids);
  const touched = images.live();
  const { positions } = await draft.evaluateOnImages({ expressions: {}, where }, touched);
  const untouched = ids.filter((id) => images.positionOf(id) === undefined);
  return Int32Array.from([...positions, ...images.touch(untouched)]);
}

async function selectAll({ target, images, signal }: EditDraft): Promise<Int32Array> {
  assertNotTooMany(await target.handle.countRows());
  const { ids } = await scanRows(target.handle, {}, { signal });
  images.touch(ids);
  return images.live();
}

function assertNotTooMany(count: number): void {
  if (count <= maxEditedRows) return;
  throw new AppError({
    code: 'TOO_LARGE',
    message: `The edit would touch ${count} rows; one edit touches at most ${maxEditedRows}.`,
    hint: 'Make several edits, each with a filter.',
  });
}
