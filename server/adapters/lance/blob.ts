import { createHash } from 'node:crypto';
import { AppError, abortedError, notFound } from '#shared/api/problem.ts';
import { isMediaType } from '#shared/domain/column-role.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { sniffBytes, sniffMediaType } from '../../media-type.ts';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import type { BlobFacts, Pinned } from '../../ports/table-reader.ts';
import type { BlobPlaces } from './blob-places.ts';
import { translateLanceError, withLanceErrors } from './lance-errors.ts';
import { type MediaCell, type MediaColumn, openMediaCells } from './media-cells.ts';
import type { PinnedTable, PinnedTables } from './pinned-tables.ts';

export type BlobInput = Pinned & { column: string; rowId: string; start?: number; end?: number };

/** Bytes that are read at once. */
const chunkBytes = 1024 * 1024;
/** Up to this size the etag is that of the content, so that it outlives versions; beyond, that of the cell. */
const hashedBytes = 256 * 1024;

const maxRowId = 2n ** 64n - 1n;

const linkRoles: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'blob', 'mask', 'url']);

/** A text column whose cells name media, for its role. */
const isLinked = ({ facts }: PinnedTable, name: string): boolean =>
  facts.columns.some(
    (column) => column.name === name && /^(large_)?utf8$/.test(column.type) && linkRoles.has(column.role),
  );

async function readLink(table: PinnedTable, name: string, id: bigint): Promise<string | null> {
  const taken = await table.handle.takeRowIds([id]).select([name]).toArrow();
  const text: unknown = taken.numRows === 0 ? null : taken.getChild(name)?.get(0);
  return typeof text === 'string' && text !== '' ? text : null;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function columnOf({ facts }: PinnedTable, name: string): MediaColumn {
  const info = facts.columns.find((column) => column.name === name);
  if (!info)
    throw notFound(
      `The column ${name}`,
      didYouMean(
        name,
        facts.columns.map((column) => column.name),
      ),
    );
  const type = parseColumnType(info.type);
  if (!isMediaType(type))
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `The column ${name} is of type ${info.type}, not of bytes.`,
      hint: 'Its values come with the rows.',
    });
  return { name, type };
}

function parseRowId(text: string): bigint {
  const id = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
  if (id < 0n || id > maxRowId)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `“${text.slice(0, 40)}” is not a row id.`,
      hint: 'A row id is the _rowid of a row.',
    });
  return id;
}

interface CellAddress {
  table: PinnedTable;
  pinned: Pinned;
  column: MediaColumn;
  id: bigint;
}

async function openCell(
  { table, pinned, column, id }: CellAddress,
  places: BlobPlaces,
): Promise<MediaCell | null> {
  try {
    if (column.type.kind === 'blob') {
      const [cell = null] = await places.cells(table, pinned, { column: column.name, rowIds: [id] });
      if (cell !== 'unplaced') return cell;
    }
    return (await openMediaCells(table.handle, column, [id]))[0] ?? null;
  } catch (error) {
    if (
      error instanceof Error &&
      /Could not resolve all requested row IDs|missing row ID/i.test(error.message)
    )
      return null;
    if (error instanceof Error && /legacy blob column/.test(error.message))
      throw new AppError({
        code: 'UNSUPPORTED',
        message: `The column ${column.name} is in Lance’s older blob format, whose bytes cannot be read here.`,
        hint: 'Rewrite the table with file version 2.2 of Lance.',
        cause: error,
      });
    throw error;
  }
}

async function* chunksOf(
  cell: MediaCell,
  range: { start: number; end: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = range.start; at < range.end; at += chunkBytes) {
    if (signal.aborted) throw abortedError();
    try {
      yield await cell.read(at, Math.min(at + chunkBytes, range.end));
    } catch (error) {
      throw translateLanceError(error);
    }
  }
}

const noValue = (name: string, rowId: string): AppError =>
  notFound(`A value of ${name} in row ${rowId}`, 'The cell is empty, or the row is not in this version.');

/** The bytes of a cell in parts, with its type (from its bytes) and a tag that changes when the content does. */
export async function readBlob(
  input: BlobInput,
  context: CallContext,
  { home, tables, blobs }: { home: string; tables: PinnedTables; blobs: BlobPlaces },
): Promise<ByteStream<BlobFacts>> {
  const { column: name, rowId } = input;
  const id = parseRowId(rowId);
  const table = await tables.open(input, context);
  if (isLinked(table, name))
    return withLanceErrors({ table: input.table, ref: input.ref, home }, async () => {
      const link = await readLink(table, name, id);
      if (link === null) throw noValue(name, rowId);
      return { facts: { sizeBytes: 0, contentType: '', etag: '', link }, chunks: nothing() };
    });
  const column = columnOf(table, name);
  return withLanceErrors({ table: input.table, ref: input.ref, home }, async () => {
    const cell = await openCell({ table, pinned: input, column, id }, blobs);
    if (!cell) throw noValue(name, rowId);
    const { sizeBytes } = cell;
    const isHashed = sizeBytes <= hashedBytes;
    const head = sizeBytes === 0 ? new Uint8Array(0) : await cell.read(0, isHashed ? sizeBytes : sniffBytes);
    const identity = createHash('sha256');
    if (isHashed) identity.update(head);
    else identity.update(JSON.stringify([table.key, name, rowId, sizeBytes])).update(head);
    const end = Math.min(input.end ?? sizeBytes, sizeBytes);
    return {
      facts: {
        sizeBytes,
        contentType: sniffMediaType(head),
        etag: identity.digest('hex').slice(0, 32),
        ...(cell.place ? { place: cell.place } : {}),
      },
      chunks: chunksOf(cell, { start: Math.min(input.start ?? 0, end), end }, context.signal),
    };
  });
}
