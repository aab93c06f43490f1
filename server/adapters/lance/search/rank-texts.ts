import { BooleanQuery, MatchQuery, MultiMatchQuery, Occur, PhraseQuery } from '@lancedb/lancedb';
import { arrow } from '../../../arrow/arrow.ts';
import { filesOfQuery } from '../rows/files-of-query.ts';
import { bestFirst, type ScanInput, scanTexts, type TextHits } from './scan-texts.ts';
import type { TextColumn } from './text-columns.ts';

export interface RankedTexts extends TextHits {
  /** The least share of the rows that a text index of the columns covers; 0 where one has none. */
  coverage: number;
  /** More rows may match than were counted. */
  isCapped: boolean;
  /** Nothing had the words as the index knows them; these have them inside of other words. */
  isLoose: boolean;
}

const maxIndexHits = 100_000;

function ftsQuery({ terms }: ScanInput, columns: readonly TextColumn[]) {
  const parts = columns.flatMap(({ name }) =>
    terms.map(({ text }) => (/\s/.test(text) ? new PhraseQuery(text, name) : new MatchQuery(text, name))),
  );
  const words = terms.map(({ text }) => text).join(' ');
  const hasPhrase = terms.some(({ text }) => /\s/.test(text));
  const [first] = parts;
  if (!hasPhrase)
    return columns.length === 1
      ? new MatchQuery(words, columns[0]!.name)
      : new MultiMatchQuery(
          words,
          columns.map(({ name }) => name),
        );
  return parts.length === 1 ? first! : new BooleanQuery(parts.map((part) => [Occur.Should, part]));
}

async function askIndex(input: ScanInput, columns: readonly TextColumn[]): Promise<TextHits> {
  const { table, where, place, signal } = input;
  const query = table.handle
    .query()
    .fullTextSearch(ftsQuery(input, columns))
    .select(['_rowid', '_score'])
    .limit(maxIndexHits);
  const ids: bigint[] = [];
  const scores: number[] = [];
  for await (const file of filesOfQuery(where === undefined ? query : query.where(where), {
    place,
    signal,
  })) {
    const batch = arrow.tableFromIPC(file);
    ids.push(...(batch.getChild('_rowid')!.toArray() as BigUint64Array));
    scores.push(...(batch.getChild('_score')!.toArray() as Float32Array));
  }
  return { ids, scores, total: ids.length };
}

function joinHits(lists: readonly TextHits[], limit: number): TextHits {
  const best = new Map<bigint, number>();
  for (const { ids, scores } of lists) {
    for (const [at, id] of ids.entries()) best.set(id, Math.max(best.get(id) ?? 0, scores[at]!));
  }
  const ids = [...best.keys()];
  return { ...bestFirst(ids, [...best.values()], limit), total: ids.length };
}

/**
 * Rows by the words in their texts, best first: by the text index of a column where it has one (with its stems and stop
 * words), else by a scan of it. Where the indexes know nothing of the words, their columns are scanned as well, so that
 * the beginning of a word finds it too.
 */
export async function rankTexts(input: ScanInput): Promise<RankedTexts> {
  const indexed = input.columns.filter(({ coverage }) => coverage !== null);
  const others = input.columns.filter(({ coverage }) => coverage === null);
  const coverage = others.length > 0 ? 0 : Math.min(...indexed.map((column) => column.coverage ?? 0));
  const lists: TextHits[] = [];
  if (indexed.length > 0) lists.push(await askIndex(input, indexed));
  if (others.length > 0)
    lists.push(
      await scanTexts({
        ...input,
        columns: others,
        limit: indexed.length > 0 ? Number.POSITIVE_INFINITY : input.limit,
      }),
    );
  const isCapped = lists.some(({ ids }) => indexed.length > 0 && ids.length >= maxIndexHits);
  const found = lists.length === 1 && others.length > 0 ? lists[0]! : joinHits(lists, input.limit);
  if (found.total > 0 || indexed.length === 0) return { ...found, coverage, isCapped, isLoose: false };
  return { ...(await scanTexts({ ...input, columns: indexed })), coverage, isCapped: false, isLoose: true };
}
