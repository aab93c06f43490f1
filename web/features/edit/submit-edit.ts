import type { QueryClient } from '@tanstack/react-query';
import type { EditResult } from '#shared/api/edits.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import { callJson, moveHead } from '../../api/index.ts';
import { hidePending, showPending } from '../../state/pending-cells.ts';
import { showDone } from '../../state/undo.ts';
import { guardUnsaved } from '../../state/unsaved.ts';
import { showToast } from '../../ui/index.ts';
import { describeDone } from './model/describe-edit.ts';
import { pendingCellsOf } from './model/shown-value.ts';
import { headOf, rememberHead } from './store.ts';

export interface EditTarget {
  client: QueryClient;
  table: string;
  branch: string;
  /** Of the rows that are on the screen. */
  version: number;
  columns: readonly Pick<ColumnInfo, 'name' | 'type'>[];
  /** The screen shows another branch until the edit is made. */
  isElsewhere?: boolean;
}

export interface EditRequest {
  op: EditOp;
  /** Rows that the op is for, for its name. */
  count: number;
  /** What the step is called; told from the op without it. */
  label?: string;
  /** Goes ahead although others have changed the branch meanwhile. */
  isForced?: boolean;
}

/**
 * Edits of one branch go one after the other, so that each is made against the head that the one before left. They are
 * shown before they are made, so leaving the page meanwhile is asked about.
 */
const queues = new Map<string, Promise<unknown>>();

function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = guardUnsaved((queues.get(key) ?? Promise.resolve()).then(work, work));
  queues.set(
    key,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Makes one edit: shown at once, kept as one step, with Undo. Throws AppError; then nothing is shown as changed. */
export async function submitEdit(
  target: EditTarget,
  { op, count, label: given, isForced }: EditRequest,
): Promise<EditResult> {
  const { table, branch } = target;
  const label = given ?? describeDone(op, count);
  const cells = pendingCellsOf(op, target.columns);
  const at = (version: number | null) => cells.map((cell) => ({ ...cell, version }));
  showPending(table, branch, at(null));
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
    if (result.editId === '') {
      hidePending(table, branch, at(null));
      showToast(`Nothing changed on ${branch}: the rows were so already`);
      return result;
    }
    showPending(table, branch, at(result.version));
    await landed(target, result, 1);
    const { updated, inserted, deleted } = result.changed;
    const touched = updated + inserted + deleted;
    offerUndo({ ...target, isElsewhere: false }, given ?? describeDone(op, touched || count), result.editId);
    return result;
  } catch (error) {
    hidePending(table, branch, at(null));
    throw error;
  }
}

function offerUndo(target: EditTarget, label: string, firstEditId: string): void {
  let editId = firstEditId;
  const takeBack = (steps: 1 | -1) => async () => {
    editId = (await undoEdit(target, editId, steps)).editId;
  };
  showDone({ label: `${label} · ${target.branch}`, undo: takeBack(-1), redo: takeBack(1) });
}

/** Takes an edit back by its inverse; taking that back does it again. */
export async function undoEdit(target: EditTarget, editId: string, steps: 1 | -1 = -1): Promise<EditResult> {
  const { table, branch } = target;
  const result = await inTurn(`${table}/${branch}`, async () => {
    const made = await callJson('undo', { params: { table }, body: { branch, editId } });
    rememberHead(table, branch, made.version);
    return made;
  });
  await landed(target, result, steps);
  return result;
}

const landed = (
  { client, table, branch, isElsewhere }: EditTarget,
  { version, changed }: EditResult,
  steps: 1 | -1,
): Promise<void> =>
  moveHead(client, {
    table,
    branch,
    version,
    addedRows: changed.inserted - changed.deleted,
    steps,
    isElsewhere,
  });
