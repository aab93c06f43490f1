import type { ImportOptions } from '#shared/api/jobs.ts';
import type { CallContext } from './call.ts';

export interface ImportInput {
  name: string;
  key: string[] | null;
  /** Files and folders on the server, already allowed. `label` is what messages call them. */
  sources: { path: string; label: string }[];
  options: ImportOptions;
}

/** Builds a table that no list shows until it is complete; on any error nothing is left. INVALID_FILE names file and place. */
export interface TableImporter {
  importTable(input: ImportInput, context: CallContext): Promise<{ rows: number; version: number; notices: string[] }>;
  /** Removes what a killed import left behind. */
  sweep(input: Record<string, never>, context: CallContext): Promise<{ removed: string[] }>;
  /** Deletes a table for good. */
  dropTable(input: { table: string }, context: CallContext): Promise<void>;
}
