import type { PinnedRef } from '#shared/domain/ref.ts';
import type { ByteStream, CallContext } from './call.ts';

/** A table as a statement names it, with the ref that the name means. */
export interface SqlRelation {
  /** As it stands in the SQL: `clips`, `clips@exp:12`. */
  name: string;
  table: string;
  ref: PinnedRef;
}

export interface SqlRun {
  sql: string;
  params?: unknown[] | Record<string, unknown>;
  relations: SqlRelation[];
  maxRows?: number;
}

/** SQL over pinned tables, in a process of its own. Errors: SQL_SYNTAX, SQL_BIND (with `at`), MEMORY, TIMEOUT, UNSUPPORTED. */
export interface SqlEngine {
  /** Names of the relations that a statement reads; throws unless it is one read-only statement. */
  namesOf(input: { sql: string }, context: CallContext): Promise<{ names: string[] }>;
  plan(
    input: SqlRun,
    context: CallContext,
  ): Promise<{
    columnsByName: Record<string, string[]>;
    resultColumns: { name: string; type: string }[];
    /** Why the browser's engine cannot run it (JSON functions, time zones, float16, …); null when it can. */
    serverOnlyBecause: string | null;
  }>;
  run(input: SqlRun, context: CallContext): Promise<ByteStream>;
}
