import type { Conflict, EditResult } from '#shared/api/edits.ts';
import { AppError, notFound } from '#shared/api/problem.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import { applyChangeset, type ChangeTarget } from './apply-changeset.ts';
import { resolveWritable } from './edit-table.ts';
import { withTableTurn } from './table-turns.ts';

type UndoPorts = Pick<Ports, 'reader' | 'writer' | 'diff' | 'store' | 'now'>;

export interface UndoInput {
  table: string;
  branch: string;
  /** The newest that is not undone yet, unless named. Undoing an undo does the edit again. */
  editId?: string;
  author: string;
}

/**
 * Takes an edit back by its inverse, as a new version: the way from after it to before it is merged onto the head.
 * CONFLICT lists the cells that were changed again since, and when there is nothing to undo.
 */
export async function undoEdit(
  ports: UndoPorts,
  input: UndoInput,
  context: CallContext,
): Promise<EditResult> {
  return withTableTurn(input.table, context.signal, async () => {
    const target = await resolveWritable(ports, input, context);
    const edit = findEdit(ports, target, input);
    const { branch } = target.head;
    const plan = await ports.diff.planMerge(
      {
        table: target.table,
        base: { branch, version: edit.toVersion },
        from: { branch, version: edit.fromVersion },
        into: target.head,
        byRowId: true,
      },
      context,
    );
    if (plan.status === 'conflicts') throw conflicted(edit, plan.conflicts, plan.conflictCount);
    if (plan.status === 'up-to-date' || !plan.changeset)
      throw new AppError({
        code: 'CONFLICT',
        message: `${nameOf(edit)} has nothing left to take back: its cells are as they were before it.`,
      });
    const message = `${edit.kind === 'undo' ? 'Did again' : 'Undid'}: ${subjectOf(edit)}`;
    const note = { kind: 'undo', author: input.author, message, undoes: edit.id };
    return applyChangeset(ports, { target, changeset: plan.changeset, note }, context);
  });
}

const nameOf = ({ message }: EditRecord): string => (message ? `“${message}”` : 'The edit');

/** What the edit was about, without the words that earlier undos put before it. */
const subjectOf = ({ message, kind }: EditRecord): string =>
  (message ?? kind).replace(/^(?:Undid|Did again): /, '');

function findEdit(
  { store }: Pick<Ports, 'store'>,
  { table, uuid, branchCreatedAt, head }: ChangeTarget,
  { editId }: UndoInput,
): EditRecord {
  const edits = store.listEdits({ tableUuid: uuid, branch: head.branch, branchCreatedAt });
  const undone = undoneIds(edits);
  if (editId === undefined) {
    const edit = edits.find(
      ({ id, kind, fromVersion, toVersion }) => kind !== 'undo' && fromVersion < toVersion && !undone.has(id),
    );
    if (edit) return edit;
    throw new AppError({
      code: 'CONFLICT',
      message: `There is nothing to undo on ${head.branch} of ${table}.`,
      hint:
        edits.length === 0
          ? 'Nothing has been edited here yet.'
          : 'Everything that was edited here is undone.',
    });
  }
  const edit = edits.find(({ id }) => id === editId);
  if (!edit)
    throw notFound(
      `The edit ${editId} of ${head.branch} of ${table}`,
      'The history of the branch lists its edits.',
    );
  if (!undone.has(edit.id)) return edit;
  throw new AppError({
    code: 'CONFLICT',
    message: `${nameOf(edit)} is undone already.`,
    hint: 'Undo the undo to do it again.',
  });
}

/** Edits that an undo took back that is not itself undone. `edits` has the newest first. */
export function undoneIds(edits: readonly Pick<EditRecord, 'id' | 'undoes'>[]): Set<string> {
  const undone = new Set<string>();
  for (const { id, undoes } of edits) if (undoes !== null && !undone.has(id)) undone.add(undoes);
  return undone;
}

function conflicted(edit: EditRecord, conflicts: readonly Conflict[], count: number): AppError {
  return new AppError({
    code: 'CONFLICT',
    message: `${nameOf(edit)} cannot be undone: ${count} ${count === 1 ? 'cell was' : 'cells were'} changed again since.`,
    hint: 'Undo the later edits first, or set the cells by hand.',
    issues: conflicts.map(({ key, column, kind, into, from }) => ({
      path: `${JSON.stringify(key)}${column === null ? '' : `.${column}`}`,
      message:
        kind === 'cell'
          ? `it is ${JSON.stringify(into)} now and would go back to ${JSON.stringify(from)}`
          : kind === 'removed-modified'
            ? 'the row that the edit added has been changed since'
            : 'the row has been changed on both sides',
    })),
  });
}
