import type { RecordBatch, Schema } from './arrow.ts';

/** A file of rows on this machine. */
export interface SourceFile {
  path: string;
  /** What messages call it: as the person named it, without server folders. */
  label: string;
}

/** Rows that are read batch by batch. Errors are AppErrors that name the file and, where it can be told, the place. */
export interface RowSource {
  label: string;
  schema: Schema;
  /** Rows in all, where the file says so. */
  rowCount: number | null;
  sizeBytes: number;
  /** How far the reading has come, of `sizeBytes`. */
  bytesRead(): number;
  /** The file that a row (from 0) comes from, and its number there, where there are several. */
  locate?(row: number): { label: string; row: number };
  /** From the first row on; may be called again when the iteration before has ended. */
  batches(signal: AbortSignal): AsyncIterable<RecordBatch>;
  close(): Promise<void>;
}
