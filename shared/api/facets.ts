import * as z from 'zod';
import { PinnedRef } from '../domain/ref.ts';
import { defineContract, json } from './contract-kit.ts';
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

export const facetsApi = defineContract({
  facets: {
    method: 'POST',
    path: '/api/v1/tables/:table/facets',
    summary: 'Linked distributions of columns under conditions, and the cube of one of them for brushing',
    params: TableParams,
    body: FacetsBody,
    reply: json(FacetsAnswer),
  },
});
