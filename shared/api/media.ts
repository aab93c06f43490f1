import * as z from 'zod';
import { bytes, defineContract } from './contract-kit.ts';

const CellParams = z.object({ table: z.string(), column: z.string(), rowId: z.string() });

export const mediaApi = defineContract({
  blob: {
    method: 'GET',
    path: '/api/v1/tables/:table/blobs/:column/:rowId',
    summary: 'The bytes of a blob cell; Range, ETag, HEAD',
    params: CellParams,
    query: z.object({
      ref: z.string().default('main'),
      download: z.string().optional(),
      /** Makes the address that of one branch of one table only (`BranchInfo.incarnation`). */
      of: z.string().optional(),
    }),
    reply: bytes,
  },
  thumb: {
    method: 'GET',
    path: '/api/v1/tables/:table/thumbs/:column/:rowId',
    summary: 'A WebP picture, poster, waveform or page of a PDF',
    params: CellParams,
    query: z.object({
      ref: z.string().default('main'),
      size: z.coerce.number().int().min(16).max(4096).default(256),
      /** Of a PDF, from 1; everything else has the first only. RANGE tells of a page that is not there. */
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      of: z.string().optional(),
    }),
    reply: bytes,
  },
});
