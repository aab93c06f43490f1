import type { Table } from '@lancedb/lancedb';
import { AppError } from '#shared/api/problem.ts';
import { formatColumnType } from '#shared/domain/column-type.ts';
import { quoteLanceIdent } from '#shared/sql/ident.ts';
import { arrow, type RecordBatch } from '../../arrow/arrow.ts';
import { dataCellToJson } from '../../arrow/cell-json.ts';
import { isBlobField, isJsonField, toColumnType } from './column-type-arrow.ts';
import type { LanceErrorPlace } from './lance-errors.ts';
import { filesOfQuery } from './rows/files-of-query.ts';
import { hasNullKey, type Keys, keyLabel, keysOf, keyText } from './write-keys.ts';
import type { WriteTarget } from './write-target.ts';

const { Type } = arrow;

/**
 * Types whose values can name a row: exact, comparable, and joined by Lance's merge. Floats can while they are whole:
 * tables that JavaScript wrote have no other numbers.
 */
const keyTypes: ReadonlySet<number> = new Set([
  Type.Int,
  Type.Float,
  Type.Utf8,
  Type.LargeUtf8,
  Type.Bool,
  Type.Date,
  Type.Timestamp,
  Type.Time,
  Type.Decimal,
  Type.Binary,
  Type.FixedSizeBinary,
]);

export interface KeyFault {
  kind: 'null' | 'duplicate' | 'fraction';
  /** The key as messages write it. */
  label: string;
  column: string;
}

/** Throws BAD_REQUEST or CONFLICT, naming the first fault, unless the columns tell every row from every other. */
export async function assertCanBeKey(
  target: WriteTarget,
  key: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { table, handle, home, schema } = target;
  for (const field of schema.fields) {
    if (
      key.includes(field.name) &&
      (!keyTypes.has(field.type.typeId) || isBlobField(field) || isJsonField(field))
    )
      throw new AppError({
        code: 'BAD_REQUEST',
        message: `“${field.name}” is of type ${formatColumnType(toColumnType(field))}, which cannot be a key.`,
        hint: 'A key is made of whole numbers, texts, dates, times, decimals or bytes.',
      });
  }
  const fault = await findKeyFault({ handle, columns: key, place: { table, home: home.path }, signal });
  if (fault === null) return;
  const names = key.map((name) => `“${name}”`).join(' and ');
  if (fault.kind === 'fraction')
    throw new AppError({
      code: 'CONFLICT',
      message: `${names} cannot be the key of ${table}: “${fault.column}” holds ${fault.label}, which is no whole number.`,
      hint: 'A key is made of whole numbers, texts, dates, times, decimals or bytes.',
    });
  throw new AppError(
    fault.kind === 'null'
      ? {
          code: 'CONFLICT',
          message: `${names} cannot be the key of ${table}: “${fault.column}” is null in some rows.`,
          hint: 'Fill the empty cells on a branch first, or choose another column.',
        }
      : {
          code: 'CONFLICT',
          message: `${names} cannot be the key of ${table}: ${fault.label} is there more than once.`,
          hint: 'Remove the duplicates first, or add a column that tells them apart.',
        },
  );
}

/** The first column of floats whose value here is not a whole number, told exactly. */
const fractionIn = ({ columns, fields }: Keys, row: number): string | undefined =>
  fields.find((_field, at) => {
    const column = columns[at]!;
    if (column.typeId !== Type.Float || !column.getValid(row)) return false;
    const value = Number(dataCellToJson(column, row));
    return !Number.isSafeInteger(value) || Object.is(value, -0);
  })?.name;

/** A number below 2^53 that is the same for equal keys, and seldom for others. */
function hashKeys(keys: Keys): Float64Array {
  const hashes = new Float64Array(keys.length);
  const [first] = keys.columns;
  if (keys.columns.length === 1 && first?.typeId === Type.Int) {
    const values = first.values as ArrayLike<number | bigint>;
    for (let row = 0; row < keys.length; row++) {
      const value = values[row]!;
      hashes[row] = typeof value === 'bigint' ? Number(BigInt.asUintN(53, value)) : value;
    }
    return hashes;
  }
  for (let row = 0; row < keys.length; row++) hashes[row] = hashText(keyText(keys, row));
  return hashes;
}

/** FNV-1a over two lanes. */
function hashText(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + 0x9e37), 0x85ebca6b);
  }
  return (high >>> 11) * 4294967296 + (low >>> 0);
}

function repeatedHashes(hashes: Float64Array): Set<number> {
  const sorted = hashes.slice().sort();
  const repeated = new Set<number>();
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) repeated.add(sorted[i]!);
  return repeated;
}

interface Scan {
  handle: Table;
  columns: readonly string[];
  place: LanceErrorPlace;
  signal: AbortSignal;
}

async function* keyBatches({ handle, columns, place, signal }: Scan): AsyncGenerator<Keys> {
  const query = handle
    .query()
    .select(Object.fromEntries(columns.map((name) => [name, quoteLanceIdent(name)])));
  for await (const file of filesOfQuery(query, { place, signal })) {
    for (const batch of arrow.tableFromIPC(file).batches) yield keysOfBatch(batch, columns);
  }
}

function keysOfBatch(batch: RecordBatch, names: readonly string[]): Keys {
  const fields = names.map((name) => batch.schema.fields.find((field) => field.name === name)!);
  return keysOf(
    fields,
    new Map(batch.schema.fields.map((field, at) => [field.name, batch.data.children[at]!])),
    batch.numRows,
  );
}

/**
 * Whether the columns can be the row key: a null in one of them, or the first key that two rows share. One pass over the
 * key columns with 8 bytes a row, and a second one only where hashes meet.
 */
export async function findKeyFault(scan: Scan): Promise<KeyFault | null> {
  const parts: Float64Array[] = [];
  for await (const keys of keyBatches(scan)) {
    const hasFloats = keys.columns.some(({ typeId }) => typeId === Type.Float);
    for (let row = 0; row < keys.length; row++) {
      const fraction = hasFloats ? fractionIn(keys, row) : undefined;
      if (fraction !== undefined) return { kind: 'fraction', label: keyLabel(keys, row), column: fraction };
      if (!hasNullKey(keys, row)) continue;
      const column = keys.fields.find((_field, at) => !keys.columns[at]!.getValid(row))!.name;
      return { kind: 'null', label: keyLabel(keys, row), column };
    }
    parts.push(hashKeys(keys));
  }
  const hashes = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    hashes.set(part, at);
    at += part.length;
  }
  const repeated = repeatedHashes(hashes);
  if (repeated.size === 0) return null;
  const seen = new Set<string>();
  for await (const keys of keyBatches(scan)) {
    const own = hashKeys(keys);
    for (let row = 0; row < keys.length; row++) {
      if (!repeated.has(own[row]!)) continue;
      const text = keyText(keys, row);
      if (seen.has(text)) return { kind: 'duplicate', label: keyLabel(keys, row), column: scan.columns[0]! };
      seen.add(text);
    }
  }
  return null;
}
