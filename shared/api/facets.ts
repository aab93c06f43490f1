import * as z from 'zod';
import { PinnedRef } from '../domain/ref.ts';
import { defineContract, events, json } from './contract-kit.ts';
import { Problem } from './problem.ts';
import { TableParams } from './tables.ts';

export const FacetKindSchema = z.enum([
  'number',
  'whole',
  'timestamp',
  'date',
  'length',
  'text',
  'bool',
  'element',
]);

const Counts = z.array(z.number());

/** What is known of all numbers or times (in milliseconds) of a column that was read; without infinite ones. */
export const FacetFigures = z.object({
  min: z.number(),
  max: z.number(),
  mean: z.number(),
  /** About, off by 0.8 %. */
  distinct: z.number(),
});
export type FacetFigures = z.infer<typeof FacetFigures>;

export const Facet = z.object({
  column: z.string(),
  /** What is counted: the value, the length of the text, or the elements of the list. */
  kind: FacetKindSchema,
  /** `shared/domain/facets/bins.ts` says what they mean. */
  bins: z.object({
    kind: z.enum(['ordered', 'values']),
    edges: z.array(z.number()),
    bars: z.array(z.number()),
    values: z.array(z.union([z.string(), z.boolean()])),
  }),
  /** Different values, where values are counted. */
  distinct: z.number().nullable(),
  /** Of numbers and times, over all rows that were counted whatever the conditions. */
  figures: FacetFigures.nullable().optional(),
  /** Rows per bin, then those with null, NaN, another value, an empty list: of all rows. */
  all: Counts,
  /** Under all conditions but those on this column. */
  kept: Counts,
  /** Under all conditions. */
  inside: Counts,
  /** Of the marked rows under all conditions; null where none are marked. */
  marked: Counts.nullable(),
});
export type Facet = z.infer<typeof Facet>;

export const FacetCube = z.object({
  /** The column that is brushed. */
  column: z.string(),
  others: z.array(
    z.object({
      column: z.string(),
      /** Places per row of the cube: the bars of the other column, then null, NaN, another value, an empty list. */
      width: z.number(),
      /** Rows with a code of the brushed column below `n`, per place: `(codes + 1) * width` numbers. */
      prefix: Counts,
    }),
  ),
  /** Rows with a code below `n`, under all conditions but those on the brushed column. */
  totals: Counts,
});
export type FacetCube = z.infer<typeof FacetCube>;

export const FacetsAnswer = z.object({
  ref: PinnedRef,
  /** Of the table. */
  rows: z.number(),
  /** Rows that were looked at: all, or a sample. */
  counted: z.number(),
  isSample: z.boolean(),
  /** Of the counted ones, those that match all conditions. */
  matching: z.number(),
  marked: z.number().nullable(),
  facets: z.array(Facet),
  /** Columns without a distribution that rows can be chosen by, and why. */
  skipped: z.array(z.object({ column: z.string(), why: z.string() })),
  cube: FacetCube.nullable(),
  /** Work of the engine for this answer. */
  elapsedMs: z.number(),
});
export type FacetsAnswer = z.infer<typeof FacetsAnswer>;

/** What counting tells while it goes on: how far it is, at last the answer or why there is none. */
export const FacetsEvent = z.union([
  z.object({ progress: z.object({ done: z.number(), total: z.number().nullable(), message: z.string() }) }),
  z.object({ answer: FacetsAnswer }),
  z.object({ problem: Problem }),
]);
export type FacetsEvent = z.infer<typeof FacetsEvent>;

export const FacetsBody = z.strictObject({
  ref: z.string().default('main'),
  /** Filter texts that must all hold. Those on one column alone do not narrow that column's own distribution. */
  conditions: z.array(z.string()).max(200).default([]),
  /** All that are not hidden, unless named. */
  columns: z.array(z.string()).max(200).optional(),
  /** A filter whose rows are counted apart: a selection. */
  marked: z.string().optional(),
  /** Looks at about this many rows, spread over the table, instead of all. */
  sample: z.number().int().positive().max(5_000_000).optional(),
  /** The column that is about to be brushed: its cube against every other comes along. */
  active: z.string().optional(),
});
export type FacetsBody = z.infer<typeof FacetsBody>;

