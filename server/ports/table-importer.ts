import type { ImportOptions } from '#shared/api/jobs.ts';
import type { CallContext } from './call.ts';

/** `label` is what messages call a source. */
export type ImportInputSource =
  /** A file or folder on the server, already allowed. */
  | { path: string; label: string }
  /** Fetched over http or https from a public address. */
  | { url: string; label: string };

export interface ImportInput {
  name: string;
  key: string[] | null;
  sources: ImportInputSource[];
  options: ImportOptions;
  /** Names what the import builds until it is complete, for {@link TableImporter.discard}; letters, digits and `-`. */
  stagingId: string;
}

/** Builds a table that no list shows until it is complete; on any error nothing is left. INVALID_FILE names file and place. */
export interface TableImporter {
  importTable(
    input: ImportInput,
    context: CallContext,
  ): Promise<{ rows: number; version: number; notices: string[] }>;
  /** Removes what an import that failed, was cancelled or died has built; waits for an import that is still stopping. */
  discard(input: { stagingId: string }, context: CallContext): Promise<void>;
  /** Removes what a killed import left behind. */
  sweep(input: Record<string, never>, context: CallContext): Promise<{ removed: string[] }>;
  /** Deletes a table for good. */
  dropTable(input: { table: string }, context: CallContext): Promise<void>;
}
