import type { Data, Field, Table } from '../../arrow/arrow.ts';
import { concatData } from '../../arrow/concat-data.ts';
import { gather } from '../../arrow/gather.ts';
import { writtenField } from '../../arrow/json-to-cell.ts';
import { nullData } from '../../arrow/null-data.ts';
import { assertFound } from './apply-deletes.ts';
import { columnsOfFile, tableOf } from './write-files.ts';
import {
  compareKeys,
  findRowsByKey,
  type Keys,
  type KeyToken,
  keysOf,
  keyTokens,
  readingOf,
} from './write-keys.ts';
import { readRowsById } from './write-read.ts';
import type { WriteTarget } from './write-target.ts';

interface CompleteInput {
  /** Key and changed columns; files may differ in them, and may have rows in common. */
  updates: readonly Table[];
  /** Rows that are not there yet; columns that are missing are null. */
  inserts: readonly Table[];
  signal: AbortSignal;
}

interface CompleteRows {
  table: Table;
  /** How many of the rows are there already. */
  updated: number;
  /** The keys of those. */
  keys: Keys;
}

/** Changed and new rows with all columns of the head, sorted by key: the source of one merge. */
export async function completeRows(
  target: WriteTarget,
  { updates, inserts, signal }: CompleteInput,
): Promise<CompleteRows> {
  const schema = await target.handle.schema();
  const fields = schema.fields.map(writtenField);
  const keyFields = target.key.map((name) => fields.find((field) => field.name === name)!);
  const sources = [...updates, ...inserts].map(columnsOfFile);
  const rowOf = new Map<KeyToken, number>();
  let updated = 0;
  /** For each source, which row of the result each of its rows is. */
  const places = sources.map((columns, index) => {
    const rows = new Int32Array((updates[index] ?? inserts[index - updates.length]!).numRows);
    const tokenOf = keyTokens(keysOf(keyFields, columns, rows.length));
    for (let row = 0; row < rows.length; row++) {
      const token = tokenOf(row);
      const known = rowOf.get(token) ?? rowOf.size;
      if (known === rowOf.size) rowOf.set(token, known);
      rows[row] = known;
    }
    if (index < updates.length) updated = rowOf.size;
    return rows;
  });
  const total = rowOf.size;
  const keys = pickKeys(keyFields, sources, places, total);
  const head = await readHeadRows(target, { keys, updated, fields, signal });
  const order = new Int32Array(total).map((_, row) => row).sort(compareKeys(keys));
  const cells = fields.map((field) => gather(overlay(field, { sources, places, head, total }), order));
  return { table: tableOf(fields, cells, total), updated, keys: head.keys };
}

function pickKeys(
  fields: Field[],
  sources: ReadonlyMap<string, Data>[],
  places: Int32Array[],
  total: number,
): Keys {
  const head = { columns: new Map<string, Data>(), rows: new Int32Array(0) };
  return {
    fields,
    columns: fields.map((field) => overlay(field, { sources, places, head, total })),
    length: total,
  };
}

interface HeadRows {
  columns: Map<string, Data>;
  /** Which row of the result each of them is. */
  rows: Int32Array;
}

/** The rows that are to be updated, as they are: they come first among the keys. */
async function readHeadRows(
  target: WriteTarget,
  { keys, updated, fields, signal }: { keys: Keys; updated: number; fields: Field[]; signal: AbortSignal },
): Promise<HeadRows & { keys: Keys }> {
  const first = new Int32Array(updated).map((_, row) => row);
  const wanted: Keys = {
    fields: keys.fields,
    columns: keys.columns.map((column) => gather(column, first)),
    length: updated,
  };
  const found = await findRowsByKey(target.handle, wanted, signal);
  assertFound(target, found, wanted);
  const ids = Float64Array.from(found.map(({ id }) => id));
  const { columns } = await readRowsById(
    target.handle,
    ids,
    readingOf(fields.map(({ name }) => name)),
    signal,
  );
  return { columns, rows: Int32Array.from(found, ({ at }) => at), keys: wanted };
}

/** A column of the result: the head's cells, and over them those of the sources, later ones last. */
function overlay(
  field: Field,
  {
    sources,
    places,
    head,
    total,
  }: { sources: ReadonlyMap<string, Data>[]; places: Int32Array[]; head: HeadRows; total: number },
): Data {
  const order = new Int32Array(total).fill(-1);
  const parts: Data[] = [];
  let start = 0;
  const lay = (data: Data | undefined, rows: Int32Array) => {
    if (!data) return;
    for (let index = 0; index < rows.length; index++) order[rows[index]!] = start + index;
    parts.push(data);
    start += data.length;
  };
  lay(head.columns.get(field.name), head.rows);
  for (const [index, columns] of sources.entries()) lay(columns.get(field.name), places[index]!);
  return parts.length === 0 ? nullData(field.type, total) : gather(concatData(field.type, parts), order);
}
