import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#shared/api/problem.ts';
import { rowsAtOnce } from '#shared/domain/facets/cube.ts';

type Values = Uint8Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
type Kind<V extends Values> = new (length: number) => V;

const files = new FinalizationRegistry<number>((file) => closeSync(file));

/**
 * A number per row, put in one after the other, then read by blocks: in memory, or where there are many in a file that
 * has no name and ends with the process. Reading a block from there costs about what copying it does.
 */
export class RowValues<V extends Values> {
  readonly rows: number;
  readonly byteLength: number;
  readonly #kind: Kind<V>;
  readonly #file: number | null;
  /** All rows; or of a file the ones that are not written yet, and afterwards the block that was read last. */
  #values: V;
  #filled = 0;
  #written = 0;

  constructor(kind: Kind<V>, { rows, isInFile }: { rows: number; isInFile: boolean }) {
    this.rows = rows;
    this.#kind = kind;
    this.#values = new kind(isInFile ? rowsAtOnce + slackRows : rows);
    this.byteLength = rows * this.#values.BYTES_PER_ELEMENT;
    this.#file = isInFile ? openNameless() : null;
    if (this.#file !== null) files.register(this, this.#file);
  }

  /** Where the next `count` rows go in `values`; they are put there before the next call. */
  room(count: number): { values: V; at: number } {
    if (this.#file !== null) {
      if (this.#filled >= rowsAtOnce) this.#write(this.#file);
      if (this.#filled + count > this.#values.length) this.#grow(this.#filled + count);
    }
    const at = this.#filled;
    this.#filled += count;
    return { values: this.#values, at };
  }

  /** Rows `from` (inclusive) to `to` (exclusive), at most a block; they are there until the next call. */
  block(from: number, to: number): V {
    if (this.#file === null) return this.#values.subarray(from, to) as V;
    if (this.#filled > 0) this.#write(this.#file);
    const bytes = new Uint8Array(this.#values.buffer);
    const size = this.#values.BYTES_PER_ELEMENT;
    let done = 0;
    while (done < (to - from) * size) {
      const read = readSync(this.#file, bytes, done, (to - from) * size - done, from * size + done);
      if (read === 0) throw new AppError({ code: 'INTERNAL', message: 'Rows that were put aside are gone.' });
      done += read;
    }
    return this.#values.subarray(0, to - from) as V;
  }

  #grow(length: number): void {
    const values = new this.#kind(length);
    values.set(this.#values.subarray(0, this.#filled));
    this.#values = values;
  }

  #write(file: number): void {
    const { buffer, BYTES_PER_ELEMENT: size } = this.#values;
    const bytes = new Uint8Array(buffer, 0, this.#filled * size);
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(file, bytes, done, bytes.length - done, this.#written * size + done);
    } catch (cause) {
      throw new AppError({
        code: 'MEMORY',
        message: 'There is no room to put the rows of this column aside.',
        hint: 'Make room where the cache of Curio lies (CURIO_CACHE), then try again.',
        cause,
      });
    }
    this.#written += this.#filled;
    this.#filled = 0;
  }
}

/** Batches are of fewer rows, mostly. */
const slackRows = 65_536;

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'rows-'));
  try {
    return openSync(join(folder, 'rows'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
