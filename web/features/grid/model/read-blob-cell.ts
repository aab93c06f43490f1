import type { BlobCell } from '#shared/domain/columns.ts';

const kinds: readonly string[] = ['image', 'video', 'audio', 'text', 'pdf', 'other'];

/** A blob cell as it came with the rows; null where there is none. */
export function readBlobCell(value: unknown): BlobCell | null {
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
