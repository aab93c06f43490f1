import { rowsFromZero, sortRows } from './radix-sort.ts';

/** Rows as columns of words that compare as the rows do, the most significant first. */
export type Words = readonly Uint32Array[];

/** −1, 0 or 1: how row `a` of one set of words stands to row `b` of another. */
export function compareRows(left: Words, a: number, right: Words, b: number): number {
  for (let w = 0; w < left.length; w++) {
    const [x, y] = [left[w]![a]!, right[w]![b]!];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

export const emptyWords = (wordCount: number, rows: number): Uint32Array[] =>
  Array.from({ length: wordCount }, () => new Uint32Array(rows));

/** The rows in order, without a change to the words. */
export const orderOfWords = (words: Words, rows: number): Uint32Array =>
  sortRows([{ words: [...words], nulls: null, desc: false, hasNullsFirst: false }], rowsFromZero(rows));

/** Keeps the least rows that it is shown, up to `limit`. */
export class LeastRows {
  #words: Uint32Array[];
  #ids: BigUint64Array;
  #limit: number;
  #count = 0;

  /** Room for twice as many, so that most rows are only compared with the greatest that is kept. */
  constructor(wordCount: number, limit: number) {
    this.#limit = limit;
    this.#words = emptyWords(wordCount, 2 * limit);
    this.#ids = new BigUint64Array(2 * limit);
  }

  add(words: Words, ids: BigUint64Array, rows: number): void {
    if (this.#limit === 0) return;
    for (let row = 0; row < rows; row++) {
      if (this.#count >= this.#limit && compareRows(words, row, this.#words, this.#limit - 1) >= 0) continue;
      for (const [w, word] of words.entries()) this.#words[w]![this.#count] = word[row]!;
      this.#ids[this.#count] = ids[row]!;
      this.#count += 1;
      if (this.#count === 2 * this.#limit || this.#count === this.#limit) this.#sort();
    }
  }

  /** Row ids, the least first; equal rows as they came. */
  take(): BigUint64Array {
    this.#sort();
    return this.#ids.slice(0, Math.min(this.#count, this.#limit));
  }

  #sort(): void {
    const order = orderOfWords(
      this.#words.map((word) => word.subarray(0, this.#count)),
      this.#count,
    );
    const kept = Math.min(order.length, this.#limit);
    this.#words = this.#words.map((word) => {
      const next = new Uint32Array(word.length);
      for (let i = 0; i < kept; i++) next[i] = word[order[i]!]!;
      return next;
    });
    const ids = new BigUint64Array(this.#ids.length);
    for (let i = 0; i < kept; i++) ids[i] = this.#ids[order[i]!]!;
    this.#ids = ids;
    this.#count = kept;
  }
}

/** Every so many-th row, for finding where to part the whole. */
export class KeySample {
  #words: Uint32Array[];
  #count = 0;
  #stride: number;
  #skip = 0;

  constructor(wordCount: number, { rows, limit }: { rows: number; limit: number }) {
    this.#stride = Math.max(1, Math.ceil(rows / limit));
    this.#words = emptyWords(wordCount, limit + 1);
  }

  add(words: Words, rows: number): void {
    let row = this.#skip;
    for (; row < rows && this.#count < this.#words[0]!.length; row += this.#stride) {
      for (const [w, word] of words.entries()) this.#words[w]![this.#count] = word[row]!;
      this.#count += 1;
    }
    this.#skip = Math.max(0, row - rows);
  }

  /** Different keys that part the rows into about `parts` equal parts, in order; `map` makes final words of those that were sampled. */
  splitters(parts: number, map: (words: Uint32Array[]) => void): Uint32Array[] {
    const words = this.#words.map((word) => word.slice(0, this.#count));
    map(words);
    const order = orderOfWords(words, this.#count);
    const chosen: number[] = [];
    for (let part = 1; part < parts; part++) {
      const row = order[Math.floor((part * this.#count) / parts)];
      const before = chosen.at(-1);
      if (row === undefined || (before !== undefined && compareRows(words, before, words, row) === 0))
        continue;
      chosen.push(row);
    }
    return words.map((word) => Uint32Array.from(chosen, (row) => word[row]!));
  }
}
