import { quoteText } from '#shared/sql/literal.ts';
import { arrow, type Vector } from '../../../arrow/arrow.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { filesOfQuery } from '../rows/files-of-query.ts';
import type { SearchTerm } from './search-terms.ts';
import type { TextColumn } from './text-columns.ts';

export interface TextHits {
  ids: bigint[];
  scores: number[];
  /** Rows that match in all. */
  total: number;
}

export interface ScanInput {
  table: PinnedTable;
  columns: readonly TextColumn[];
  terms: readonly SearchTerm[];
  where: string | undefined;
  limit: number;
  place: LanceErrorPlace;
  signal: AbortSignal;
}

/** Okapi BM25: how soon more of a word counts little more, and how much long texts are held back. */
const saturation = 1.2;
const lengthWeight = 0.75;
const lettersPerWord = 6;

/** A word counts whole, one that only begins with the term less, one that has it inside least. */
const weights = { word: 1, prefix: 0.6, inside: 0.3 };

const letter = /[\p{L}\p{N}\p{M}]/u;
const isLetterAt = (text: string, at: number): boolean =>
  at >= 0 && at < text.length && letter.test(text[at] as string);

function countTerm(text: string, regex: RegExp): number {
  let sum = 0;
  for (const match of text.matchAll(regex)) {
    const start = match.index;
    const end = start + match[0].length;
    sum += isLetterAt(text, start - 1)
      ? weights.inside
      : isLetterAt(text, end)
        ? weights.prefix
        : weights.word;
  }
  return sum;
}

/** Weighted counts of each term in each text of the rows that have any. */
class Candidates {
  readonly ids: bigint[] = [];
  readonly #counts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #terms: number;
  readonly #columns: number;
  readonly #rowsWith: number[];

  constructor(terms: number, columns: number) {
    this.#terms = terms;
    this.#columns = columns;
    this.#rowsWith = new Array(terms).fill(0);
  }

  add(id: bigint, texts: readonly (string | null)[], regexes: readonly RegExp[]): void {
    this.ids.push(id);
    const found = new Array<boolean>(this.#terms).fill(false);
    for (const text of texts) {
      this.#lengths.push((text?.length ?? 0) / lettersPerWord);
      regexes.forEach((regex, term) => {
        const count = text ? countTerm(text, regex) : 0;
        this.#counts.push(count);
        if (count > 0) found[term] = true;
      });
    }
    found.forEach((isThere, term) => {
      if (isThere) this.#rowsWith[term]! += 1;
    });
  }

  /** Score of each row: the best of its texts. */
  scores(rows: number): Float64Array {
    const mean =
      this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, this.#lengths.length) || 1;
    const idf = this.#rowsWith.map((count) => Math.log(1 + (rows - count + 0.5) / (count + 0.5)));
    return Float64Array.from(this.ids, (_id, row) => {
      let best = 0;
      for (let column = 0; column < this.#columns; column++) {
        const at = row * this.#columns + column;
        const norm = saturation * (1 - lengthWeight + (lengthWeight * this.#lengths[at]!) / mean);
        let score = 0;
        for (let term = 0; term < this.#terms; term++) {
          const count = this.#counts[at * this.#terms + term]!;
          score += (idf[term]! * count * (saturation + 1)) / (count + norm);
        }
        best = Math.max(best, score);
      }
      return best;
    });
  }
}

/** The best rows by score; equal scores in the order of the table. */
export function bestFirst(
  ids: readonly bigint[],
  scores: ArrayLike<number>,
  limit: number,
): { ids: bigint[]; scores: number[] } {
  const order = Uint32Array.from(ids, (_id, row) => row)
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .subarray(0, limit);
  return { ids: Array.from(order, (row) => ids[row]!), scores: Array.from(order, (row) => scores[row]!) };
}

/**
 * Rows that have any of the terms in any of the columns, without an index: Lance looks for them, and what it finds is
 * ranked here. A term is found inside of words too, whatever its case and accents.
 */
export async function scanTexts({
  table,
  columns,
  terms,
  where,
  limit,
  place,
  signal,
}: ScanInput): Promise<TextHits> {
  const pattern = quoteText(terms.map((term) => term.pattern).join('|'));
  const matching = columns
    .map(({ expression }) => `regexp_like(${expression}, ${pattern}, 'i')`)
    .join(' or ');
  const query = table.handle
    .query()
    .where(where === undefined ? matching : `(${where}) and (${matching})`)
    .select({
      _rowid: '_rowid',
      ...Object.fromEntries(columns.map(({ expression }, at) => [`text${at}`, expression])),
    });
  const regexes = terms.map((term) => new RegExp(term.pattern, 'giu'));
  const candidates = new Candidates(terms.length, columns.length);
  for await (const file of filesOfQuery(query, { place, signal })) {
    const batch = arrow.tableFromIPC(file);
    const ids = batch.getChild('_rowid')!.toArray() as BigUint64Array;
    const texts = columns.map((_column, at) => batch.getChild(`text${at}`) as Vector);
    for (let row = 0; row < ids.length; row++)
      candidates.add(
        ids[row]!,
        texts.map((column) => column.get(row) as string | null),
        regexes,
      );
  }
  return {
    ...bestFirst(candidates.ids, candidates.scores(table.facts.rows), limit),
    total: candidates.ids.length,
  };
}
