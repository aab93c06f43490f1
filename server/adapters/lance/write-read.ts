import type { Query, Table, TakeQuery } from '@lancedb/lancedb';
import type { Data } from '../../arrow/arrow.ts';
import { concatData } from '../../arrow/concat-data.ts';
import { gather } from '../../arrow/gather.ts';
import { emptyData } from '../../arrow/null-data.ts';

/** Rows that were read: their ids, and a column per expression. */
export interface ReadRows {
  ids: Float64Array;
  columns: Map<string, Data>;
}

/** What to read, by the name under which it comes back: columns and expressions in Lance's dialect. */
export type Reading = Record<string, string>;

const rowsPerBatch = 8192;
const takeAtOnce = 50_000;

interface ReadOptions {
  where?: string;
  signal: AbortSignal;
}

/** Rows of a version in the order in which they lie. */
export async function scanRows(
  handle: Table,
  reading: Reading,
  { where, signal }: ReadOptions,
): Promise<ReadRows> {
  let query = handle.query();
  if (where !== undefined) query = query.where(where);
  return collect(query, reading, signal);
}

/** Rows by their ids, in the order of the ids, which are distinct. Those that are not there are left out. */
export async function readRowsById(
  handle: Table,
  ids: Float64Array,
  reading: Reading,
  signal: AbortSignal,
): Promise<ReadRows> {
  const total = ids.length > takeAtOnce ? await handle.countRows() : 0;
  const isMost = ids.length > takeAtOnce && ids.length * 4 > total;
  const found = isMost
    ? await scanRows(handle, reading, { signal })
    : await takeRows(handle, ids, reading, signal);
  const positions = rowPositions(found.ids);
  const order = new Int32Array(ids.length);
  let length = 0;
  for (let index = 0; index < ids.length; index++) {
    const position = positions(ids[index]!);
    if (position >= 0) order[length++] = position;
  }
  if (length === found.ids.length && order.every((position, index) => position === index)) return found;
  return pickRows(found, order.subarray(0, length));
}

async function takeRows(
  handle: Table,
  ids: Float64Array,
  reading: Reading,
  signal: AbortSignal,
): Promise<ReadRows> {
  const parts: ReadRows[] = [];
  for (let start = 0; start === 0 || start < ids.length; start += takeAtOnce) {
    const some = Array.from(ids.subarray(start, start + takeAtOnce));
    parts.push(await collect(handle.takeRowIds(some), reading, signal));
  }
  return joinRows(parts);
}

async function collect(query: Query | TakeQuery, reading: Reading, signal: AbortSignal): Promise<ReadRows> {
  signal.throwIfAborted();
  const asked = query.select({ ...reading, _rowid: '_rowid' });
  const { batches, schema } = await asked.toArrow({ maxBatchLength: rowsPerBatch });
  signal.throwIfAborted();
  const { fields } = batches.length === 0 ? await asked.outputSchema() : schema;
  const columns = new Map<string, Data>();
  fields.forEach((field, index) => {
    const parts = batches.map((batch) => batch.data.children[index]!);
    columns.set(field.name, parts.length === 0 ? emptyData(field.type) : concatData(field.type, parts));
  });
  const ids = numbersOf(columns.get('_rowid'));
  columns.delete('_rowid');
  return { ids, columns };
}

/** Row ids as numbers, from the halves of their 64 bits: many times faster than through bigints. */
export function numbersOf(data: Data | undefined): Float64Array {
  if (!data) return new Float64Array(0);
  const { buffer, byteOffset } = data.values as BigUint64Array;
  const halves = new Uint32Array(buffer, byteOffset, data.length * 2);
  const numbers = new Float64Array(data.length);
  for (let row = 0; row < data.length; row++)
    numbers[row] = halves[row * 2]! + halves[row * 2 + 1]! * 2 ** 32;
  return numbers;
}

/** The rows at the indices; -1 gives nulls. */
export function pickRows({ ids, columns }: ReadRows, order: Int32Array): ReadRows {
  return {
    ids: pickIds(ids, order),
    columns: new Map([...columns].map(([name, data]) => [name, gather(data, order)])),
  };
}

function pickIds(ids: Float64Array, order: Int32Array): Float64Array {
  const picked = new Float64Array(order.length);
  for (let at = 0; at < order.length; at++) picked[at] = order[at]! < 0 ? -1 : ids[order[at]!]!;
  return picked;
}

function joinRows(parts: ReadRows[]): ReadRows {
  const [first] = parts;
  if (!first || parts.length === 1) return first ?? { ids: new Float64Array(0), columns: new Map() };
  const ids = new Float64Array(parts.reduce((sum, part) => sum + part.ids.length, 0));
  let at = 0;
  for (const part of parts) {
    ids.set(part.ids, at);
    at += part.ids.length;
  }
  const columns = new Map(
    [...first.columns].map(([name, data]) => [
      name,
      concatData(
        data.type,
        parts.map((part) => part.columns.get(name)!),
      ),
    ]),
  );
  return { ids, columns };
}

/** Looks up where a row id stands in a list of distinct ones; -1 where it does not. */
export function rowPositions(ids: Float64Array): (id: number) => number {
  let most = 0;
  for (const id of ids) if (id > most) most = id;
  if (most < Math.max(10_000, ids.length * 64)) {
    const positions = new Int32Array(most + 1).fill(-1);
    for (let at = 0; at < ids.length; at++) positions[ids[at]!] = at;
    return (id) => positions[id] ?? -1;
  }
  const positions = new Map<number, number>();
  for (let at = 0; at < ids.length; at++) positions.set(ids[at]!, at);
  return (id) => positions.get(id) ?? -1;
}
