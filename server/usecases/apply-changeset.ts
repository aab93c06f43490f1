import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { AppError, isAppError } from '#shared/api/problem.ts';
import type { RowCounts } from '#shared/domain/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { EditRecord, OpenGroup } from '../ports/studio-store.ts';
import type { Applied, Changeset } from '../ports/table-writer.ts';
import type { ResolvedRef } from './resolve-ref.ts';

export type ApplyPorts = Pick<Ports, 'writer' | 'store' | 'now'>;

/** Where a change goes: a branch at the head that it was planned against, as `resolveRef` gives it. */
export interface ChangeTarget {
  table: string;
  uuid: string;
  branchCreatedAt: string;
  head: PinnedRef;
  /** Whoever asked said which head is meant. */
  isExact?: boolean;
}

/** What the edit log keeps of a change. */
export interface ChangeNote {
  /** edit, undo, merge, rebase, cherry-pick, revert, restore, … */
  kind: string;
  author: string;
  message: string | null;
  undoes?: string;
  mergedFrom?: PinnedRef;
  mergeBase?: PinnedRef;
  detail?: unknown;
  /** What counts as changed, where the work cannot tell: it counts the cells of an added column as updated rows, say. */
  planned?: RowCounts;
}

/** A resolved branch as the target of a change. */
export const toTarget = ({ table, uuid, branchCreatedAt, ref }: ResolvedRef): ChangeTarget => ({
  table,
  uuid,
  branchCreatedAt,
  head: ref,
});

export interface AppliedChange {
  version: number;
  changed: RowCounts;
  /** Empty when nothing had to be changed: then there is no new version and nothing to undo. */
  editId: string;
}

/**
 * Applies a changeset as one step of a branch: readers see the branch as before until the last Lance version of it is
 * sealed together with its record. The caller holds the table's turn. HEAD_MOVED when the branch is not at
 * `target.head` any more. Once begun it is not given up when the request is: a crash is settled at the next start.
 */
export async function applyChangeset(
  ports: ApplyPorts,
  { target, changeset, note }: { target: ChangeTarget; changeset: Changeset; note: ChangeNote },
  context: CallContext,
): Promise<AppliedChange> {
  if (isEmptyChangeset(changeset))
    return { version: target.head.version, changed: { inserted: 0, updated: 0, deleted: 0 }, editId: '' };
  const { isExact } = target;
  const work: Work = (input, begun) => ports.writer.apply({ ...input, changeset, isExact }, begun);
  return runGroup(ports, { target, note, redo: serialize(changeset), work }, context);
}

/** True when applying it would write nothing. */
export function isEmptyChangeset({
  addColumns,
  dropColumns,
  renameColumns,
  retypeColumns = null,
  setFacts = {},
  updates,
  inserts,
  deletes,
}: Changeset): boolean {
  return (
    addColumns === null &&
    retypeColumns === null &&
    deletes === null &&
    Object.keys(setFacts).length === 0 &&
    [dropColumns, renameColumns, updates, inserts].every((list) => list.length === 0)
  );
}

type Work = (input: { table: string; head: PinnedRef }, begun: CallContext) => Promise<Applied>;

interface GroupInput {
  target: ChangeTarget;
  note: ChangeNote;
  /** The changeset, serialised: what finishes the work when it fails half way. Null for work that is one Lance version. */
  redo: Uint8Array | null;
  work: Work;
}

/** Runs work that writes to a branch inside a journal group. */
export async function runGroup(
  ports: ApplyPorts,
  { target, note, redo, work }: GroupInput,
  context: CallContext,
): Promise<AppliedChange> {
  const { table, uuid, branchCreatedAt, head } = target;
  const id = randomUUID();
  if (await settleBranch(ports, target))
    throw new AppError({
      code: 'HEAD_MOVED',
      message: `An earlier change of ${head.branch} of ${table} had to be finished first.`,
      hint: 'Try again.',
    });
  context.signal.throwIfAborted();
  if (redo !== null) await ports.store.keepRedo(id, redo, context.signal);
  const group: OpenGroup = {
    id,
    table,
    tableUuid: uuid,
    branch: head.branch,
    branchCreatedAt,
    fromVersion: head.version,
    kind: note.kind,
    plan: note,
    at: ports.now().toISOString(),
  };
  ports.store.openGroup(group);
  const begun: CallContext = { signal: new AbortController().signal, onProgress: context.onProgress };
  try {
    return seal(ports, group, await work({ table, head }, begun));
  } catch (error) {
    if (isAppError(error) && error.code === 'HEAD_MOVED') {
      ports.store.dropGroup(id);
      throw error;
    }
    const settled = await settleGroup(ports, group, begun).catch(() => {
      throw error;
    });
    if (settled) return settled;
    throw error;
  }
}

/**
 * Finishes a group that was left open, or forgets it when nothing of it had landed (`null`). Safe to do again. Throws
 * when it cannot tell or cannot write: the group stays open, and the branch is shown as it was before it.
 */
export async function settleGroup(
  ports: ApplyPorts,
  group: OpenGroup,
  context: CallContext,
): Promise<AppliedChange | null> {
  const redo = ports.store.readRedo(group.id);
  const settled = await ports.writer.settle(
    {
      table: group.table,
      head: { branch: group.branch, version: group.fromVersion },
      changeset: redo === null ? null : (deserialize(redo) as Changeset),
    },
    context,
  );
  if (settled.state === 'finished') return seal(ports, group, settled);
  ports.store.dropGroup(group.id);
  return null;
}

/**
 * A change that could not be settled when it failed is settled before the next one. True when there was one: then the
 * head is another.
 */
export async function settleBranch(
  ports: ApplyPorts,
  { uuid, branchCreatedAt, head }: ChangeTarget,
): Promise<boolean> {
  const left = ports.store
    .listOpenGroups(uuid)
    .filter((group) => group.branch === head.branch && group.branchCreatedAt === branchCreatedAt);
  for (const group of left) {
    await settleGroup(ports, group, { signal: new AbortController().signal }).catch((error: unknown) => {
      throw unfinished(group, error);
    });
  }
  return left.length > 0;
}

const unfinished = ({ table, branch, fromVersion }: OpenGroup, cause: unknown): AppError =>
  new AppError({
    code: isAppError(cause) ? cause.code : 'INTERNAL',
    message: `An earlier change of ${branch} of ${table} could not be finished${isAppError(cause) ? `: ${cause.message}` : '.'}`,
    hint: `The branch is shown as it was before it. Mend what is said, or go on from a new branch at ${branch}:${fromVersion}.`,
    cause,
  });

function seal(ports: ApplyPorts, group: OpenGroup, applied: Applied): AppliedChange {
  const note = group.plan as ChangeNote;
  const { version } = applied;
  const changed = note.planned ?? applied.changed;
  const record: EditRecord = {
    id: group.id,
    tableUuid: group.tableUuid,
    branch: group.branch,
    branchCreatedAt: group.branchCreatedAt,
    kind: note.kind,
    fromVersion: applied.onto ?? group.fromVersion,
    toVersion: version,
    author: note.author,
    message: note.message,
    changed,
    at: ports.now().toISOString(),
    undoes: note.undoes ?? null,
    mergedFrom: note.mergedFrom ?? null,
    mergeBase: note.mergeBase ?? null,
    detail: note.detail ?? null,
  };
  ports.store.sealGroup(group.id, record);
  return { version, changed, editId: group.id };
}
