import type { Table } from '@lancedb/lancedb';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import { quoteText } from '#shared/sql/literal.ts';
import { arrow, type Data, type Field } from '../../arrow/arrow.ts';
import { dataCellToJson } from '../../arrow/cell-json.ts';
import { type Reading, scanRows } from './write-read.ts';

const { Type } = arrow;

/** Values of the key columns of some rows, in the order of the key. */
export interface Keys {
  fields: Field[];
  columns: Data[];
  length: number;
}

/** One row that has an asked key: its id, and which of the keys it is. */
export interface KeyMatch {
  id: number;
  at: number;
}

const keysPerQuery = 2_000;
const keysByPredicate = 20_000;

/** The key as one text, the same for equal keys only. */
export function keyText({ columns }: Pick<Keys, 'columns'>, row: number): string {
  const [first] = columns;
  if (columns.length === 1 && first) {
    const cell = dataCellToJson(first, row);
    return typeof cell === 'string' ? cell : JSON.stringify(cell);
  }
  return JSON.stringify(columns.map((column) => dataCellToJson(column, row)));
}

export type KeyToken = string | number | bigint;

/** What a key that is not null is looked up by: a whole number as it is, all else as {@link keyText}. */
export function keyTokens(keys: Pick<Keys, 'columns'>): (row: number) => KeyToken {
  const [first] = keys.columns;
  if (keys.columns.length !== 1 || first?.typeId !== Type.Int) return (row) => keyText(keys, row);
  const values = first.values as ArrayLike<number | bigint>;
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) return (row) => values[row]!;
  const { buffer, byteOffset, length } = values as BigInt64Array<ArrayBuffer>;
  const low = new Uint32Array(buffer, byteOffset, length * 2);
  const high = values instanceof BigInt64Array ? new Int32Array(buffer, byteOffset, length * 2) : low;
  // Bigints are slow to look up; those beyond 2^53 are rare.
  return (row) => {
    const half = high[row * 2 + 1]!;
    return Math.abs(half) < 2 ** 20 ? half * 2 ** 32 + low[row * 2]! : values[row]!;
  };
}

/** The key as messages write it: numbers as they are, texts in quotes, several columns side by side. */
export const keyLabel = ({ columns }: Pick<Keys, 'columns'>, row: number): string =>
  columns
    .map((column) => {
      const cell = dataCellToJson(column, row);
      return column.typeId === Type.Int ? String(cell) : JSON.stringify(cell);
    })
    .join(', ');

export const hasNullKey = ({ columns }: Pick<Keys, 'columns'>, row: number): boolean =>
  columns.some((column) => column.nullCount > 0 && !column.getValid(row));

/** The key columns among others. */
export const keysOf = (fields: Field[], columns: ReadonlyMap<string, Data>, length: number): Keys => ({
  fields,
  columns: fields.map(({ name }) => columns.get(name)!),
  length,
});

export const readingOf = (names: readonly string[]): Reading =>
  Object.fromEntries(names.map((name) => [name, quoteLanceIdent(name)]));

/** Keys by their value; of equal ones the last. Rows without a key are left out. */
export function indexKeys(keys: Keys): {
  size: number;
  rows: Iterable<number>;
  find(others: Keys, row: number): number | undefined;
} {
  const tokenOf = keyTokens(keys);
  const index = new Map<KeyToken, number>();
  for (let row = 0; row < keys.length; row++) if (!hasNullKey(keys, row)) index.set(tokenOf(row), row);
  const mayHave = numberFilter(index);
  let lastOthers: Keys | null = null;
  let tokenOfOthers = tokenOf;
  let hasNulls = false;
  return {
    size: index.size,
    rows: index.values(),
    find(others, row) {
      if (others !== lastOthers) {
        lastOthers = others;
        tokenOfOthers = keyTokens(others);
        hasNulls = others.columns.some(({ nullCount }) => nullCount > 0);
      }
      if (hasNulls && hasNullKey(others, row)) return undefined;
      const token = tokenOfOthers(row);
      return mayHave(token) ? index.get(token) : undefined;
    },
  };
}

const maxFilterSpan = 2 ** 28;

