import type { QueryClient } from '@tanstack/react-query';
import type { EditResult } from '#shared/api/edits.ts';
import type { Session } from '#shared/api/session.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import { callJson, queryKeys } from '../../api/index.ts';
import { showDone } from '../../state/undo.ts';
import { describeEdit } from './model/describe-edit.ts';
import { headOf, hidePending, pendingCellsOf, rememberHead, showPending } from './store.ts';

export interface EditTarget {
  client: QueryClient;
  table: string;
  branch: string;
  /** Of the rows that are on the screen. */
  version: number;
}

export interface EditRequest {
  op: EditOp;
  /** Rows that the op is for, for its name. */
  count: number;
  /** Goes ahead although others have changed the branch meanwhile. */
  isForced?: boolean;
}

/** Edits of one branch go one after the other, so that each is made against the head that the one before left. */
const queues = new Map<string, Promise<unknown>>();

function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(key) ?? Promise.resolve()).then(work, work);
  queues.set(
    key,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Makes one edit: shown at once, kept as one step, with Undo. Throws AppError; then nothing is shown as changed. */
export async function submitEdit(
  target: EditTarget,
  { op, count, isForced }: EditRequest,
): Promise<EditResult> {
  const { table, branch } = target;
  const label = describeEdit(op, count);
  const pending = pendingCellsOf(op, null);
  showPending(table, branch, pending);
  try {
    const result = await inTurn(`${table}/${branch}`, async () => {
      const made = await callJson('edit', {
        params: { table },
        body: {
          branch,
          message: label,
          ops: [op],
          ...(isForced ? {} : { expectedVersion: headOf(table, branch, target.version) }),
        },
      });
      rememberHead(table, branch, made.version);
      return made;
    });
    showPending(table, branch, pendingCellsOf(op, result.version));
    await moveHead(target, result);
    offerUndo(target, label, result.editId);
    return result;
  } catch (error) {
    hidePending(table, branch, pending);
    throw error;
  }
}

function offerUndo(target: EditTarget, label: string, firstEditId: string): void {
  let editId = firstEditId;
  const takeBack = async () => {
    editId = (await undoEdit(target, editId)).editId;
  };
  showDone({ label: `${label} · ${target.branch}`, undo: takeBack, redo: takeBack });
}

/** Takes an edit back by its inverse; taking that back does it again. */
export async function undoEdit(target: EditTarget, editId: string): Promise<EditResult> {
  const { table, branch } = target;
  const result = await inTurn(`${table}/${branch}`, async () => {
    const made = await callJson('undo', { params: { table }, body: { branch, editId } });
    rememberHead(table, branch, made.version);
    return made;
  });
  await moveHead(target, result);
  return result;
}

/**
 * Tells the cached facts that the branch has a new head, so that only its rows are asked again. What cannot be told
 * from the answer is marked stale and asked when it is next needed.
 */
async function moveHead(
  { client, table, branch }: EditTarget,
  { version, changed }: EditResult,
): Promise<void> {
  const updatedAt = new Date().toISOString();
  const grown = changed.inserted - changed.deleted;
  client.setQueryData<Session>(
    queryKeys.session,
    (session) =>
      session && {
        ...session,
        tables: session.tables.map((one) =>
          one.name === table
            ? {
                ...one,
                updatedAt,
                branches: one.branches.map((head) =>
                  head.name === branch ? { ...head, version, updatedAt } : head,
                ),
                rows: branch === 'main' ? one.rows + grown : one.rows,
              }
            : one,
        ),
      },
  );
  client.setQueryData<TableDetail>(
    queryKeys.describe(table, branch),
    (detail) =>
      detail && {
        ...detail,
        ref: { branch, version },
        rows: detail.rows + grown,
        branches: detail.branches.map((head) =>
          head.name === branch ? { ...head, version, updatedAt } : head,
        ),
      },
  );
  await client.invalidateQueries({
    queryKey: queryKeys.table(table),
    predicate: ({ queryKey }) => queryKey[2] !== 'describe' && queryKey[2] !== 'rows',
  });
}
