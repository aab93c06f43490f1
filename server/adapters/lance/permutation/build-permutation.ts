import type { Table } from '@lancedb/lancedb';
import { AppError } from '#shared/api/problem.ts';
import type { OrderBy } from '#shared/api/tables.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { arrow, type Data, type RecordBatch } from '../../../arrow/arrow.ts';
import { resolveDictionaries } from '../../../arrow/resolve-dictionaries.ts';
import type { TableFacts } from '../../../ports/table-reader.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import { filesOfQuery, freeFile } from '../rows/files-of-query.ts';
import { rowIdColumn, unknownColumn } from '../rows/plan-columns.ts';
import { runSort, type SortTask } from './sort-task.ts';
import { SortThread } from './sort-thread.ts';
import { createSortCollector, type SortCollector, type SortValues } from './sort-values.ts';

export interface PermutationInput {
  handle: Table;
  facts: TableFacts;
  where: string | undefined;
  orderBy: readonly OrderBy[];
  place: LanceErrorPlace;
}

export interface BuildEvents {
  /** How many of the first rows are wanted as soon as they are known. */
  firstCount: number;
  /** The first rows and how many there are in all, ahead of the whole. */
  onFirst(first: { ids: BigUint64Array; count: number }): void;
}

const scanRows = 65_536;
const firstIds = 16_384;
/** Up to this many rows a sort is over before a thread would have started. */
const maxInlineRows = 50_000;

export const unsortable = (name: string, type: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `Rows cannot be sorted by “${name}”: its type ${type} has no order.`,
    hint: 'Sort by numbers, texts, times or booleans; to sort by a part of a value, use the SQL page.',
  });

function collectorsOf({ facts, where, orderBy }: PermutationInput): {
  name: string;
  collector: SortCollector;
}[] {
  const expected = where === undefined ? facts.rows : undefined;
  return orderBy.map(({ column: name, desc = false, nulls }) => {
    const way = { desc, hasNullsFirst: nulls === 'first' };
    if (name === rowIdColumn)
      return { name, collector: createSortCollector({ kind: 'uint64' }, way, expected)! };
    const info = facts.columns.find((column) => column.name === name);
    if (!info) throw unknownColumn(name, facts);
    const collector = createSortCollector(parseColumnType(info.type), way, expected);
    if (!collector) throw unsortable(name, info.type);
    return { name, collector };
  });
}

const columnData = (batch: RecordBatch, name: string): Data =>
  batch.data.children[batch.schema.fields.findIndex((field) => field.name === name)]!;

/** Ids as they come, in one array of the expected length where that is known. */
class GatheredIds {
  #ids: BigUint64Array;
  #count = 0;

  constructor(expected: number) {
    this.#ids = new BigUint64Array(expected);
  }

  add(ids: BigUint64Array): void {
    const count = this.#count + ids.length;
    if (count > this.#ids.length) {
      const grown = new BigUint64Array(Math.max(count, this.#ids.length * 2));
      grown.set(this.#ids.subarray(0, this.#count));
      this.#ids = grown;
    }
    this.#ids.set(ids, this.#count);
    this.#count = count;
  }

  all(): BigUint64Array {
    return this.#ids.length === this.#count ? this.#ids : this.#ids.slice(0, this.#count);
  }
}

/** The ids of the rows that match, in the order wanted: nulls last unless asked otherwise; without an order, and among equal rows, by id. */
export async function buildPermutation(
  input: PermutationInput,
  events: BuildEvents,
  signal: AbortSignal,
): Promise<BigUint64Array> {
  const { handle, where, orderBy, place } = input;
  const columns = collectorsOf(input);
  const names = [...new Set(columns.map(({ name }) => name).filter((name) => name !== rowIdColumn))];
  const query = handle.query().select(names).withRowId();
  const gathered = new GatheredIds(where === undefined ? input.facts.rows : firstIds);
  for await (const file of filesOfQuery(where === undefined ? query : query.where(where), {
    place,
    signal,
    batchRows: scanRows,
  })) {
    for (const encoded of arrow.tableFromIPC(file).batches) {
      const batch = resolveDictionaries(encoded);
      gathered.add((columnData(batch, rowIdColumn).values as BigUint64Array).subarray(0, batch.numRows));
      for (const { name, collector } of columns) collector.add(columnData(batch, name));
    }
    freeFile(file);
  }
  const ids = gathered.all();
  const isById = !input.facts.hasStableRowIds || isAscending(ids);
  if (orderBy.length === 0) return isById ? ids : ids.sort();
  const values = columns.map(({ collector }) => collector.take());
  if (!isById) values.push(idValues(ids));
  const task: SortTask = { columns: values, rowCount: ids.length, firstCount: events.firstCount };
  const onFirst = (rows: Uint32Array): void => events.onFirst({ ids: pick(ids, rows), count: ids.length });
  const order =
    ids.length <= maxInlineRows ? runSort(task, () => undefined) : await sortApart(task, onFirst, signal);
  return pick(ids, order);
}

const isAscending = (ids: BigUint64Array): boolean => {
  for (let i = 1; i < ids.length; i++) if (ids[i]! < ids[i - 1]!) return false;
  return true;
};

/** The ids as the last column to sort by: an update moves rows to the end, but they keep their place among equals. */
function idValues(ids: BigUint64Array): SortValues {
  const raw = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
  const low = Uint32Array.from({ length: ids.length }, (_, i) => raw[i * 2]!);
  const high = Uint32Array.from({ length: ids.length }, (_, i) => raw[i * 2 + 1]!);
  return { kind: 'words', words: [high, low], nulls: null, desc: false, hasNullsFirst: false };
}

function pick(ids: BigUint64Array, rows: Uint32Array): BigUint64Array {
  const picked = new BigUint64Array(rows.length);
  for (let i = 0; i < rows.length; i++) picked[i] = ids[rows[i]!]!;
  return picked;
}

/** Sorts in a thread of its own. The values of the task are given away. */
async function sortApart(
  task: SortTask,
  onFirst: (rows: Uint32Array) => void,
  signal: AbortSignal,
): Promise<Uint32Array> {
  const thread = new SortThread();
  try {
    return await thread.rows(task, onFirst, signal);
  } finally {
    thread.end();
  }
}
