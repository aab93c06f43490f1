/** What the thread that reads a Parquet file is started with. */
export interface ParquetWork {
  path: string;
  /** The footer and what follows it, to be read instead of the file's own. */
  end: { start: number; bytes: Uint8Array };
  /** Rows to skip, and rows of one batch; a batch of 0 rows only opens the file. */
  offset: number;
  batchRows: number | null;
}

export interface ParquetFacts {
  schema: Uint8Array;
  rows: number;
  groups: { rows: number; packedBytes: number; plainBytes: number }[];
}

/** From the thread: facts first, then one answer to each `next`. */
export type ParquetReply =
  | { kind: 'facts'; facts: ParquetFacts }
  | { kind: 'batch'; stream: Uint8Array }
  | { kind: 'end' }
  | { kind: 'error'; message: string };

export type ParquetRequest = 'next';

/** Bytes of one batch to aim at. */
export const targetBatchBytes = 8 * 1024 * 1024;
export const maxBatchRows = 65_536;

/** Rows of a batch that has about {@link targetBatchBytes}, by the averages of the whole file. */
export function planBatchRows({ rows, groups }: Pick<ParquetFacts, 'rows' | 'groups'>): number {
  const bytes = groups.reduce((sum, group) => sum + group.plainBytes, 0);
  const perRow = rows === 0 ? 1 : Math.max(1, bytes / rows);
  return Math.max(1, Math.min(maxBatchRows, Math.floor(targetBatchBytes / perRow)));
}