/** Rules most numbers out by a bit each: a look into a large map costs ten times as much. */
function numberFilter(index: ReadonlyMap<KeyToken, number>): (token: KeyToken) => boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const token of index.keys()) {
    if (typeof token !== 'number') return () => true;
    if (token < least) least = token;
    if (token > most) most = token;
  }
  const span = most - least + 1;
  if (!(span <= maxFilterSpan) || !Number.isInteger(least)) return () => true;
  const bits = new Uint8Array((span >> 3) + 1);
  for (const token of index.keys()) {
    const at = (token as number) - least;
    bits[at >> 3]! |= 1 << (at & 7);
  }
  return (token) => {
    if (typeof token !== 'number') return true;
    const at = token - least;
    return at >= 0 && at < span && (bits[at >> 3]! & (1 << (at & 7))) !== 0;
  };
}

/**
 * Finds the rows that have one of the keys. A key may be found in no row, or in tables of other programs in several.
 * Few keys are asked for by a filter, which an index answers; many by a scan of the key columns between the least and
 * the greatest.
 */
export async function findRowsByKey(handle: Table, keys: Keys, signal: AbortSignal): Promise<KeyMatch[]> {
  const asked = indexKeys(keys);
  if (asked.size === 0) return [];
  const rows = [...asked.rows];
  const isPrintable = keys.fields.every(({ type }) => printableTypes.has(type.typeId));
  if (!isPrintable) return matches(handle, keys, asked, { signal });
  if (rows.length > keysByPredicate)
    return matches(handle, keys, asked, { where: keySpan(keys, rows), signal });
  const found: KeyMatch[] = [];
  for (let start = 0; start < rows.length; start += keysPerQuery) {
    const where = keyPredicate(keys, rows.slice(start, start + keysPerQuery));
    found.push(...(await matches(handle, keys, asked, { where, signal })));
  }
  return found;
}

async function matches(
  handle: Table,
  { fields }: Keys,
  asked: ReturnType<typeof indexKeys>,
  options: { where?: string; signal: AbortSignal },
): Promise<KeyMatch[]> {
  const { ids, columns } = await scanRows(handle, readingOf(fields.map(({ name }) => name)), options);
  const keys = keysOf(fields, columns, ids.length);
  const found: KeyMatch[] = [];
  for (let row = 0; row < ids.length; row++) {
    const at = asked.find(keys, row);
    if (at !== undefined) found.push({ id: ids[row]!, at });
  }
  return found;
}

/** A filter for the rows whose first key column is between the least and the greatest of the keys'; undefined: all. */
function keySpan({ fields, columns }: Keys, rows: readonly number[]): string | undefined {
  const [field] = fields;
  const [column] = columns;
  if (!field || column?.typeId !== Type.Int) return undefined;
  const values = column.values as ArrayLike<number | bigint>;
  let [least, most] = [values[rows[0]!]!, values[rows[0]!]!];
  for (const row of rows) {
    if (values[row]! < least) least = values[row]!;
    if (values[row]! > most) most = values[row]!;
  }
  return `${quoteLanceIdent(field.name)} >= ${least} and ${quoteLanceIdent(field.name)} <= ${most}`;
}

export const printableTypes: ReadonlySet<number> = new Set([
  Type.Int,
  Type.Float,
  Type.Utf8,
  Type.LargeUtf8,
  Type.Bool,
]);

function literal(data: Data, row: number): string {
  const cell = dataCellToJson(data, row);
  if (typeof cell === 'string' && data.typeId === Type.Float) return `cast(${quoteText(cell)} as double)`;
  return typeof cell === 'string' && data.typeId !== Type.Int ? quoteText(cell) : String(cell);
}

/** A filter for the rows that have one of the keys. */
export function keyPredicate({ fields, columns }: Keys, rows: readonly number[]): string {
  const names = fields.map(({ name }) => quoteLanceIdent(name));
  if (names.length === 1)
    return `${names[0]} in (${rows.map((row) => literal(columns[0]!, row)).join(', ')})`;
  return rows
    .map(
      (row) => `(${names.map((name, index) => `${name} = ${literal(columns[index]!, row)}`).join(' and ')})`,
    )
    .join(' or ');
}

/** A comparison that sorts rows by their key. */
export function compareKeys({ columns }: Keys): (a: number, b: number) => number {
  const comparisons = columns.map(compareCells);
  return (a, b) => {
    for (const compare of comparisons) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function compareCells(column: Data): (a: number, b: number) => number {
  if (column.typeId === Type.Int) {
    const values = column.values as ArrayLike<number | bigint>;
    return (a, b) => (values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : 0);
  }
  const texts = Array.from({ length: column.length }, (_, row) => String(dataCellToJson(column, row)));
  return (a, b) => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : 0);
}
