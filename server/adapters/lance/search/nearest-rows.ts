import type { VectorQuery } from '@lancedb/lancedb';
import type { SearchBody } from '#shared/api/tables.ts';
import { arrow } from '../../../arrow/arrow.ts';
import { type LanceErrorPlace, withLanceErrors } from '../lance-errors.ts';
import type { PinnedTable } from '../pinned-tables.ts';
import { filesOfQuery } from '../rows/files-of-query.ts';
import { assertQueryVector, type VectorColumn } from './query-vector.ts';

export interface NearestInput {
  table: PinnedTable;
  column: VectorColumn;
  vector: Float64Array;
  metric?: SearchBody['metric'];
  where: string | undefined;
  /** Rows that match the filter, or all. */
  matching: number;
  limit: number;
  place: LanceErrorPlace;
  signal: AbortSignal;
}

export interface NearestRows {
  ids: bigint[];
  distances: number[];
  isExact: boolean;
  /** Share of the rows that the index covers; 0 without one. */
  coverage: number;
  metric: string;
  /** The column that was searched in. */
  column: string;
}

/** Up to this many rows a search over all of them takes milliseconds, and finds what an index would miss. */
const exactUpToRows = 20_000;
const probes = 50;
/** So many times the rows that are wanted, and at least so many, are compared exactly after the index has chosen them. */
const refine = 10;
const leastRefined = 200;

interface VectorIndexFacts {
  metric: string;
  coverage: number;
}

async function indexOf({ handle, facts }: PinnedTable, column: string): Promise<VectorIndexFacts | null> {
  const index = facts.indexes.find((candidate) => candidate.column === column && candidate.kind === 'vector');
  if (!index) return null;
  const stats = await handle.indexStats(index.name);
  return { metric: stats?.distanceType?.toLowerCase() ?? 'l2', coverage: index.coverage };
}

/**
 * The rows whose vectors are nearest, by cosine distance unless the column's index was built for another metric. A
 * selective filter goes before an exact search: an index would leave out most of what matches.
 */
export async function findNearest(input: NearestInput): Promise<NearestRows> {
  const { table, column, vector, where, matching, limit, place } = input;
  const index = await withLanceErrors(place, () => indexOf(table, column.name));
  const metric = input.metric ?? index?.metric ?? 'cosine';
  assertQueryVector(vector, column, metric);
  const usesIndex = index !== null && index.metric === metric && matching > exactUpToRows;
  const query = (isExact: boolean): VectorQuery => {
    const nearest = table.handle
      .query()
      .nearestTo(column.isDouble ? vector : Float32Array.from(vector))
      .column(column.name)
      .distanceType(metric as 'cosine')
      .limit(limit)
      .select(['_rowid', '_distance']);
    const filtered = where === undefined ? nearest : nearest.where(where);
    return isExact
      ? filtered.bypassVectorIndex()
      : filtered.nprobes(probes).refineFactor(Math.max(refine, Math.ceil(leastRefined / limit)));
  };
  const facts = { coverage: index?.coverage ?? 0, metric, column: column.name };
  if (usesIndex) {
    const found = await readHits(query(false), input);
    if (found.ids.length >= Math.min(limit, matching)) return { ...found, ...facts, isExact: false };
  }
  return { ...(await readHits(query(true), input)), ...facts, isExact: true };
}

async function readHits(
  query: VectorQuery,
  { place, signal }: NearestInput,
): Promise<{ ids: bigint[]; distances: number[] }> {
  const ids: bigint[] = [];
  const distances: number[] = [];
  for await (const file of filesOfQuery(query, { place, signal })) {
    const table = arrow.tableFromIPC(file);
    ids.push(...(table.getChild('_rowid')!.toArray() as BigUint64Array));
    distances.push(...(table.getChild('_distance')!.toArray() as Float32Array));
  }
  return { ids, distances };
}
