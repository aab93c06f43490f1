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
const placeSchema = new arrow.Schema([new arrow.Field('place', new arrow.Int64(), false)]);

function batchOfPlaces(physical: Float64Array): RecordBatch {
  const values = BigInt64Array.from(physical, BigInt);
  const children = [arrow.makeData({ type: new arrow.Int64(), length: values.length, data: values })];
  const type = new arrow.Struct(placeSchema.fields);
  const data = arrow.makeData({ type, length: values.length, nullCount: 0, children: children as never });
  return new arrow.RecordBatch(placeSchema, data as never) as RecordBatch;
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

/** Deletes rows by their place among all rows. False when the table does not number its rows as it should. */
export async function deleteRows(
  connection: DuckDBConnection,
  { table, physicalRows, deleted }: StoredRows,
  physical: Float64Array,
): Promise<boolean> {
  const name = quoteIdent(table);
  const counted = await connection.runAndReadAll(
    `SELECT count(*), count_if(rowid >= ${physicalRows}) FROM ${name}`,
  );
  const [rows, beyond] = (counted.getRows()[0] ?? []).map(Number);
  if (rows !== physicalRows - deleted.length || beyond !== 0) return false;
  if (physical.length === 0) return true;
  const listed = await ArrowTable.create(connection, places, placeSchema);
  listed.append(batchOfPlaces(physical));
  listed.close();
  const result = await connection.run(`DELETE FROM ${name} WHERE rowid IN (SELECT place FROM ${places})`);
  await connection.run(`DROP TABLE ${places}`);
  return Number(result.rowsChanged) === physical.length;
}
