import * as z from 'zod';
import { findBase, type MergeLink, type RefGraph, type RestoreLink } from '#shared/domain/merge-base.ts';
import { PinnedRef } from '#shared/domain/ref.ts';
import type { Ports } from '../ports/index.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import type { BranchHead, TableHeads } from '../ports/table-reader.ts';

export interface FindBaseInput {
  heads: TableHeads;
  from: PinnedRef;
  into: PinnedRef;
}

/** The merge base of two pinned refs of a table, from its branches and from the edit log's merges and restores. */
export function findMergeBase(
  ports: Pick<Ports, 'store'>,
  { heads, from, into }: FindBaseInput,
): PinnedRef | null {
  return findBase(readRefGraph(ports, heads, [from.branch, into.branch]), from, into);
}

/** The branches that can be reached from some, and what the edit log says about them. */
function readRefGraph(
  { store }: Pick<Ports, 'store'>,
  heads: TableHeads,
  names: readonly string[],
): RefGraph {
  const graph: RefGraph = { branches: [], merges: [], restores: [] };
  const waiting = [...names];
  const seen = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const head = heads.branches.find((branch) => branch.name === name);
    if (!head || seen.has(name)) continue;
    seen.add(name);
    const edits = store.listEdits({
      tableUuid: heads.uuid,
      branch: name,
      branchCreatedAt: head.createdAt ?? '',
    });
    const merges = mergesOf(edits, heads.branches);
    graph.branches.push({ name, parent: head.parent });
    graph.merges.push(...merges);
    graph.restores.push(...restoresOf(edits));
    waiting.push(...merges.map(({ from }) => from.branch), ...(head.parent ? [head.parent.branch] : []));
  }
  return graph;
}

/** When the branch that was merged was made; empty for main. */
const MergeDetail = z.object({ fromCreatedAt: z.string() });
const RestoreDetail = z.object({ ref: PinnedRef });
const RevertDetail = z.object({ versions: z.array(z.number()) });

function restoresOf(edits: readonly EditRecord[]): RestoreLink[] {
  return edits.flatMap(({ kind, branch, toVersion: version, detail }) => {
    const parsed = RestoreDetail.safeParse(detail);
    return kind === 'restore' && parsed.success ? [{ branch, version, ref: parsed.data.ref }] : [];
  });
}

function mergesOf(edits: readonly EditRecord[], branches: readonly BranchHead[]): MergeLink[] {
  return edits.flatMap((edit) => {
    const { mergedFrom: from, branch, toVersion: version } = edit;
    if (!from || isOfEarlierBranch(edit, from, branches)) return [];
    return [{ branch, version, from, voided: takenBack(edit, edits) }];
  });
}

/** The name that was merged has been given to another branch since. */
function isOfEarlierBranch(
  { detail }: EditRecord,
  from: PinnedRef,
  branches: readonly BranchHead[],
): boolean {
  const parsed = MergeDetail.safeParse(detail);
  const head = branches.find(({ name }) => name === from.branch);
  return parsed.success && head !== undefined && (head.createdAt ?? '') !== parsed.data.fromCreatedAt;
}

interface Span {
  from: number;
  to: number;
}

/** The versions in which an edit is taken back: from an undo or revert of it on, until that is undone itself. */
function takenBack(edit: EditRecord, edits: readonly EditRecord[]): Span[] {
  return edits
    .filter((other) => other.undoes === edit.id || isRevertOf(other, edit))
    .flatMap((other) =>
      minus({ from: other.toVersion, to: Number.POSITIVE_INFINITY }, takenBack(other, edits)),
    );
}

function isRevertOf({ kind, detail, toVersion }: EditRecord, edit: EditRecord): boolean {
  const parsed = RevertDetail.safeParse(detail);
  return (
    kind === 'revert' &&
    toVersion > edit.toVersion &&
    parsed.success &&
    parsed.data.versions.includes(edit.toVersion)
  );
}

function minus(span: Span, gaps: readonly Span[]): Span[] {
  const spans: Span[] = [];
  let start = span.from;
  for (const gap of [...gaps].sort((a, b) => a.from - b.from)) {
    if (gap.from > start) spans.push({ from: start, to: gap.from });
    start = Math.max(start, gap.to);
  }
  if (start < span.to) spans.push({ from: start, to: span.to });
  return spans;
}
