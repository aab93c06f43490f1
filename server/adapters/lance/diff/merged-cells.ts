import { Buffer } from 'node:buffer';
import { AppError } from '#shared/api/problem.ts';
import { canCast } from '#shared/domain/can-cast.ts';
import { formatColumnType } from '#shared/domain/column-type.ts';
import { cellSource } from '#shared/domain/merge-rows.ts';
import { arrow, type Data, type DataType, type Field } from '../../../arrow/arrow.ts';
import { concatData } from '../../../arrow/concat-data.ts';
import { gather } from '../../../arrow/gather.ts';
import { writtenField } from '../../../arrow/json-to-cell.ts';
import { nullData } from '../../../arrow/null-data.ts';
import { toColumnType } from '../column-type-arrow.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { openMediaCells } from '../media-cells.ts';
import type { Comparison } from './comparison.ts';
import { readAligned, readCast } from './read-aligned.ts';
import type { Side, SideField } from './side.ts';

type Name = 'base' | 'from' | 'into';

/** Where the cells of a column come from: {@link cellSource} per asked row. */
export interface WantedColumn {
  column: number;
  /** The column as it is written, under its final name. */
  field: Field;
  sourceOf(row: number): number;
  /** Values that a person typed. */
  typed: Data | undefined;
}

const nameOfSource = (source: number): Name | null =>
  source === cellSource.from
    ? 'from'
    : source === cellSource.base
      ? 'base'
      : source === cellSource.into
        ? 'into'
        : null;

/** The cells of merged rows, column by column in the order of the rows; empty where the source has none. */
export async function readMerged(
  comparison: Comparison,
  rows: Int32Array,
  wanted: readonly WantedColumn[],
  signal: AbortSignal,
): Promise<Data[]> {
  const parts = new Map<Name, SidePart>();
  for (const name of ['base', 'from', 'into'] as const) {
    const columns = wanted.filter(({ column }) => comparison.columns[column]![name] !== null);
    const asked = rows.filter(
      (row) =>
        comparison.ids[name][row]! >= 0 &&
        columns.some(({ sourceOf }) => nameOfSource(sourceOf(row)) === name),
    );
    parts.set(name, await readPart(comparison, { name, rows: asked, columns, signal }));
  }
  return wanted.map((column) => assemble(rows, column, parts));
}

interface SidePart {
  places: Map<number, number>;
  columns: Map<number, Data>;
}

async function readPart(
  comparison: Comparison,
  {
    name,
    rows,
    columns,
    signal,
  }: { name: Name; rows: Int32Array; columns: readonly WantedColumn[]; signal: AbortSignal },
): Promise<SidePart> {
  const part: SidePart = { places: new Map(Array.from(rows, (row, at) => [row, at])), columns: new Map() };
  if (rows.length === 0) return part;
  const side = comparison[name];
  const ids = Float64Array.from(rows, (row) => comparison.ids[name][row]!);
  const fieldOf = ({ column }: WantedColumn) => comparison.columns[column]![name]!;
  const plain = columns.filter((column) => !fieldOf(column).isBlob);
  const isAskedOf =
    ({ sourceOf }: WantedColumn) =>
    (at: number): boolean =>
      nameOfSource(sourceOf(rows[at]!)) === name;
  const retyped = plain.filter((column) => castOf(fieldOf(column), column.field) !== null);
  const names = plain.filter((column) => !retyped.includes(column)).map((column) => fieldOf(column).name);
  const read = await readAligned(side, ids, { names, signal });
  for (const column of plain)
    part.columns.set(
      column.column,
      retyped.includes(column)
        ? await readRetyped(side, {
            name: fieldOf(column).name,
            type: column.field.type,
            ids,
            isAsked: isAskedOf(column),
            signal,
          })
        : read.get(fieldOf(column).name)!,
    );
  for (const column of columns.filter((each) => fieldOf(each).isBlob)) {
    const isAsked = isAskedOf(column);
    part.columns.set(
      column.column,
      await readBlobs(side, { name: fieldOf(column).name, ids, isAsked, field: column.field }, signal),
    );
  }
  return part;
}

/** The type as which a column has to be read that the merged table has in another one. */
function castOf({ type }: SideField, written: Field): DataType | null {
  const target = formatColumnType(toColumnType(written));
  return type !== target && canCast(type, target) ? written.type : null;
}

