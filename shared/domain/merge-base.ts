import type { PinnedRef } from './ref.ts';

/** A branch as a line of versions: it begins where it left its parent and carries its parent's numbers on. */
export interface BranchLine {
  name: string;
  /** `null` for main. */
  parent: PinnedRef | null;
}

/** At `version` of `branch`, all that `from` held was brought in. */
export interface MergeLink {
  branch: string;
  version: number;
  from: PinnedRef;
  /** Versions of the branch, `from` inclusive to `to` exclusive, in which the merge is taken back by an undo or a revert. */
  voided: { from: number; to: number }[];
}

/** At `version`, `branch` was made as `ref` again: what lay between is no longer part of it. */
export interface RestoreLink {
  branch: string;
  version: number;
  ref: PinnedRef;
}

export interface RefGraph {
  branches: BranchLine[];
  merges: MergeLink[];
  restores: RestoreLink[];
}

/** A stretch of a branch in which every version follows from the one before. */
interface Segment {
  id: number;
  branch: string;
  first: number;
  last: number;
  parent: PinnedRef | null;
}

/** Per segment, the newest version that is reached; the older ones of the segment are reached with it. */
type Reach = Map<Segment, number>;

/**
 * The merge base of two pinned refs: their best common ancestor through forks, merges and restores. On one branch it is
 * the older of the two. Where several ancestors are best (a criss-cross: each branch merged the other before they parted
 * again), the newest by version number is taken, then the one on the line of `from`: any of them is safe, since a change
 * that both sides have made is no conflict. `null` when the refs have nothing in common.
 */
export function findBase(graph: RefGraph, from: PinnedRef, into: PinnedRef): PinnedRef | null {
  const segments = cutSegments(graph);
  const fromReach = reachOf(graph, segments, from);
  const intoReach = reachOf(graph, segments, into);
  const common: { segment: Segment; ref: PinnedRef }[] = [];
  for (const [segment, version] of fromReach) {
    const other = intoReach.get(segment);
    if (other !== undefined)
      common.push({ segment, ref: { branch: segment.branch, version: Math.min(version, other) } });
  }
  const best = common.filter(({ segment, ref }) =>
    common.every((rival) => {
      if (rival.segment === segment) return true;
      return (reachOf(graph, segments, rival.ref).get(segment) ?? -1) < ref.version;
    }),
  );
  best.sort(
    (a, b) =>
      b.ref.version - a.ref.version ||
      Number(b.ref.branch === from.branch) - Number(a.ref.branch === from.branch) ||
      (a.ref.branch < b.ref.branch ? -1 : 1),
  );
  return best[0]?.ref ?? null;
}

function cutSegments({ branches, restores }: RefGraph): Segment[] {
  const segments: Segment[] = [];
  for (const { name, parent } of branches) {
    const cuts = restores.filter(({ branch }) => branch === name).sort((a, b) => a.version - b.version);
    let first = parent ? parent.version : 0;
    let origin = parent;
    for (const cut of cuts) {
      segments.push({ id: segments.length, branch: name, first, last: cut.version - 1, parent: origin });
      first = cut.version;
      origin = cut.ref;
    }
    segments.push({
      id: segments.length,
      branch: name,
      first,
      last: Number.POSITIVE_INFINITY,
      parent: origin,
    });
  }
  return segments;
}

function reachOf(graph: RefGraph, segments: Segment[], start: PinnedRef): Reach {
  const reach: Reach = new Map();
  const waiting = [start];
  for (let ref = waiting.pop(); ref; ref = waiting.pop()) {
    const { branch, version } = ref;
    const segment = segments.find(
      (each) => each.branch === branch && version >= each.first && version <= each.last,
    );
    if (!segment || (reach.get(segment) ?? -1) >= version) continue;
    reach.set(segment, version);
    if (segment.parent) waiting.push(segment.parent);
    for (const merge of graph.merges) {
      const isInside = merge.branch === branch && merge.version >= segment.first && merge.version <= version;
      if (isInside && !merge.voided.some((gap) => version >= gap.from && version < gap.to))
        waiting.push(merge.from);
    }
  }
  return reach;
}
