import { AppError } from '#shared/api/problem.ts';
import type { SearchBody } from '#shared/api/tables.ts';
import { wire } from '#shared/api/wire.ts';
import { fuseRanks } from '#shared/domain/fuse-ranks.ts';
import { formatRef } from '#shared/domain/ref.ts';
import type { Facts } from '../../../arrow/ipc.ts';
import type { ByteStream, CallContext } from '../../../ports/call.ts';
import type { Pinned } from '../../../ports/table-reader.ts';
import type { LanceErrorPlace } from '../lance-errors.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { countMatches } from '../rows/count-rows.ts';
import { planColumns } from '../rows/plan-columns.ts';
import type { RowsPlaces } from '../rows/read-rows.ts';
import { findNearest, type NearestRows } from './nearest-rows.ts';
import { chooseVectorColumn, readRowVector } from './query-vector.ts';
import { type RankedTexts, rankTexts } from './rank-texts.ts';
import { type Hit, streamHits } from './result-rows.ts';
import { parseSearchTerms } from './search-terms.ts';
import { chooseTextColumns } from './text-columns.ts';

type SearchInput = Pinned & Omit<SearchBody, 'ref'>;

interface Searching {
  input: SearchInput;
  table: PinnedTable;
  /** Rows that match the filter, or all. */
  matching: number;
  place: LanceErrorPlace;
  signal: AbortSignal;
}

const ownRow = ({ rowId }: SearchInput): bigint | null => (rowId === undefined ? null : BigInt(rowId));

/** Each list of a hybrid search is this many times longer than the result, so that good rows of one are not lost. */
const hybridPool = 4;
const leastPool = 100;

async function searchVectors(
  { input, table, matching, place, signal }: Searching,
  limit: number,
): Promise<NearestRows> {
  const column = chooseVectorColumn(table.facts, input);
  const own = ownRow(input);
  const vector =
    own === null
      ? Float64Array.from(input.vector ?? [])
      : await readRowVector(table, { column, rowId: own, place });
  const found = await findNearest({
    table,
    column,
    vector,
    metric: input.metric,
    where: input.where,
    matching,
    limit: own === null ? limit : limit + 1,
    place,
    signal,
  });
  if (own === null) return found;
  const kept = found.ids
    .map((id, at) => ({ id, distance: found.distances[at]! }))
    .filter(({ id }) => id !== own)
    .slice(0, limit);
  return { ...found, ids: kept.map(({ id }) => id), distances: kept.map(({ distance }) => distance) };
}

async function searchTexts({ input, table, place, signal }: Searching, limit: number): Promise<RankedTexts> {
  const columns = chooseTextColumns(table.facts, input.textColumns);
  const terms = parseSearchTerms(input.text ?? '');
  const own = input.mode === 'hybrid' ? ownRow(input) : null;
  const found = await rankTexts({
    table,
    columns,
    terms,
    where: input.where,
    limit: own === null ? limit : limit + 1,
    place,
    signal,
  });
  if (own === null) return found;
  const at = found.ids.indexOf(own);
  const isOther = (_value: unknown, place_: number) => place_ !== at;
  return {
    ...found,
    ids: found.ids.filter(isOther).slice(0, limit),
    scores: found.scores.filter(isOther).slice(0, limit),
    total: found.total - (at === -1 ? 0 : 1),
  };
}

interface Answer {
  hits: Hit[];
  total: number;
  facts: Facts;
}

const ofRows = ({ matching, table, input }: Searching): string =>
  input.where === undefined ? `all ${table.facts.rows} rows` : `the ${matching} rows that match the filter`;

function vectorFacts({ isExact, coverage, metric, column }: NearestRows): Facts {
  return {
    [wire.exact]: String(isExact),
    [wire.indexCoverage]: String(coverage),
    [wire.metric]: metric,
    [wire.column]: column,
  };
}

async function answerVectors(searching: Searching): Promise<Answer> {
  const found = await searchVectors(searching, searching.input.k);
  const hits = found.ids.map((id, at) => ({
    id,
    distance: found.distances[at]!,
    score: null,
    vectorRank: at + 1,
    textRank: null,
  }));
  return {
    hits,
    total: hits.length,
    facts: { ...vectorFacts(found), [wire.scope]: `nearest ${hits.length} of ${ofRows(searching)}` },
  };
}

const textScope = ({ total, isCapped, isLoose }: RankedTexts, shown: number): string => {
  const count = isCapped ? `more than ${total}` : String(total);
  return `best ${shown} of ${count} rows that ${isLoose ? 'have the words inside of others' : 'match the words'}`;
};

async function answerTexts(searching: Searching): Promise<Answer> {
  const found = await searchTexts(searching, searching.input.k);
  const hits = found.ids.map((id, at) => ({
    id,
    distance: null,
    score: found.scores[at]!,
    vectorRank: null,
    textRank: at + 1,
  }));
  const scope = textScope(found, hits.length);
  return {
    hits,
    total: found.total,
    facts: { [wire.exact]: 'true', [wire.indexCoverage]: String(found.coverage), [wire.scope]: scope },
  };
}

async function answerHybrid(searching: Searching): Promise<Answer> {
  const { k } = searching.input;
  const pool = Math.max(leastPool, k * hybridPool);
  const nearest = await searchVectors(searching, pool);
  const texts = await searchTexts(searching, pool);
  const distances = new Map(nearest.ids.map((id, at) => [id, nearest.distances[at]!]));
  const fused = fuseRanks([nearest.ids, texts.ids]);
  const hits = fused.slice(0, k).map(({ id, score, ranks: [vectorRank = null, textRank = null] }) => ({
    id,
    distance: distances.get(id) ?? null,
    score,
    vectorRank,
    textRank,
  }));
  const facts = {
    ...vectorFacts(nearest),
    [wire.indexCoverage]: String(Math.min(nearest.coverage, texts.coverage)),
    [wire.scope]: `best ${hits.length} of the ${nearest.ids.length} nearest and the ${textScope(texts, texts.ids.length)}`,
  };
  return { hits, total: fused.length, facts };
}

const answers = { vector: answerVectors, text: answerTexts, hybrid: answerHybrid };

/** Similar rows, rows with the words, or both ranks fused; the row that a search starts from is left out. */
export async function searchRows(
  input: SearchInput,
  context: CallContext,
  { home, tables, permutations }: RowsPlaces,
): Promise<ByteStream> {
  const startedAt = performance.now();
  const { signal } = context;
  const table = await tables.open(input, context);
  const plan = planColumns(table.facts, input.columns);
  const taken = plan.columns.find(({ name }) =>
    ['_distance', '_score', '_vector_rank', '_text_rank'].includes(name),
  );
  if (taken)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `“${taken.name}” is a column of every search result.`,
      hint: 'Leave it out of columns.',
    });
  const place = { table: input.table, ref: input.ref, home };
  const matching = await countMatches({ table, permutations, where: input.where, place, signal });
  const { hits, total, facts } = await answers[input.mode]({ input, table, matching, place, signal });
  const all: Facts = {
    [wire.ref]: formatRef(input.ref),
    [wire.total]: String(total),
    [wire.engine]: 'lance',
    [wire.elapsedMs]: (performance.now() - startedAt).toFixed(1),
    ...facts,
  };
  const pinned = { table: input.table, ref: input.ref };
  return { facts: { total }, chunks: streamHits({ pinned, table, plan, hits, facts: all, place, signal }) };
}
