import type { BlobCell } from '#shared/domain/columns.ts';

const shown: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'image/svg+xml',
]);

/** Whether browsers show a picture by its own bytes; one of unknown type is tried. */
export const isShownByBrowsers = (blob: Pick<BlobCell, 'contentType'> | null): boolean =>
  !blob?.contentType?.startsWith('image/') || shown.has(blob.contentType);
