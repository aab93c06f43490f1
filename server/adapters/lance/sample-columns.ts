import type { Table } from '@lancedb/lancedb';
import type { ColumnSample } from '#shared/domain/column-role.ts';
import { sampleNeeded } from '#shared/domain/column-role.ts';
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

/** A few cells of the columns whose role depends on their values. */
export async function sampleColumns(
  table: Table,
  { fields, rows, signal }: { fields: readonly Field[]; rows: number; signal: AbortSignal },
): Promise<Map<string, SampledColumn>> {
  const samples = new Map<string, SampledColumn>();
  if (rows === 0) return samples;
  const offsets = sampleOffsets(rows);
  const wanted = fields
    .map((field) => ({ name: field.name, type: toColumnType(field), field }))
    .filter(({ name }) => isReadableName(name))
    .slice(0, maxSampled);
  const texts = wanted.filter(({ type }) => sampleNeeded(type) === 'texts');
  if (texts.length > 0) {
    const taken = await table
      .takeOffsets(offsets)
      .select(texts.map(({ name }) => name))
      .toArrow();
    for (const { name } of texts)
      samples.set(name, { texts: textsOf((taken.getChild(name) as Vector).data) });
  }
  for (const column of wanted) {
    if (
      sampleNeeded(column.type) !== 'media' ||
      column.field.type.typeId === arrow.Type.Null ||
      isLegacyBlob(column.field)
    )
      continue;
    signal.throwIfAborted();
    samples.set(column.name, await sniffColumn(table, offsets, column));
  }
  return samples;
}

/** A blob column of old file versions: its bytes cannot be read through this LanceDB. */
export const isLegacyBlob = (field: Field): boolean => field.metadata.get('lance-encoding:blob') === 'true';
