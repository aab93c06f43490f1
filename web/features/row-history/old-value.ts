import type { CellStep, RowEvent } from '#shared/api/history.ts';
import { AppError, notFound } from '#shared/api/problem.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { addressOf, callArrow } from '../../api/index.ts';
import { toEditValue } from '../edit/index.ts';
import { createStaticSource } from '../grid/index.ts';

const maxBlobBytes = 22 * 1024 * 1024;

/** The value that a cell had before an event, whole and as an edit writes it; read where it lay. */
export async function readOldValue(
  { table, event, cell }: { table: string; event: RowEvent; cell: CellStep },
  signal?: AbortSignal,
): Promise<unknown> {
  if (!event.before || cell.before === null) return null;
  const column = cell.formerly ?? cell.column;
  const { rowId } = event.before;
  const ref = formatRef(event.before.ref);
  if (isMedia(cell.before)) return readBytes(addressOf('blob', { table, column, rowId }, { ref }), signal);
  const rows = await callArrow('rowsPost', {
    params: { table },
    body: { ref, columns: [column], where: `_rowid = ${rowId}`, limit: 1 },
    signal,
  });
  const row = createStaticSource(rows).rowAt(0);
  if (!row) throw notFound(`The row at ${ref}`);
  return toEditValue(row.value(column), cell.type);
}

/** A cell of media, as the history carries it. */
export const isMedia = (value: unknown): value is { kind: string; sizeBytes: number } =>
  typeof value === 'object' && value !== null && 'sizeBytes' in value && 'kind' in value;

async function readBytes(address: string, signal?: AbortSignal): Promise<{ base64: string }> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw notFound('The old file');
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > maxBlobBytes)
    throw new AppError({
      code: 'TOO_LARGE',
      message: 'The old file has more than 22 MB, which is too much for one edit here.',
      hint: 'Restore the version, or pick the row from it, to bring the file back.',
    });
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return { base64: btoa(text) };
}
