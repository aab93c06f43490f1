import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdent } from '#shared/sql/ident.ts';
import { arrow, type RecordBatch } from '../../arrow/arrow.ts';
import { ArrowTable } from './arrow-to-duckdb.ts';

/** A table of cached columns, and which of its rows are deleted: DuckDB's `rowid` goes on counting them. */
export interface StoredRows {
  table: string;
  /** Ever appended. */
  physicalRows: number;
  /** Their places, ascending. */
  deleted: Float64Array;
}

/** Places among the live rows, as places among all rows. Both lists are ascending. */
export function physicalPlaces(live: Float64Array, deleted: Float64Array): Float64Array {
  const places = new Float64Array(live.length);
  let before = 0;
  for (let at = 0; at < live.length; at += 1) {
    const place = live[at] as number;
    while (before < deleted.length && (deleted[before] as number) <= place + before) before += 1;
    places[at] = place + before;
  }
  return places;
}

/** Two ascending lists as one. */
export function mergePlaces(a: Float64Array, b: Float64Array): Float64Array {
  const merged = new Float64Array(a.length + b.length);
  let [left, right] = [0, 0];
  for (let at = 0; at < merged.length; at += 1) {
    const takesLeft = right >= b.length || (left < a.length && (a[left] as number) < (b[right] as number));
    merged[at] = (takesLeft ? a[left++] : b[right++]) as number;
  }
  return merged;
}

const places = 'curio_removed';
const placeSchema = new arrow.Schema([new arrow.Field('place', new arrow.Int32(), false)]);
/** A table has fewer rows than that long before its columns fit into memory. */
const maxPlace = 2 ** 31 - 1;

function batchOfPlaces(physical: Float64Array): RecordBatch {
  const values = Int32Array.from(physical);
  const children = [arrow.makeData({ type: new arrow.Int32(), length: values.length, data: values })];
  const type = new arrow.Struct(placeSchema.fields);
  const data = arrow.makeData({ type, length: values.length, nullCount: 0, children: children as never });
  return new arrow.RecordBatch(placeSchema, data as never) as RecordBatch;
}

/** The place of the last row that is not deleted; -1 where there is none. */
function lastLivePlace({ physicalRows, deleted }: StoredRows): number {
  let place = physicalRows - 1;
  for (let at = deleted.length - 1; at >= 0 && deleted[at] === place; at -= 1) place -= 1;
  return place;
}

/** Whether DuckDB still counts rows from where they were put: were gaps closed, the last row would stand further ahead. */
async function isNumbered(connection: DuckDBConnection, rows: StoredRows): Promise<boolean> {
  const last = lastLivePlace(rows);
  const found = await connection.runAndReadAll(
    `SELECT rowid FROM ${quoteIdent(rows.table)} WHERE rowid >= ${last} LIMIT 2`,
  );
  const ids = found.getRows().map(([id]) => Number(id));
  return last === -1 ? ids.length === 0 : ids.length === 1 && ids[0] === last;
}

/** All that the work does to the tables, or nothing where it fails. */
export async function inTransaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  try {
    const made = await work();
    await connection.run('COMMIT');
    return made;
  } catch (error) {
    await connection.run('ROLLBACK');
    throw error;
  }
}

/** Places that one join looks up in an array instead of a hash table: DuckDB makes one of keys that span so much. */
const partRows = 1_000_000;

/** From the first place to the last, in parts. */
function* partsOf(physical: Float64Array): Generator<{ from: number; to: number }> {
  const last = physical.at(-1) ?? -1;
  for (let from = physical[0] ?? 0; from <= last; from += partRows)
    yield { from, to: Math.min(last, from + partRows - 1) };
}

/** Deletes rows by their place among all rows. False when the table does not number its rows as it should. */
export async function deleteRows(
  connection: DuckDBConnection,
  rows: StoredRows,
  physical: Float64Array,
): Promise<boolean> {
  if (rows.physicalRows > maxPlace || !(await isNumbered(connection, rows))) return false;
  if (physical.length === 0) return true;
  const listed = await ArrowTable.create(connection, places, placeSchema);
  listed.append(batchOfPlaces(physical));
  listed.close();
  const name = quoteIdent(rows.table);
  let gone = 0;
  for (const { from, to } of partsOf(physical)) {
    const { rowsChanged } = await connection.run(
      `DELETE FROM ${name} USING (SELECT place FROM ${places} WHERE place BETWEEN ${from} AND ${to}) AS part
       WHERE ${name}.rowid BETWEEN ${from} AND ${to} AND ${name}.rowid = part.place`,
    );
    gone += Number(rowsChanged);
  }
  await connection.run(`DROP TABLE ${places}`);
  return gone === physical.length;
}
