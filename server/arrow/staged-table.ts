import type { RecordBatch, Table } from './arrow.ts';

/** A table that is being made; no list shows it before it is published. */
export interface StagedTable {
  add(rows: Table): Promise<void>;
  /** The rows as they are stored so far, in their order. */
  scan(columns: readonly string[]): AsyncIterable<RecordBatch>;
  /** Makes the table ready to be read: its index, and one version instead of those of its making. */
  finish(options: { index: string | null; hasBlobs: boolean }): Promise<{ version: number }>;
  /** Gives it its name, in one step. EXISTS when the name is taken. */
  publish(name: string): Promise<void>;
  discard(): Promise<void>;
}
