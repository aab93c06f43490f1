import type { BlobCell } from '#shared/domain/columns.ts';
import { addressOf } from '../../../api/client.ts';
import type { GridRow } from './row-source.ts';

/** Where the picture of a cell, and the cell's bytes, are to be had. */
export interface MediaAddress {
  /** `page` is one of a PDF, from 1. */
  thumb(sizePx: number, page?: number): string;
  blob: string;
}

export type MediaOf = (row: GridRow, column: string) => MediaAddress | null;

const thumbSizes = [64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048];
/** In place of pictures that browsers cannot show: as large as the server makes them. */
const largestPx = 4096;

/** A size that caches share: the next of a few, for the screen's pixels. */
export const thumbSizeFor = (px: number, density = globalThis.devicePixelRatio || 1): number =>
  px > 2048 ? largestPx : (thumbSizes.find((size) => size >= px * Math.min(2, density)) ?? 2048);

/** Media of the rows of one table. */
export const mediaOfTable =
  (table: string): MediaOf =>
  (row, column) => {
    const params = { table, column, rowId: row.id };
    const ref = row.ref ?? 'main';
    return {
      thumb: (sizePx, page) =>
        addressOf('thumb', params, { ref, size: thumbSizeFor(sizePx), page: page === 1 ? undefined : page }),
      blob: addressOf('blob', params, { ref }),
    };
  };

/** Media of rows whose blob cells carry their own address, as results of SQL do. */
export const mediaOfCells: MediaOf = (row, column) => {
  const url = (row.value(column) as BlobCell | null)?.url;
  if (!url?.startsWith('/api/v1/tables/')) return null;
  const thumb = url.replace(/^(\/api\/v1\/tables\/[^/]+)\/blobs\//, '$1/thumbs/');
  return {
    thumb: (sizePx, page = 1) =>
      `${thumb}${thumb.includes('?') ? '&' : '?'}size=${thumbSizeFor(sizePx)}${page === 1 ? '' : `&page=${page}`}`,
    blob: url,
  };
};
