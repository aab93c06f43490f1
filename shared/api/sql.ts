import * as z from 'zod';
import { PinnedRef } from '../domain/ref.ts';
import { arrow, bytes, defineContract, json } from './contract-kit.ts';
import { Problem } from './problem.ts';
import { FormatQuery } from './tables.ts';

/** Which ref a bare table name means: `{clips: "exp:12"}`. Names without an entry mean `main`. */
const Refs = z.record(z.string(), z.string());
export const SqlParams = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]);

export const SqlBody = z.strictObject({
  sql: z.string(),
  refs: Refs.optional(),
  params: SqlParams.optional(),
  maxRows: z.number().int().positive().max(10_000_000).optional(),
  /** A name that the caller gives this run, to ask how it stands. */
  runId: z.string().max(100).optional(),
});
export type SqlBody = z.infer<typeof SqlBody>;

export const SqlPlan = z.object({
  /** Tables that the statement reads. `name` is as it stands in the SQL: `clips`, `clips@exp:12`. */
  tables: z.array(
    z.object({
      name: z.string(),
      table: z.string(),
      ref: PinnedRef,
      columns: z.array(z.string()),
      rows: z.number(),
      bytes: z.number(),
      /** Identity of these rows for ever, also when names are used again. */
      key: z.string(),
      /** The first rows are enough; `null`: all are read. */
      limit: z.number().nullable(),
      /** Every column that a name can mean: its name in SQL and in the table, and DuckDB's type. */
      schema: z.array(z.object({ name: z.string(), source: z.string(), type: z.string() })),
    }),
  ),
  bytes: z.number(),
  engine: z.enum(['browser', 'server']),
  /** Rows of the whole result, where they are known before it runs. */
  total: z.number().nullable(),
  /** Why there, in a sentence. */
  reason: z.string(),
  /** Why DuckDB in the browser cannot run it; `null` when it can. */
  serverOnlyBecause: z.string().nullable(),
  /** Columns of the result, in order. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});
export type SqlPlan = z.infer<typeof SqlPlan>;

export const sqlApi = defineContract({
  runSql: {
    method: 'POST',
    path: '/api/v1/sql',
    summary: 'One read-only statement',
    query: FormatQuery,
    body: SqlBody,
    reply: arrow,
  },
  planSql: {
    method: 'POST',
    path: '/api/v1/sql/plan',
    summary: 'What a statement reads and where it would run',
    body: SqlBody,
    reply: json(SqlPlan),
  },
  checkSql: {
    method: 'POST',
    path: '/api/v1/sql/check',
    summary: 'The plan of a statement, or what is wrong with it: for statements that are being written',
    body: SqlBody,
    reply: json(z.object({ plan: SqlPlan.nullable(), problem: Problem.nullable() })),
  },
  sqlActivity: {
    method: 'GET',
    path: '/api/v1/sql/activity',
    summary: 'How many statements run on the server, and which wait for an engine',
    query: z.object({ runId: z.string().max(100).optional() }),
    reply: json(
      z.object({
        /** Statements that can run at once. */
        engines: z.number(),
        running: z.number(),
        waiting: z.number(),
        /** How the run of that name stands; `null`: it is not here, or has sent its first rows. */
        run: z.enum(['waiting', 'running']).nullable(),
      }),
    ),
  },
  exportSql: {
    method: 'GET',
    path: '/api/v1/sql/export',
    summary: 'The whole result of a statement as a file',
    query: z.object({
      /** The body of `POST /api/v1/sql` as JSON. */
      q: z.string(),
      format: z.enum(['csv', 'arrow']).default('csv'),
    }),
    reply: bytes,
  },
});
