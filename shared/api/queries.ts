import * as z from 'zod';
import { QueryParam } from '../domain/query-param.ts';
import { bytes, defineContract, json, none } from './contract-kit.ts';

/** Who sees it: its owner, or everybody. */
export const Visibility = z.enum(['private', 'shared']);
export type Visibility = z.infer<typeof Visibility>;

/** What `/t/TABLE` shows, without its ref: filter, order, columns, view as in the query string of the address. */
export const SavedView = z.strictObject({
  table: z.string().min(1).max(200),
  query: z.string().max(100_000),
});
export type SavedView = z.infer<typeof SavedView>;

/** Which ref each bare table name means: `{clips: "main:12"}`. */
const Refs = z.record(z.string(), z.string().max(300));

/** Cells whose result is shown with a chart, by name (`cell_1` in a text without cells), and the chart's choices. */
const Charts = z.record(z.string().max(200), z.string().max(2_000));

const name = z
  .string()
  .trim()
  .min(1, 'a name is needed')
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'a name is one line of text');

/** What is saved under a name: SQL (one or several statements) or a view, never both. */
export const SavedText = z
  .strictObject({
    name,
    sql: z.string().min(1).max(1_000_000).optional(),
    view: SavedView.optional(),
    refs: Refs.default({}),
    description: z.string().max(10_000).default(''),
    visibility: Visibility.default('shared'),
    params: z.array(QueryParam).max(100).default([]),
    charts: Charts.optional(),
  })
  .refine(({ sql, view }) => (sql === undefined) !== (view === undefined), {
    message: 'either sql or view is needed, not both',
    path: ['sql'],
  });
export type SavedText = z.infer<typeof SavedText>;
export type SavedTextInput = z.input<typeof SavedText>;

/** The text alone, without who saved it and when. */
export const savedTextOf = ({
  name,
  sql,
  view,
  refs,
  description,
  visibility,
  params,
  charts,
}: SavedText): SavedText => ({
  name,
  ...(sql === undefined ? {} : { sql }),
  ...(view === undefined ? {} : { view }),
  refs,
  description,
  visibility,
  params,
  ...(charts === undefined ? {} : { charts }),
});

/** An earlier or the present text, with who wrote it and when. */
export const SavedRevision = z.object({
  revision: z.number(),
  at: z.string(),
  author: z.string(),
  name: z.string(),
  sql: z.string().optional(),
  view: SavedView.optional(),
  refs: Refs,
  description: z.string(),
  visibility: Visibility,
  params: z.array(QueryParam),
  charts: Charts.optional(),
});
export type SavedRevision = z.infer<typeof SavedRevision>;

export const SavedQuerySummary = SavedRevision.extend({
  id: z.string(),
  owner: z.string(),
  createdAt: z.string(),
  /** What it was forked from. */
  origin: z.object({ id: z.string(), name: z.string(), revision: z.number() }).nullable(),
});
export type SavedQuerySummary = z.infer<typeof SavedQuerySummary>;

export const SavedQuery = SavedQuerySummary.extend({
  /** Earlier texts, the last one first. */
  history: z.array(SavedRevision),
});
export type SavedQuery = z.infer<typeof SavedQuery>;

const Id = z.object({ id: z.string() });

export const ImportOutcome = z.object({
  path: z.string(),
  outcome: z.enum(['created', 'updated', 'unchanged', 'refused']),
  id: z.string().nullable(),
  name: z.string().nullable(),
  /** Why it was refused. */
  why: z.string().nullable(),
});
export type ImportOutcome = z.infer<typeof ImportOutcome>;

export const queriesApi = defineContract({
  listQueries: {
    method: 'GET',
    path: '/api/v1/queries',
    summary: 'Saved queries and views, the last changed first',
    query: z.object({
      /** Words that the name, the description or the text must have. */
      q: z.string().max(1_000).optional(),
      /** Only those that read this table. */
      table: z.string().max(200).optional(),
    }),
    reply: json(z.object({ queries: z.array(SavedQuerySummary) })),
  },
  createQuery: {
    method: 'POST',
    path: '/api/v1/queries',
    summary: 'Saves SQL or a view under a name; its refs are pinned',
    body: SavedText.safeExtend({
      /** The query that this one is a fork of. */
      origin: z.string().optional(),
    }),
    reply: json(SavedQuery, 201),
  },
  getQuery: {
    method: 'GET',
    path: '/api/v1/queries/:id',
    summary: 'A saved query with its earlier texts',
    params: Id,
    reply: json(SavedQuery),
  },
  putQuery: {
    method: 'PUT',
    path: '/api/v1/queries/:id',
    summary: 'Changes a saved query; what it was stays in its history',
    params: Id,
    body: SavedText.safeExtend({
      /** The revision that the change was made from; another one gives 409. */
      revision: z.number().int().positive().optional(),
    }),
    reply: json(SavedQuery),
  },
  deleteQuery: {
    method: 'DELETE',
    path: '/api/v1/queries/:id',
    summary: 'Deletes a saved query; it can be restored for 30 days',
    params: Id,
    reply: none,
  },
  restoreQuery: {
    method: 'POST',
    path: '/api/v1/queries/:id/restore',
    summary: 'Brings a deleted query back',
    params: Id,
    reply: json(SavedQuery),
  },
  queryFile: {
    method: 'GET',
    path: '/api/v1/queries/:id/file',
    summary: 'The query as a plain .sql file',
    params: Id,
    reply: bytes,
  },
  importQueries: {
    method: 'POST',
    path: '/api/v1/queries/import',
    summary: 'Takes .sql files in; one that cannot be read is refused and the others go on',
    body: z.strictObject({
      files: z.array(z.strictObject({ path: z.string().max(1_000), text: z.string() })).max(10_000),
    }),
    reply: json(z.object({ files: z.array(ImportOutcome) })),
  },
});
