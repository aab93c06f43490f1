import type { BlobCell } from '#shared/domain/columns.ts';
import { kindOfEnding } from '#shared/domain/media-endings.ts';
import { formatBytes } from '../../../ui/format-quantity.ts';

const kinds: readonly string[] = ['image', 'video', 'audio', 'model', 'text', 'pdf', 'other'];

/** What a path or an address names; what has no ending that is known is tried as a picture. */
const linkedCell = (link: string): BlobCell => ({
  kind: kindOfEnding(link) ?? 'image',
  sizeBytes: 0,
  contentType: null,
  hash: null,
  link,
});

/** The size of a cell in words; of linked media it is not known before they are asked for. */
export const sizeOfCell = (cell: BlobCell): string =>
  cell.link === undefined ? formatBytes(cell.sizeBytes) : 'linked';

/** A blob cell as it came with the rows, or what a text cell names; null where there is none. */
export function readBlobCell(value: unknown): BlobCell | null {
  if (typeof value === 'string') return value.trim() === '' ? null : linkedCell(value.trim());
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null;
  const cell = value as Record<string, unknown>;
  if (cell.kind === null && cell.sizeBytes === null) return null;
  return {
    kind: (kinds.includes(String(cell.kind)) ? cell.kind : 'other') as BlobCell['kind'],
    sizeBytes: Number(cell.sizeBytes ?? 0),
    contentType: typeof cell.contentType === 'string' ? cell.contentType : null,
    hash: typeof cell.hash === 'string' ? cell.hash : null,
    ...(typeof cell.url === 'string' ? { url: cell.url } : {}),
  };
}
