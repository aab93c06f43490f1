import type { PinnedRef } from '#shared/domain/ref.ts';
import type { ByteStream, CallContext } from './call.ts';

/** A table as a statement names it, with the ref that the name means. */
export interface SqlRelation {
  /** As it stands in the SQL: `clips`, `clips@exp:12`. */
  name: string;
  table: string;
  ref: PinnedRef;
  /** Identity of table and branch for ever, also when their names are used again. */
  key: string;
}

/** A name of the statement that means no table, and why; the engine points at its place. */
export interface MissingRelation {
  name: string;
  message: string;
  hint?: string;
}

export interface SqlRun {
  sql: string;
  params?: unknown[] | Record<string, unknown>;
  relations: SqlRelation[];
  missing?: MissingRelation[];
  maxRows?: number;
}

/** What a statement reads of one relation. */
export interface RelationReads {
  /** As it stands in the SQL. */
  name: string;
  /** Columns whose values the result depends on, as SQL names them. */
  columns: string[];
  rows: number;
  /** Estimated bytes of these columns. */
  bytes: number;
  /** The first rows are enough; `null`: all are read. */
  limit: number | null;
  /** Every column that names can mean and `*` gives: name in SQL, name in the table, DuckDB's type. */
  schema: { name: string; source: string; type: string }[];
}

export interface SqlPlanFacts {
  reads: RelationReads[];
  resultColumns: { name: string; type: string }[];
  /** Rows of the whole result, where they are known before it runs. */
  total: number | null;
  /** Why the browser's engine cannot run it (JSON functions, time zones, half floats, …); null when it can. */
  serverOnlyBecause: string | null;
}

/**
 * SQL over pinned tables, in a process of its own. Errors: SQL_SYNTAX, SQL_BIND (with `at`), BAD_REQUEST for values
 * that cannot be computed, FORBIDDEN for what does not only read, MEMORY, UNSUPPORTED.
 */
export interface SqlEngine {
  /** Names of the relations that a statement reads; throws unless it is one read-only statement. */
  namesOf(input: { sql: string }, context: CallContext): Promise<{ names: string[] }>;
  plan(input: SqlRun, context: CallContext): Promise<SqlPlanFacts>;
  run(input: SqlRun, context: CallContext): Promise<ByteStream>;
}
