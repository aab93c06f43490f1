import { arrow, type RecordBatch, type Vector } from '../../../../arrow/arrow.ts';
import type { CallContext } from '../../../../ports/call.ts';
import type { Pinned } from '../../../../ports/table-reader.ts';
import { type RowsPlaces, readRows } from '../../rows/read-rows.ts';
import type { DetailFacts } from './detail-summaries.ts';
import { spreadOf } from './spread.ts';

/** Cells whose bytes are looked at for their type: so many windows, spread over the rows. */
const windows = 20;
const rowsPerWindow = 100;

/** Sizes and types of media: of all cells of small tables, else of windows spread over the rows. */
export async function detailMedia(
  { column, where, ...pinned }: Pinned & { column: string; where?: string | undefined },
  context: CallContext,
  places: RowsPlaces,
): Promise<{ facts: DetailFacts; scope: string }> {
  const seen = new MediaCells();
  const read = async (offset: number): Promise<number> => {
    const stream = await readRows(
      {
        ...pinned,
        columns: [column],
        ...(where === undefined ? {} : { where }),
        offset,
        limit: rowsPerWindow,
      },
      context,
      places,
    );
    const batches = await arrow.RecordBatchReader.from(stream.chunks);
    for await (const batch of batches as AsyncIterable<RecordBatch>) seen.add(batch.getChild(column));
    return stream.facts.total;
  };
  const total = await read(0);
  const isAll = total <= windows * rowsPerWindow;
  const count = Math.min(windows, Math.ceil(total / rowsPerWindow));
  const step = isAll ? rowsPerWindow : (total - rowsPerWindow) / (count - 1);
  for (let window = 1; window < count; window++) await read(Math.floor(window * step));
  const scope = isAll ? `all ${total} rows` : `a sample of ${count * rowsPerWindow} of ${total} rows`;
  return { facts: seen.finish(), scope };
}

class MediaCells {
  readonly #sizes: number[] = [];
  readonly #types = new Map<string, number>();
  readonly #hashes = new Set<string>();
  #rows = 0;
  #nulls = 0;
  #empties = 0;
  #duplicates = 0;

  add(cells: Vector | null): void {
    for (let row = 0; row < (cells?.length ?? 0); row++) {
      this.#rows += 1;
      const cell = cells?.get(row) as {
        sizeBytes: number;
        contentType: string | null;
        hash: string | null;
      } | null;
      if (!cell) {
        this.#nulls += 1;
        continue;
      }
      const { sizeBytes, contentType, hash } = cell;
      this.#sizes.push(sizeBytes);
      if (sizeBytes === 0) this.#empties += 1;
      const type = contentType ?? 'unknown';
      this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
      if (hash === null) continue;
      if (this.#hashes.has(hash)) this.#duplicates += 1;
      else this.#hashes.add(hash);
    }
  }

  finish(): DetailFacts {
    const types = [...this.#types].sort(([, a], [, b]) => b - a).map(([value, rows]) => ({ value, rows }));
    return {
      kind: 'media',
      rows: this.#rows,
      nulls: this.#nulls,
      sizes: spreadOf(this.#sizes, { isWhole: true }),
      totalBytes: this.#sizes.reduce((sum, size) => sum + size, 0),
      empties: this.#empties,
      types,
      duplicates: this.#duplicates,
    };
  }
}
