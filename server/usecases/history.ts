import type { VersionInfo } from '#shared/api/tables.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import type { StoredVersion, TableHeads } from '../ports/table-reader.ts';
import { resolveRef } from './resolve-ref.ts';

type HistoryPorts = Pick<Ports, 'reader' | 'store'>;

export interface History {
  ref: PinnedRef;
  versions: VersionInfo[];
  isComplete: boolean;
}

/** The edits of a branch by the version that each sealed, and the versions inside them, which nobody saw. */
interface Sealed {
  byVersion: Map<number, EditRecord>;
  isInside(version: number): boolean;
}

function sealedEdits(edits: EditRecord[]): Sealed {
  const byVersion = new Map(edits.map((edit) => [edit.toVersion, edit]));
  const inside = new Set<number>();
  for (const { fromVersion, toVersion } of edits)
    for (let version = fromVersion + 1; version < toVersion; version++) inside.add(version);
  return { byVersion, isInside: (version) => inside.has(version) };
}

function toVersionInfo(
  branch: string,
  { version, at, kind, rows }: StoredVersion,
  edit: EditRecord | undefined,
): VersionInfo {
  return {
    version,
    branch,
    at,
    author: edit?.author ?? null,
    message: edit?.message ?? null,
    kind: edit?.kind ?? kind,
    rows: edit?.changed ?? rows,
    editId: edit?.id ?? null,
    mergedFrom: edit?.mergedFrom ?? null,
  };
}

/** The branch at a version, then what it was forked from, and so on to main. */
function lineOf(
  { branches }: TableHeads,
  { branch, version }: PinnedRef,
  branchCreatedAt: string,
): { branch: string; createdAt: string; from: number }[] {
  const line: { branch: string; createdAt: string; from: number }[] = [];
  let next: PinnedRef | null = { branch, version };
  while (next && line.every((step) => step.branch !== next?.branch)) {
    const at: PinnedRef = next;
    const head = branches.find(({ name }) => name === at.branch);
    // A branch that is deleted and kept for what points at it is in no list; its edits are under the time it was made.
    const createdAt = head ? head.createdAt : at.branch === branch ? branchCreatedAt : null;
    line.push({ branch: at.branch, createdAt: createdAt ?? '', from: at.version });
    next = head?.parent
      ? { branch: head.parent.branch, version: Math.min(head.parent.version, at.version) }
      : null;
  }
  return line;
}

/**
 * Versions from a ref down, newest first, through the branches that it was forked from. What one sealed edit wrote in
 * several Lance versions is one step; versions of other programs have no author and no message.
 */
export async function readHistory(
  ports: HistoryPorts,
  { table, ref: refText, limit, before }: { table: string; ref: string; limit: number; before?: number },
  context: CallContext,
): Promise<History> {
  const { ref, heads, uuid, branchCreatedAt } = await resolveRef(ports, table, refText, context);
  const versions: VersionInfo[] = [];
  let below = Math.min(before ?? Number.POSITIVE_INFINITY, ref.version + 1);
  for (const { branch, createdAt, from } of lineOf(heads, ref, branchCreatedAt)) {
    const sealed = sealedEdits(
      ports.store.listEdits({ tableUuid: uuid, branch, branchCreatedAt: createdAt }),
    );
    below = Math.min(below, from + 1);
    for (let isDone = false; !isDone; ) {
      const page = await ports.reader.versions(
        { table, branch, before: below, limit: limit - versions.length + 1 },
        context,
      );
      for (const stored of page.versions) {
        if (sealed.isInside(stored.version)) continue;
        if (versions.length === limit) return { ref, versions, isComplete: false };
        versions.push(toVersionInfo(branch, stored, sealed.byVersion.get(stored.version)));
      }
      isDone = page.isComplete || page.versions.length === 0;
      below = Math.min(below, page.versions.at(-1)?.version ?? below);
    }
  }
  return { ref, versions, isComplete: true };
}
