import { arrow, type Data, type RecordBatch } from '../../../arrow/arrow.ts';
import { offsetAt } from '../../../arrow/gather.ts';

/** A key that is none: a row without it, or two rows with the same. Rows count from 0. */
export type KeyFault =
  | { kind: 'null'; row: number; column: string }
  | { kind: 'repeated'; rows: [number, number]; value: string };

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a over bytes, in two lanes that start apart, as 53 bits. */
class RowHash {
  #low = offsetBasis;
  #high = offsetBasis ^ 0x5bd1e995;

  addByte(byte: number): void {
    this.#low = Math.imul(this.#low ^ byte, prime);
    this.#high = Math.imul(this.#high ^ (byte + 0x9e), prime ^ 0x1000);
  }

  value(): number {
    return (this.#high & 0x1fffff) * 2 ** 32 + (this.#low >>> 0);
  }
}

type Cell = (row: number) => { bytes: Uint8Array; start: number; end: number };

/** Where the bytes of a cell are. */
function cellsOf(data: Data): Cell {
  const values = data.values as Uint8Array;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  if (data.valueOffsets)
    return (row) => ({ bytes, start: offsetAt(data, row), end: offsetAt(data, row + 1) });
  const width = (values as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT * data.stride;
  return (row) => ({ bytes, start: row * width, end: (row + 1) * width });
}

const growBy = 2;
const firstSize = 4096;

/** Finds keys that are missing or repeated, with eight bytes per row; what hashes alike is compared by value in a second pass. */
export class KeyCheck {
  readonly #columns: readonly string[];
  #hashes = new Float64Array(firstSize);
  #rows = 0;
  #last = Number.NEGATIVE_INFINITY;
  #isAscending = true;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  /** Takes the next batch; gives the first null, if there is one. */
  add(batch: RecordBatch): KeyFault | null {
    const data = this.#columns.map((name) => dataOf(batch, name));
    for (const [index, column] of data.entries()) {
      if (column.nullCount === 0) continue;
      for (let row = 0; row < batch.numRows; row += 1)
        if (!column.getValid(row))
          return { kind: 'null', row: this.#rows + row, column: this.#columns[index]! };
    }
    this.#reserve(batch.numRows);
    const cells = data.map(cellsOf);
    const only =
      data.length === 1 && arrow.DataType.isInt(data[0]!.type)
        ? (data[0]!.values as ArrayLike<number | bigint>)
        : null;
    for (let row = 0; row < batch.numRows; row += 1) {
      if (only && this.#isAscending) this.#follow(Number(only[row]));
      this.#hashes[this.#rows + row] = hashOf(cells, row);
    }
    if (!only) this.#isAscending = false;
    this.#rows += batch.numRows;
    return null;
  }

  /** Finds the first repeated key; `read` gives the rows again from the first on. */
  async finish(read: () => AsyncIterable<RecordBatch>): Promise<KeyFault | null> {
    if (this.#isAscending || this.#rows < 2) return null;
    const sorted = this.#hashes.slice(0, this.#rows).sort();
    const suspects = new Set<number>();
    for (let at = 1; at < sorted.length; at += 1)
      if (sorted[at] === sorted[at - 1]) suspects.add(sorted[at]!);
    if (suspects.size === 0) return null;
    const seen = new Map<string, number>();
    let start = 0;
    for await (const batch of read()) {
      const cells = this.#columns.map((name) => cellsOf(dataOf(batch, name)));
      for (let row = 0; row < batch.numRows; row += 1) {
        if (!suspects.has(hashOf(cells, row))) continue;
        const exact = exactOf(cells, row);
        const before = seen.get(exact);
        if (before !== undefined)
          return { kind: 'repeated', rows: [before, start + row], value: this.#show(batch, row) };
        seen.set(exact, start + row);
      }
      start += batch.numRows;
    }
    return null;
  }

  #follow(value: number): void {
    this.#isAscending = value > this.#last && Math.abs(value) < Number.MAX_SAFE_INTEGER;
    this.#last = value;
  }

  #reserve(more: number): void {
    if (this.#rows + more <= this.#hashes.length) return;
    const larger = new Float64Array(Math.max(this.#rows + more, this.#hashes.length * growBy));
    larger.set(this.#hashes);
    this.#hashes = larger;
  }

  #show(batch: RecordBatch, row: number): string {
    return this.#columns.map((name) => String(batch.getChild(name)!.get(row))).join(', ');
  }
}

const dataOf = (batch: RecordBatch, name: string): Data =>
  batch.data.children[batch.schema.fields.findIndex((field) => field.name === name)]!;

function hashOf(cells: readonly Cell[], row: number): number {
  const hash = new RowHash();
  for (const cell of cells) {
    const { bytes, start, end } = cell(row);
    for (let at = start; at < end; at += 1) hash.addByte(bytes[at]!);
    hash.addByte(0x100);
  }
  return hash.value();
}

/** The bytes of a key as a text, columns told apart by their lengths. */
const exactOf = (cells: readonly Cell[], row: number): string =>
  cells
    .map((cell) => {
      const { bytes, start, end } = cell(row);
      return `${end - start}:${Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')}`;
    })
    .join('|');