interface RetypedRead {
  name: string;
  type: DataType;
  ids: Float64Array;
  isAsked(at: number): boolean;
  signal: AbortSignal;
}

/** Cells that are asked for, cast; all others are empty. */
async function readRetyped(side: Side, { name, type, ids, isAsked, signal }: RetypedRead): Promise<Data> {
  const asked = Int32Array.from(ids.keys()).filter(isAsked);
  const some = Float64Array.from(asked, (at) => ids[at]!);
  const data = (await readCast(side, some, { types: new Map([[name, type]]), signal })).get(name)!;
  const places = new Int32Array(ids.length).fill(-1);
  for (const [index, at] of asked.entries()) places[at] = index;
  return gather(data, places);
}

export interface BlobRead {
  name: string;
  ids: Float64Array;
  isAsked(at: number): boolean;
  field: Field;
}

/** Blobs with their bytes, as they are written. */
export async function readBlobs(
  side: Side,
  { name, ids, isAsked, field }: BlobRead,
  signal: AbortSignal,
): Promise<Data> {
  const { table, ref, handle } = side;
  const asked = [...ids.keys()].filter(isAsked);
  const cells = await withLanceErrors({ table, ref }, () =>
    openMediaCells(
      handle,
      { name, type: { kind: 'blob' } },
      asked.map((at) => BigInt(ids[at]!)),
    ),
  );
  const bytes = new Array<Uint8Array | null>(ids.length).fill(null);
  for (const [index, at] of asked.entries()) {
    signal.throwIfAborted();
    const cell = cells[index];
    if (cell) bytes[at] = cell.sizeBytes === 0 ? new Uint8Array(0) : await cell.read(0, cell.sizeBytes);
  }
  return blobData(field, bytes);
}

/** A blob column in the form in which Lance takes it: `struct<data: large_binary, uri: utf8>`. */
function blobData(field: Field, values: readonly (Uint8Array | null)[]): Data {
  const valueOffsets = new BigInt64Array(values.length + 1);
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  let total = 0;
  let nullCount = 0;
  values.forEach((value, at) => {
    if (value) nullBitmap[at >> 3]! |= 1 << (at & 7);
    else nullCount += 1;
    total += value?.byteLength ?? 0;
    valueOffsets[at + 1] = BigInt(total);
  });
  const facts = { length: values.length, nullCount, nullBitmap: nullCount === 0 ? null : nullBitmap };
  const data = Buffer.concat(values.filter((value) => value !== null));
  const children = field.type.children.map((child: Field) =>
    child.name === 'data'
      ? arrow.makeData({ type: child.type, ...facts, valueOffsets, data } as never)
      : nullData(child.type, values.length),
  );
  return arrow.makeData({ type: field.type, ...facts, children } as never) as Data;
}

function assemble(
  rows: Int32Array,
  { column, field, sourceOf, typed }: WantedColumn,
  parts: ReadonlyMap<Name, SidePart>,
): Data {
  const { type } = writtenField(field);
  const order = new Int32Array(rows.length).fill(-1);
  const pieces: Data[] = [];
  const starts = new Map<string, number>();
  let length = 0;
  const startOf = (name: string, data: Data): number => {
    const known = starts.get(name);
    if (known !== undefined) return known;
    if (String(data.type) !== String(type)) throw otherType(field.name);
    starts.set(name, length);
    pieces.push(data);
    length += data.length;
    return length - data.length;
  };
  for (const [at, row] of rows.entries()) {
    const source = sourceOf(row);
    if (source >= cellSource.typed) {
      order[at] = startOf('typed', typed!) + source - cellSource.typed;
      continue;
    }
    const name = nameOfSource(source)!;
    const part = parts.get(name);
    const data = part?.columns.get(column);
    const place = part?.places.get(row);
    if (data && place !== undefined) order[at] = startOf(name, data) + place;
  }
  return pieces.length === 0 ? nullData(type, rows.length) : gather(concatData(type, pieces), order);
}

const otherType = (name: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `The column ${name} had another type at the base, so its old values cannot be taken.`,
    hint: 'Take the value of one of the sides, or type one.',
  });
