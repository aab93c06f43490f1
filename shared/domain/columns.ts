import * as z from 'zod';
import { AnnotationFact } from './annotations/layout.ts';

/** How a column is shown and what can be done with it. */
export const ColumnRole = z.enum([
  'key',
  'image',
  'video',
  'audio',
  'text',
  'vector',
  'label',
  'number',
  'time',
  'json',
  'box',
  'mask',
  'blob',
  'url',
  'other',
]);
export type ColumnRole = z.infer<typeof ColumnRole>;

/** What a table or a column is about. It lies in the table's schema, which is read with every list of tables. */
export const Description = z.string().max(20_000);

export const ColumnTags = z.array(z.string().max(200)).max(200);

export const IndexInfo = z.object({
  name: z.string(),
  column: z.string(),
  kind: z.string(),
  /** Share of the rows that the index covers, 0 to 1; the rest is found by a scan. */
  coverage: z.number(),
  indexedRows: z.number(),
  unindexedRows: z.number(),
});
export type IndexInfo = z.infer<typeof IndexInfo>;

export const ColumnInfo = z.object({
  name: z.string(),
  /** As `formatColumnType` writes it: `int64`, `utf8`, `timestamp[us, UTC]`, `list<utf8>`, `fixed_size_list<float32>[512]`, `blob`, … */
  type: z.string(),
  nullable: z.boolean(),
  role: ColumnRole,
  description: z.string(),
  tags: z.array(z.string()),
  /** Out of sight by default, such as `_key`. */
  hidden: z.boolean().optional(),
  index: z.string().optional(),
  /** How its annotations are read, where somebody said so; else they are guessed. */
  annotations: AnnotationFact.optional(),
});
export type ColumnInfo = z.infer<typeof ColumnInfo>;

/** A cell of a blob column as it travels with rows: its address is made from table, column, `_rowid` and ref. */
export interface BlobCell {
  kind: 'image' | 'video' | 'audio' | 'model' | 'text' | 'pdf' | 'other';
  sizeBytes: number;
  /** From the bytes, never from a name; null where they were not looked at. */
  contentType: string | null;
  hash: string | null;
  /** Only in results of SQL, where no row says which table a cell came from. */
  url?: string;
  /** The path or address that a text cell names: the size is not known here. */
  link?: string;
}
