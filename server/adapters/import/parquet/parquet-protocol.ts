/** What the thread that reads a Parquet file is started with. */
export interface ParquetWork {
  path: string;
  /** The footer and what follows it, to be read instead of the file's own. */
  end: { start: number; bytes: Uint8Array };
  /** Row groups and the rows in them that are read one after the other. */
  slices: ParquetSlice[];
  /** Rows of one batch. */
  batchRows: number;
}

/** Rows of a row group that are decoded together; the decoder holds all of them at once. */
export interface ParquetSlice {
  group: number;
  offset: number;
  rows: number;
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

const sliceBytes = 96 * 1024 * 1024;
const batchBytes = 8 * 1024 * 1024;
const maxBatchRows = 65_536;

const clamp = (rows: number, most: number): number => Math.max(1, Math.min(most, Math.floor(rows)));

/** Rows of a batch for rows of so many bytes. */
export const planBatchRows = (rowBytes: number): number => clamp(batchBytes / rowBytes, maxBatchRows);

/**
 * The slices of a file from row `done` on, so that each has about {@link sliceBytes}; `share` makes them smaller after
 * a slice was too much. Row groups say how large they are; `probedRowBytes` is what rows really were.
 */
export function planSlices(
  { groups }: Pick<ParquetFacts, 'groups'>,
  { done, probedRowBytes, share }: { done: number; probedRowBytes: number; share: number },
): ParquetSlice[] {
  const slices: ParquetSlice[] = [];
  let start = 0;
  groups.forEach(({ rows, plainBytes }, group) => {
    const rowBytes = Math.max(1, probedRowBytes, rows === 0 ? 1 : plainBytes / rows);
    const most = clamp((sliceBytes * share) / rowBytes, rows);
    for (let offset = Math.max(0, done - start); offset < rows; offset += most)
      slices.push({ group, offset, rows: Math.min(most, rows - offset) });
    start += rows;
  });
  return slices;
}
