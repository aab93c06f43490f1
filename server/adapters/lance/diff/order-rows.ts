import { arrow, type Data } from '../../../arrow/arrow.ts';
import { concatData } from '../../../arrow/concat-data.ts';
import { gather } from '../../../arrow/gather.ts';
import { compareKeys, type Keys } from '../write-keys.ts';
import type { Comparison } from './comparison.ts';
import { readKeys } from './read-aligned.ts';

/** The rows of a comparison in the order of their keys, which never changes. */
export interface OrderedRows {
  /** Row numbers. */
  order: Int32Array;
  /** The keys by row number; in tables without one, the row ids. */
  keys: Keys;
}

const ordered = new WeakMap<Comparison, Promise<OrderedRows>>();

/** Orders the rows once per comparison. */
export function orderRows(comparison: Comparison): Promise<OrderedRows> {
  let rows = ordered.get(comparison);
  if (!rows) {
    rows = makeOrder(comparison);
    rows.catch(() => ordered.delete(comparison));
    ordered.set(comparison, rows);
  }
  return rows;
}

async function makeOrder(comparison: Comparison): Promise<OrderedRows> {
  const { three } = comparison;
  const keys = comparison.key.length > 0 ? await keysOfRows(comparison) : idsAsKeys(comparison);
  const byKey = compareKeys(keys);
  const order = Int32Array.from({ length: three.count }, (_, row) => row);
  return { order: order.sort((a, b) => byKey(a, b) || a - b), keys };
}

/** From `from`, and of the rows that it removed from base. */
async function keysOfRows({ base, from, key, columns, ids, three }: Comparison): Promise<Keys> {
  const { signal } = new AbortController();
  const rows = Int32Array.from({ length: three.count }, (_, row) => row);
  const [present, removed] = [
    rows.filter((row) => ids.from[row]! >= 0),
    rows.filter((row) => ids.from[row]! < 0),
  ];
  const [ours, gone] = await Promise.all([
    readKeys(
      from,
      pick(ids.from, present),
      key.map((column) => columns[column]!.from!.name),
      signal,
    ),
    readKeys(
      base,
      pick(ids.base, removed),
      key.map((column) => columns[column]!.base!.name),
      signal,
    ),
  ]);
  const places = new Int32Array(three.count);
  present.forEach((row, at) => {
    places[row] = at;
  });
  removed.forEach((row, at) => {
    places[row] = present.length + at;
  });
  return {
    fields: ours.fields,
    columns: ours.columns.map((column, at) =>
      gather(concatData(column.type, [column, gone.columns[at] as Data]), places),
    ),
    length: three.count,
  };
}

const pick = (ids: Float64Array, rows: Int32Array): Float64Array =>
  Float64Array.from(rows, (row) => ids[row]!);

function idsAsKeys({ ids, three }: Comparison): Keys {
  const values = BigUint64Array.from({ length: three.count }, (_, row) =>
    BigInt(ids.from[row]! >= 0 ? ids.from[row]! : ids.base[row]!),
  );
  const type = new arrow.Uint64();
  return {
    fields: [new arrow.Field('_rowid', type, false)],
    columns: [arrow.makeData({ type, length: three.count, nullCount: 0, data: values })],
    length: three.count,
  };
}
