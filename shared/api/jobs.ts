import * as z from 'zod';
import { ColumnRole, ColumnTags, Description } from '../domain/columns.ts';
import { defineContract, events, json, none } from './contract-kit.ts';
import { TableParams } from './tables.ts';

export const JobInfo = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.string(),
  message: z.string(),
  error: z.object({ code: z.string(), detail: z.string(), hint: z.string().optional() }).optional(),
  result: z.unknown().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type JobInfo = z.infer<typeof JobInfo>;

/** What becomes of one column of the source. */
export const ImportColumn = z.strictObject({
  /** Its name in the source; a media folder has `path`, `media`, `kind`, `size_bytes`, `content_type` and those of its metadata. */
  from: z.string(),
  /** Its name in the table; the same when absent. */
  name: z.string().optional(),
  role: ColumnRole.optional(),
  description: Description.optional(),
  tags: ColumnTags.optional(),
  hidden: z.boolean().optional(),
  /** Leaves the column out. */
  drop: z.boolean().optional(),
});
export type ImportColumn = z.infer<typeof ImportColumn>;

export const ImportOptions = z.strictObject({
  /** Forces a format instead of looking at the bytes. */
  format: z.enum(['parquet', 'csv', 'tsv', 'json', 'ndjson', 'arrow', 'folder']).optional(),
  delimiter: z.string().length(1).optional(),
  hasHeader: z.boolean().optional(),
  /** Of CSV and TSV; UTF-8, or UTF-16 with its mark, when absent. */
  encoding: z.enum(['utf-8', 'utf-16', 'latin-1']).optional(),
  /** CSV and TSV: texts that stand for null, such as `NA`, besides nothing at all. */
  nulls: z.array(z.string()).max(20).optional(),
  /** A metadata file of a media folder, relative to it. */
  metadata: z.string().optional(),
  description: Description.optional(),
  /** These columns come first, in this order; columns that are not named follow as they are. */
  columns: z.array(ImportColumn).optional(),
});
export type ImportOptions = z.infer<typeof ImportOptions>;

export const ImportSource = z.union([
  z.strictObject({ path: z.string().min(1) }),
  z.strictObject({ url: z.string().min(1) }),
  z.strictObject({ upload: z.string().min(1) }),
]);
export type ImportSource = z.infer<typeof ImportSource>;

export const ImportBody = z.strictObject({
  name: z.string(),
  key: z.union([z.string(), z.array(z.string())]).optional(),
  sources: z.array(ImportSource).min(1),
  options: ImportOptions.optional(),
});
export type ImportBody = z.infer<typeof ImportBody>;

const JobParams = z.object({ id: z.string() });

export const Upload = z.object({ id: z.string(), name: z.string(), sizeBytes: z.number() });
export type Upload = z.infer<typeof Upload>;

export const jobsApi = defineContract({
  importTable: {
    method: 'POST',
    path: '/api/v1/tables',
    summary: 'Imports files into a new table, as a job (JSON or multipart)',
    isMultipart: true,
    reply: json(z.object({ job: z.object({ id: z.string() }) }), 202),
  },
  uploadFiles: {
    method: 'POST',
    path: '/api/v1/uploads',
    summary: 'Keeps files for a day, to be imported as {upload: id} (multipart)',
    isMultipart: true,
    reply: json(z.object({ uploads: z.array(Upload) }), 201),
  },
  trashTable: {
    method: 'DELETE',
    path: '/api/v1/tables/:table',
    summary: 'Moves a table to the trash',
    params: TableParams,
    reply: none,
  },
  listTrash: {
    method: 'GET',
    path: '/api/v1/trash',
    summary: 'Tables in the trash',
    reply: json(z.object({ tables: z.array(z.object({ name: z.string(), deletedAt: z.string() })) })),
  },
  restoreTable: {
    method: 'POST',
    path: '/api/v1/trash/:table/restore',
    summary: 'Takes a table out of the trash',
    params: TableParams,
    reply: none,
  },
  purgeTable: {
    method: 'DELETE',
    path: '/api/v1/trash/:table',
    summary: 'Deletes a table for good',
    params: TableParams,
    reply: none,
  },
  listJobs: {
    method: 'GET',
    path: '/api/v1/jobs',
    summary: 'Jobs, newest first',
    reply: json(z.object({ jobs: z.array(JobInfo) })),
  },
  getJob: {
    method: 'GET',
    path: '/api/v1/jobs/:id',
    summary: 'One job',
    params: JobParams,
    reply: json(JobInfo),
  },
  jobEvents: {
    method: 'GET',
    path: '/api/v1/jobs/:id/events',
    summary: 'Follows a job',
    params: JobParams,
    reply: events(JobInfo),
  },
  cancelJob: {
    method: 'DELETE',
    path: '/api/v1/jobs/:id',
    summary: 'Cancels a job',
    params: JobParams,
    reply: json(JobInfo),
  },
});
