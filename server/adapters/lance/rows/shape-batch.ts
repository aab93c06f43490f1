import type { Table } from '@lancedb/lancedb';
import { mediaApi } from '#shared/api/media.ts';
import type { BlobCell } from '#shared/domain/columns.ts';
import { formatRef } from '#shared/domain/ref.ts';
import {
  arrow,
  type Data,
  type Field,
  type RecordBatch,
  type Schema,
  type Vector,
} from '../../../arrow/arrow.ts';
import { resolveDictionaries, withoutDictionaries } from '../../../arrow/resolve-dictionaries.ts';
import { sniffBytes, sniffMediaType } from '../../../media-type.ts';
import type { Pinned } from '../../../ports/table-reader.ts';
import { bytesOfCell, openMediaCells } from '../media-cells.ts';
import { blobCellData, blobCellField, contentHash, makeBlobCell } from './blob-cells.ts';
import { type ColumnPlan, type PlannedColumn, rowIdColumn } from './plan-columns.ts';

export interface ShapeOptions {
  pinned: Pinned;
  /** For addresses (`withUrl`). */
  incarnation?: string;
  plan: ColumnPlan;
  /** For reading the bytes of blob columns. */
  handle: Table;
  /** Look at the bytes: content types and hashes, for windows that a person sees. */
  looksAtBytes: boolean;
  withUrl: boolean;
}

/** Values up to this size are hashed, as long as a window has not read `maxHashedBytes`. */
const hashedBytes = 64 * 1024;
const maxHashedBytes = 16 * 1024 * 1024;

/** Whether Lance's batches can go out as they are. */
export const needsShaping = ({ columns }: ColumnPlan): boolean =>
  columns.some(({ isMedia, type }) => isMedia || type.kind === 'dictionary');

/** The outgoing schema for the one that Lance answers with. */
export function shapedSchema(
  schema: Schema,
  { plan, withUrl }: Pick<ShapeOptions, 'plan' | 'withUrl'>,
): Schema {
  const plain = withoutDictionaries(schema);
  const fields = plan.columns.map(({ name, isMedia }) =>
    isMedia ? blobCellField({ name, withUrl }) : (plain.fields.find((field) => field.name === name) as Field),
  );
  return new arrow.Schema(fields, plain.metadata);
}

function addressOf({
  pinned,
  incarnation,
  column,
  rowId,
}: {
  pinned: Pinned;
  incarnation: string | undefined;
  column: string;
  rowId: bigint;
}): string {
  const parts: Record<string, string> = { table: pinned.table, column, rowId: rowId.toString() };
  const path = mediaApi.blob.path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(parts[name] ?? ''),
  );
  const of = incarnation === undefined ? '' : `&of=${incarnation}`;
  return `${path}?ref=${encodeURIComponent(formatRef(pinned.ref))}${of}`;
}

/** Sizes of a blob column from the descriptors that Lance answers with. */
function descriptorSizes(data: Data): (number | null)[] {
  const at = data.type.children.findIndex((child: Field) => child.name === 'size');
  const sizes = data.children[at]!.values as BigUint64Array;
  return Array.from({ length: data.length }, (_, row) => (data.getValid(row) ? Number(sizes[row]) : null));
}

interface LookedAt {
  contentType: string | null;
  hash: string | null;
}

const notLookedAt: LookedAt = { contentType: null, hash: null };

class ByteBudget {
  #left = maxHashedBytes;

  take(sizeBytes: number): boolean {
    if (sizeBytes > hashedBytes || sizeBytes > this.#left) return false;
    this.#left -= sizeBytes;
    return true;
  }
}

function lookAt(bytes: Uint8Array, isWhole: boolean): LookedAt {
  return { contentType: sniffMediaType(bytes), hash: isWhole ? contentHash(bytes) : null };
}

async function lookAtBlobs(
  options: ShapeOptions,
  column: PlannedColumn,
  rows: { id: bigint; sizeBytes: number }[],
  budget: ByteBudget,
): Promise<LookedAt[]> {
  if (options.plan.columns.length === 0 || rows.length === 0) return [];
  const cells = await openMediaCells(
    options.handle,
    column,
    rows.map(({ id }) => id),
  );
  return Promise.all(
    cells.map(async (cell) => {
      if (!cell) return notLookedAt;
      const isWhole = budget.take(cell.sizeBytes);
      const end = isWhole ? cell.sizeBytes : Math.min(cell.sizeBytes, sniffBytes);
      return lookAt(end === 0 ? new Uint8Array(0) : await cell.read(0, end), isWhole);
    }),
  );
}

async function blobColumnCells(
  data: Data,
  rowIds: BigUint64Array,
  column: PlannedColumn,
  options: ShapeOptions,
  budget: ByteBudget,
): Promise<(BlobCell | null)[]> {
  const sizes = descriptorSizes(data);
  const rows = sizes.flatMap((sizeBytes, row) =>
    sizeBytes === null ? [] : [{ id: rowIds[row]!, sizeBytes }],
  );
  const isReadable = !data.type.children.every((child: Field) => child.name !== 'kind');
  const looked =
    options.looksAtBytes && isReadable
      ? await lookAtBlobs(options, column, rows, budget)
      : rows.map(() => notLookedAt);
  let next = 0;
  return sizes.map((sizeBytes) =>
    sizeBytes === null ? null : makeBlobCell({ sizeBytes, ...looked[next++]!, role: column.role }),
  );
}

function bytesColumnCells(
  data: Data,
  column: PlannedColumn,
  { looksAtBytes }: ShapeOptions,
  budget: ByteBudget,
): (BlobCell | null)[] {
  return Array.from({ length: data.length }, (_, row) => {
    const bytes = bytesOfCell(data, row, column.type);
    if (!bytes) return null;
    const looked = looksAtBytes ? lookAt(bytes, budget.take(bytes.byteLength)) : notLookedAt;
    return makeBlobCell({ sizeBytes: bytes.byteLength, ...looked, role: column.role });
  });
}

/** A batch of Lance as it goes out: columns in their order, dictionaries as values, media as blob cells without their bytes. */
export async function shapeBatch(batch: RecordBatch, options: ShapeOptions): Promise<RecordBatch> {
  const { plan, pinned, incarnation, withUrl } = options;
  const plain = resolveDictionaries(batch);
  const dataOf = (name: string): Data =>
    plain.data.children[plain.schema.fields.findIndex((field) => field.name === name)]!;
  const rowIds = (plain.getChild(rowIdColumn) as Vector).toArray() as BigUint64Array;
  const budget = new ByteBudget();
  const children: Data[] = [];
  for (const column of plan.columns) {
    const data = dataOf(column.name);
    if (!column.isMedia) {
      children.push(data);
      continue;
    }
    const cells =
      column.type.kind === 'blob'
        ? await blobColumnCells(data, rowIds, column, options, budget)
        : bytesColumnCells(data, column, options, budget);
    const addressed = withUrl
      ? cells.map(
          (cell, row) =>
            cell && {
              ...cell,
              url: addressOf({ pinned, incarnation, column: column.name, rowId: rowIds[row]! }),
            },
        )
      : cells;
    children.push(blobCellData(addressed, { withUrl }));
  }
  const schema = shapedSchema(batch.schema, options);
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: batch.numRows,
    nullCount: 0,
    children,
  } as never);
  return new arrow.RecordBatch(schema, data as never);
}