const Histogram = z.array(z.object({ from: z.number(), to: z.number(), rows: z.number() }));
const Spread = z.object({
  min: z.number(),
  max: z.number(),
  mean: z.number(),
  histogram: Histogram,
});
const TopValue = z.object({ value: z.string(), rows: z.number() });

/** What only columns of a kind have. */
export const ColumnDetail = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('vector'),
    column: z.string(),
    scope: z.string(),
    rows: z.number(),
    nulls: z.number(),
    dimension: z.number(),
    /** Lengths of the vectors; null where there is none. */
    norms: Spread.nullable(),
    zeros: z.number(),
    /** Vectors with NaN or infinity. */
    notFinite: z.number(),
    /** Vectors that are the same, bit for bit, as one before. */
    duplicates: z.number(),
    /** Mean cosine to the mean direction: 1 where all point the same way, about 0 where they point everywhere. */
    alignment: z.number().nullable(),
  }),
  z.object({
    kind: z.literal('text'),
    column: z.string(),
    scope: z.string(),
    rows: z.number(),
    nulls: z.number(),
    lengths: Spread.nullable(),
    empties: z.number(),
    /** Texts of nothing but white space. */
    blanks: z.number(),
    duplicates: z.number(),
    /** Words by the rows that have them. */
    words: z.array(TopValue),
  }),
  z.object({
    kind: z.literal('list'),
    column: z.string(),
    scope: z.string(),
    rows: z.number(),
    nulls: z.number(),
    lengths: Spread.nullable(),
    empties: z.number(),
  }),
  z.object({
    kind: z.literal('media'),
    column: z.string(),
    scope: z.string(),
    rows: z.number(),
    nulls: z.number(),
    sizes: Spread.nullable(),
    totalBytes: z.number(),
    empties: z.number(),
    types: z.array(TopValue),
    duplicates: z.number(),
  }),
  z.object({
    kind: z.literal('time'),
    column: z.string(),
    scope: z.string(),
    rows: z.number(),
    nulls: z.number(),
    /** Monday first, UTC. */
    weekdays: z.array(z.number()),
    /** Of times with an hour: 0 to 23, UTC. */
    hours: z.array(z.number()).nullable(),
  }),
]);
export type ColumnDetail = z.infer<typeof ColumnDetail>;

export const Associations = z.object({
  ref: PinnedRef,
  rows: z.number(),
  counted: z.number(),
  isSample: z.boolean(),
  columns: z.array(z.string()),
  pairs: z.array(
    z.object({
      a: z.string(),
      b: z.string(),
      /** `shared/domain/facets/association.ts` says what they mean. */
      measure: z.enum(['spearman', 'cramersV', 'eta']),
      value: z.number().nullable(),
      rows: z.number(),
    }),
  ),
});
export type Associations = z.infer<typeof Associations>;

export const facetsApi = defineContract({
  profileDetails: {
    method: 'POST',
    path: '/api/v1/tables/:table/profile/details',
    summary:
      'What only vectors, texts, lists, media and times have: lengths, words, norms, duplicates, types, hours',
    params: TableParams,
    body: z.strictObject({
      ref: z.string().default('main'),
      where: z.string().optional(),
      columns: z.array(z.string()).max(200).optional(),
    }),
    reply: json(z.object({ ref: PinnedRef, columns: z.array(ColumnDetail) })),
  },
  associations: {
    method: 'POST',
    path: '/api/v1/tables/:table/associations',
    summary: 'How far columns go together, pair by pair',
    params: TableParams,
    body: FacetsBody.pick({ ref: true, conditions: true, columns: true }),
    reply: json(Associations),
  },
  facets: {
    method: 'POST',
    path: '/api/v1/tables/:table/facets',
    summary: 'Linked distributions of columns under conditions, and the cube of one of them for brushing',
    params: TableParams,
    body: FacetsBody,
    reply: json(FacetsAnswer),
  },
  facetsLive: {
    method: 'POST',
    path: '/api/v1/tables/:table/facets/live',
    summary: 'The same as server-sent events: how far the counting is, then the answer or the problem',
    params: TableParams,
    body: FacetsBody,
    reply: events(FacetsEvent),
  },
});
