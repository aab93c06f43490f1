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
    summary: 'A WebP picture, poster or waveform',
    params: CellParams,
    query: z.object({
      ref: z.string().default('main'),
      size: z.coerce.number().int().min(16).max(4096).default(256),
      of: z.string().optional(),
    }),
    reply: bytes,
  },
});
