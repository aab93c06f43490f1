import * as z from 'zod';
import { AnnotationLayout } from '../domain/annotations/layout.ts';
import { RowId } from '../domain/selection.ts';
import { defineContract, json } from './contract-kit.ts';
import { TableParams } from './tables.ts';

/** What a media file says about itself. */
export const MediaFacts = z.object({
  contentType: z.string(),
  sizeBytes: z.number(),
  /** Of pictures, upright as EXIF says; `null` of everything else. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** How many pages a PDF has; left out of everything else, and of a PDF that cannot be opened. */
  pages: z.number().int().nonnegative().optional(),
  /** Facts for people, in their order: pixels, colours, camera, exposure, place. */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** When it was taken, by the camera’s clock. */
  takenAt: z.string().nullable(),
});
export type MediaFacts = z.infer<typeof MediaFacts>;

export const CropBody = z.strictObject({
  ref: z.string().default('main'),
  rows: z.union([
    z.strictObject({ ids: z.array(RowId).min(1).max(10_000) }),
    z.strictObject({ where: z.string() }),
    z.strictObject({ all: z.literal(true) }),
  ]),
  /** The media column that is cut. */
  media: z.string(),
  /** How the annotations are read. */
  layout: AnnotationLayout,
  /** Only these annotations of each row, by their places from 0. */
  indexes: z.array(z.number().int().nonnegative()).max(20_000).optional(),
  /** Only these classes; `null` stands for no class. */
  labels: z.array(z.string().nullable()).max(1_000).optional(),
  /** Not these classes. */
  exceptLabels: z.array(z.string().nullable()).max(1_000).optional(),
  /** Only from this score on; those without a score stay. */
  minScore: z.number().optional(),
  /** Room around the box, as a share of its sides. */
  padding: z.number().min(0).max(2).default(0),
  /** A new table, or a branch of one that exists. */
  into: z.strictObject({ table: z.string(), branch: z.string().optional() }),
});
export type CropBody = z.infer<typeof CropBody>;

/** What the job of an export of crops gives. */
export const CropResult = z.object({
  table: z.string(),
  branch: z.string(),
  /** Crops that were made: rows of the table. */
  rows: z.number(),
  sourceRows: z.number(),
  /** Rows whose picture could not be cut, and why the first could not. */
  failedRows: z.number(),
  firstFailure: z.string().nullable(),
  /** Facts of the crops for which an existing table has no column. */
  leftOut: z.array(z.string()),
  /** The same in words. */
  notices: z.array(z.string()),
  editId: z.string().nullable(),
});
export type CropResult = z.infer<typeof CropResult>;

export const annotationsApi = defineContract({
  mediaFacts: {
    method: 'GET',
    path: '/api/v1/tables/:table/media-facts/:column/:rowId',
    summary: 'Size, colours and EXIF of a media cell',
    params: TableParams.extend({ column: z.string(), rowId: z.string() }),
    query: z.object({ ref: z.string().default('main'), of: z.string().optional() }),
    reply: json(MediaFacts),
  },
  cropRows: {
    method: 'POST',
    path: '/api/v1/tables/:table/crops',
    summary: 'Cuts annotations out of pictures as rows of their own, as a job',
    params: TableParams,
    body: CropBody,
    reply: json(z.object({ job: z.object({ id: z.string() }) }), 202),
  },
});
