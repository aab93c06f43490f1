import { AppError } from '#shared/api/problem.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import { arrow, type Data } from '../../arrow/arrow.ts';
import { columnFromJson } from '../../arrow/json-to-cell.ts';
import type { EditColumn } from './plan-edit-columns.ts';
import type { EditDraft } from './plan-edit-draft.ts';
import { findRowsByKey, hasNullKey, type Keys, keyLabel, keyText, readingOf } from './write-keys.ts';
import { scanRows } from './write-read.ts';

const rowName = (row: number): string => `Row ${row + 1}`;

/** Adds rows; a row that the edit deleted before comes back under its key, as one modified row. */
export async function planInsert(
  draft: EditDraft,
  { rows }: Extract<EditOp, { op: 'insert' }>,
  nextKey: string | undefined,
): Promise<void> {
  assertKnownColumns(draft, rows);
  const cells = new Map(draft.columns.all.map((column) => [column, cellsOf(column, rows)] as const));
  const hidden = draft.columns.key.find(({ name }) => name === hiddenKeyColumn);
  if (hidden) cells.set(hidden, await giveKeys(draft, rows.length, nextKey));
  const positions =
    draft.columns.key.length === 0
      ? draft.images.addInserted(rows.length)
      : await placeRows(draft, cells, rows.length);
  for (const [column, data] of cells) draft.images.set(column, positions, data);
}

function cellsOf(column: EditColumn, rows: readonly Record<string, unknown>[]): Data {
  const values = rows.map((row) => (Object.hasOwn(row, column.name) ? row[column.name] : null));
  return columnFromJson(column.name === hiddenKeyColumn ? nullable(column) : column.field, values, rowName);
}

const nullable = ({ field }: EditColumn) => new arrow.Field(field.name, field.type, true, field.metadata);

function assertKnownColumns({ columns }: EditDraft, rows: readonly Record<string, unknown>[]): void {
  for (const name of new Set(rows.flatMap((row) => Object.keys(row)))) {
    if (name === hiddenKeyColumn)
      throw new AppError({
        code: 'BAD_REQUEST',
        message: `“${hiddenKeyColumn}” is given by Curio and cannot be inserted.`,
        hint: 'Leave it out.',
      });
    columns.get(name);
  }
}

/** Hidden keys that no row of any branch has. */
async function giveKeys(draft: EditDraft, count: number, floor: string | undefined): Promise<Data> {
  if (draft.nextKey === null) {
    const { columns } = await scanRows(draft.target.handle, readingOf([hiddenKeyColumn]), {
      signal: draft.signal,
    });
    let most = -1n;
    for (const key of columns.get(hiddenKeyColumn)!.values as BigInt64Array) if (key > most) most = key;
    const least = floor === undefined ? 0n : BigInt(floor);
    draft.nextKey = most + 1n > least ? most + 1n : least;
  }
  const first = draft.nextKey;
  draft.nextKey += BigInt(count);
  const data = BigInt64Array.from({ length: count }, (_, index) => first + BigInt(index));
  return arrow.makeData({ type: new arrow.Int64(), length: count, nullCount: 0, data }) as Data;
}

async function placeRows(
  draft: EditDraft,
  cells: ReadonlyMap<EditColumn, Data>,
  count: number,
): Promise<Int32Array> {
  const { images, insertedKeys, target, signal } = draft;
  const keyColumns = draft.columns.key;
  const keys: Keys = {
    fields: keyColumns.map(({ field }) => field),
    columns: keyColumns.map((column) => cells.get(column)!),
    length: count,
  };
  const texts = new Map<string, number>();
  for (let row = 0; row < count; row++) {
    if (hasNullKey(keys, row)) throw keyFault(keyColumns, `${rowName(row)} has no value for the row key`);
    const text = keyText(keys, row);
    const before = insertedKeys.get(text);
    if (texts.has(text) || (before !== undefined && !images.isDeleted(before)))
      throw taken(keys, row, 'is inserted twice');
    texts.set(text, row);
  }
  const found = await findRowsByKey(target.handle, keys, signal);
  const known = new Map<number, number>();
  found.forEach(({ id, at }) => {
    const position = images.length === 0 ? undefined : images.positionOf(id);
    if (position === undefined || !images.isDeleted(position)) throw taken(keys, at, 'is there already');
    known.set(at, position);
  });
  images.setDeleted(known.values(), false);
  const placed = Int32Array.from({ length: count }, (_, row) => known.get(row) ?? images.addInserted(1)[0]!);
  for (const [text, row] of texts) if (!known.has(row)) insertedKeys.set(text, placed[row]!);
  return placed;
}

const keyFault = (keyColumns: readonly EditColumn[], message: string): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: `${message}.`,
    hint: `The row key is ${keyColumns.map(({ name }) => name).join(', ')}.`,
  });

const taken = (keys: Keys, row: number, what: string): AppError =>
  new AppError({
    code: 'CONFLICT',
    message: `The key ${keyLabel(keys, row)} ${what}.`,
    hint: 'Change the row that has the key, or insert under another one.',
    issues: [
      {
        path: keys.fields.map(({ name }) => name).join(', '),
        message: `${keyLabel(keys, row)} ${what}`,
      },
    ],
  });
