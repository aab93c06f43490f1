import type { Table } from '@lancedb/lancedb';
import type { ColumnSample } from '#shared/domain/column-role.ts';
import { sampleNeeded } from '#shared/domain/column-role.ts';
import { formatColumnType } from '#shared/domain/column-type.ts';
import { parseFieldFacts } from '#shared/domain/field-facts.ts';
import { arrow, type Data, type Field, type Vector } from '../../arrow/arrow.ts';
import { dataCellToJson } from '../../arrow/cell-json.ts';
import { sniffBytes, sniffMediaType } from '../../media-type.ts';
import { isReadableName, toColumnType } from './column-type-arrow.ts';
import { type MediaColumn, openMediaCells } from './media-cells.ts';

const blocks = 4;
const rowsPerBlock = 16;
const mediaCells = 6;
const maxSampled = 200;

/** Offsets of a few short runs of rows, spread over the table. */
function sampleOffsets(rows: number): number[] {
  if (rows <= blocks * rowsPerBlock) return Array.from({ length: rows }, (_, i) => i);
  const step = Math.floor((rows - rowsPerBlock) / (blocks - 1));
  return Array.from(
    { length: blocks * rowsPerBlock },
    (_, i) => Math.floor(i / rowsPerBlock) * step + (i % rowsPerBlock),
  );
}

function textsOf(data: readonly Data[]): string[] {
  return data.flatMap((part) =>
    Array.from({ length: part.length }, (_, row) => dataCellToJson(part, row)).filter(
      (cell) => typeof cell === 'string',
    ),
  );
}

/** Row ids of up to `limit` sampled rows that have a value in the column. */
async function idsWithValue(
  table: Table,
  offsets: readonly number[],
  column: MediaColumn,
): Promise<bigint[]> {
  const isLight = column.type.kind === 'blob';
  const taken = await table
    .takeOffsets(isLight ? [...offsets] : offsets.slice(0, mediaCells))
    .select([column.name])
    .withRowId()
    .toArrow();
  const ids = (taken.getChild('_rowid') as Vector).toArray() as BigUint64Array;
  const cells = taken.getChild(column.name) as Vector;
  return [...ids].filter((_id, row) => cells.isValid(row)).slice(0, mediaCells);
}

async function sniffColumn(
  table: Table,
  offsets: readonly number[],
  column: MediaColumn,
): Promise<{ mediaTypes: string[]; rowIds: bigint[] }> {
  const rowIds = await idsWithValue(table, offsets, column);
  const cells = await openMediaCells(table, column, rowIds);
  const found = await Promise.all(
    cells.map(async (cell) =>
      cell && cell.sizeBytes > 0
        ? sniffMediaType(await cell.read(0, Math.min(cell.sizeBytes, sniffBytes)))
        : null,
    ),
  );
  return {
    mediaTypes: found.filter((type) => type !== null),
    rowIds: rowIds.filter((_id, at) => found[at] !== null),
  };
}

export interface SampledColumn extends ColumnSample {
  /** Rows of the sample that have bytes in the column. */
  rowIds?: bigint[];
}

interface Wanted extends MediaColumn {
  field: Field;
}

export interface SampleOptions {
  fields: readonly Field[];
  rows: number;
  /** What was found in a version of the same table before: roles should not flicker from version to version. */
  before?: ReadonlyMap<string, SampledColumn>;
  signal: AbortSignal;
}

/** Under which a column's sample is known to later versions. */
export const sampleKey = ({ name, type }: MediaColumn): string => `${name} ${formatColumnType(type)}`;

const hasRole = ({ field }: Wanted): boolean => parseFieldFacts(field.metadata).role !== null;

async function sampleTexts(
  table: Table,
  offsets: readonly number[],
  columns: readonly Wanted[],
): Promise<Map<string, SampledColumn>> {
  if (columns.length === 0) return new Map();
  const taken = await table
    .takeOffsets([...offsets])
    .select(columns.map(({ name }) => name))
    .toArrow();
  return new Map(
    columns.map(({ name }) => [name, { texts: textsOf((taken.getChild(name) as Vector).data) }]),
  );
}

/** A sample of before, when all of its rows are still there. */
async function stillThere(
  table: Table,
  column: Wanted,
  sample: SampledColumn | undefined,
): Promise<SampledColumn | null> {
  if (!sample?.rowIds?.length) return null;
  try {
    const taken = await table
      .takeRowIds([...sample.rowIds])
      .select([column.name])
      .toArrow();
    const cells = taken.getChild(column.name) as Vector;
    return cells.length === sample.rowIds.length && cells.nullCount === 0 ? sample : null;
  } catch {
    return null;
  }
}

/** A few cells of the columns whose role depends on their values. */
export async function sampleColumns(
  table: Table,
  { fields, rows, before = new Map(), signal }: SampleOptions,
): Promise<Map<string, SampledColumn>> {
  if (rows === 0) return new Map();
  const offsets = sampleOffsets(rows);
  const wanted: Wanted[] = fields
    .map((field) => ({ name: field.name, type: toColumnType(field), field }))
    .filter(({ name }) => isReadableName(name))
    .slice(0, maxSampled);
  const texts = wanted.filter((column) => sampleNeeded(column.type) === 'texts' && !hasRole(column));
  const known = texts.flatMap((column) => {
    const sample = before.get(sampleKey(column));
    return sample ? [[column.name, sample] as const] : [];
  });
  const samples = new Map<string, SampledColumn>(known);
  for (const [name, sample] of await sampleTexts(
    table,
    offsets,
    texts.filter(({ name }) => !samples.has(name)),
  ))
    samples.set(name, sample);
  for (const column of wanted) {
    const isUnreadable = column.field.type.typeId === arrow.Type.Null || isLegacyBlob(column.field);
    if (sampleNeeded(column.type) !== 'media' || isUnreadable) continue;
    signal.throwIfAborted();
    samples.set(
      column.name,
      (await stillThere(table, column, before.get(sampleKey(column)))) ??
        (await sniffColumn(table, offsets, column)),
    );
  }
  return samples;
}

/** A blob column of old file versions: its bytes cannot be read through this LanceDB. */
export const isLegacyBlob = (field: Field): boolean => field.metadata.get('lance-encoding:blob') === 'true';
