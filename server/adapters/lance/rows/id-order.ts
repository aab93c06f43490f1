import type { Pinned } from '../../../ports/table-reader.ts';
import type { LanceHome } from '../connect.ts';
import type { Fragment, Manifest } from '../manifest/manifest.ts';
import { readDeletedOffsets, readManifest } from '../manifest/read-manifest.ts';
import { type RowIdSegment, readRowIds } from '../manifest/row-ids.ts';

/** Ids one after the other. */
interface Run {
  start: number;
  length: number;
}

/** The live rows of a table by their ids. */
export interface IdOrder {
  count: number;
  /** Ids at positions `offset` to `offset + limit`, fewer at the end. */
  ids(offset: number, limit: number): BigUint64Array;
  /** The position of an id; null where it is not among them. */
  positionOf(id: bigint): number | null;
}

/** The ids of a piece of a fragment without those of deleted rows, as runs. */
function* runsOf(segment: RowIdSegment, first: number, deleted: Uint32Array, from: number): Generator<Run> {
  if ('ids' in segment) {
    let next = from;
    for (let i = 0; i < segment.length; i++) {
      while (next < deleted.length && deleted[next]! < first + i) next++;
      if (deleted[next] !== first + i) yield { start: segment.ids[i]!, length: 1 };
    }
    return;
  }
  let at = 0;
  for (let next = from; next < deleted.length && deleted[next]! < first + segment.length; next++) {
    const gap = deleted[next]! - first;
    if (gap > at) yield { start: segment.start + at, length: gap - at };
    at = gap + 1;
  }
  if (segment.length > at) yield { start: segment.start + at, length: segment.length - at };
}

/** The position of the first deleted offset that is not before `offset`. */
function firstFrom(deleted: Uint32Array, offset: number): number {
  let [low, high] = [0, deleted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (deleted[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* runsOfFragment({ rowIds }: Fragment, deleted: Uint32Array): Generator<Run> {
  let first = 0;
  for (const segment of readRowIds(rowIds!).segments) {
    yield* runsOf(segment, first, deleted, firstFrom(deleted, first));
    first += segment.length;
  }
}

/** Runs that touch as one; `isAscending` says whether they came in order. */
function joinRuns(runs: Iterable<Run>): { runs: Run[]; isAscending: boolean } {
  const joined: Run[] = [];
  let isAscending = true;
  for (const run of runs) {
    const last = joined.at(-1);
    if (last && last.start + last.length === run.start) last.length += run.length;
    else {
      if (last && run.start < last.start) isAscending = false;
      joined.push({ ...run });
    }
  }
  return { runs: joined, isAscending };
}

/** The order over runs that are sorted and do not overlap. */
export function orderOfRuns(runs: readonly Run[]): IdOrder {
  const starts = new Float64Array(runs.length + 1);
  runs.forEach(({ length }, i) => {
    starts[i + 1] = starts[i]! + length;
  });
  const count = starts[runs.length]!;
  /** The last run that `isAtOrBefore` holds for; the first where it holds for none. */
  const lastRun = (isAtOrBefore: (run: number) => boolean): number => {
    let [low, high] = [0, Math.max(0, runs.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (isAtOrBefore(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    count,
    positionOf(id) {
      const run = lastRun((at) => BigInt(runs[at]!.start) <= id);
      const at = runs.length === 0 ? -1 : Number(id) - runs[run]!.start;
      return at >= 0 && at < runs[run]!.length ? starts[run]! + at : null;
    },
    ids(offset, limit) {
      const ids = new BigUint64Array(Math.max(0, Math.min(limit, count - offset)));
      let low = lastRun((at) => starts[at]! <= offset);
      for (let i = 0; i < ids.length; i++) {
        while (offset + i >= starts[low + 1]!) low++;
        ids[i] = BigInt(runs[low]!.start + offset + i - starts[low]!);
      }
      return ids;
    },
  };
}

const canTell = ({ hasStableRowIds, fragments }: Manifest): boolean =>
  hasStableRowIds && fragments.every(({ rowIds }) => rowIds !== null);

/** The live rows of a table by id. */
export interface TableIds {
  order: IdOrder;
  /** The rows lie in this order. */
  isStored: boolean;
}

/** With more runs the index of ids that Lance makes for itself is no longer small. */
const maxStoredRuns = 10_000;

/**
 * Which ids the rows of a table have. Read from the manifest, so that it costs what was changed, not what there is.
 * `null`: the table has no stable ids, or its rows lie in order with very many gaps.
 */
export async function readTableIds(home: LanceHome, { table, ref }: Pinned): Promise<TableIds | null> {
  const manifest = await readManifest(home, table, ref);
  if (!manifest || !canTell(manifest)) return null;
  const all: Run[] = [];
  for (const fragment of manifest.fragments) {
    const deleted = await readDeletedOffsets(home, { table, ref, manifest, fragment });
    for (const run of runsOfFragment(fragment, deleted)) all.push(run);
  }
  const { runs, isAscending } = joinRuns(all);
  if (!isAscending)
    return { order: orderOfRuns(joinRuns(runs.sort((a, b) => a.start - b.start)).runs), isStored: false };
  return runs.length > maxStoredRuns ? null : { order: orderOfRuns(runs), isStored: true };
}

/**
 * The order of the rows of a table by id, where it is not the order in which they lie: an update moves rows to the
 * end, but whoever looks at a table wants a row to stay where it was. `null`: the rows lie in order, or the table has
 * no stable ids.
 */
export async function readIdOrder(home: LanceHome, pinned: Pinned): Promise<IdOrder | null> {
  const ids = await readTableIds(home, pinned);
  return ids && !ids.isStored ? ids.order : null;
}
