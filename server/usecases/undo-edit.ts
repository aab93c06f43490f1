import type { Conflict, EditResult } from '#shared/api/edits.ts';
import { AppError, notFound } from '#shared/api/problem.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import { applyChangeset, type ChangeTarget, isEmptyChangeset } from './apply-changeset.ts';
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
    const { edits, isNamed } = findEdits(ports, target, input);
    for (const edit of edits) {
      const plan = await planUndo(ports, target, edit, context);
      if (plan.status === 'conflicts') throw conflicted(edit, plan.conflicts, plan.conflictCount);
      const { changeset } = plan;
      if (plan.status === 'up-to-date' || changeset === null || isEmptyChangeset(changeset)) {
        if (isNamed) throw nothingLeft(edit);
        continue;
      }
      const message = `${edit.kind === 'undo' ? 'Did again' : 'Undid'}: ${subjectOf(edit)}`;
      const note = { kind: 'undo', author: input.author, message, undoes: edit.id };
      return applyChangeset(ports, { target, changeset, note }, context);
    }
    throw nothingToUndo(target);
  });
}

/** The way from after the edit to before it, as a merge onto the head. */
const planUndo = (
  { diff }: UndoPorts,
  { table, head }: ChangeTarget,
  { fromVersion, toVersion }: EditRecord,
  context: CallContext,
) =>
  diff.planMerge(
    {
      table,
      base: { branch: head.branch, version: toVersion },
      from: { branch: head.branch, version: fromVersion },
      into: head,
    },
    context,
  );

const nameOf = ({ message }: EditRecord): string => (message ? `“${message}”` : 'The edit');

/** What the edit was about, without the words that earlier undos put before it. */
const subjectOf = ({ message, kind }: EditRecord): string =>
  (message ?? kind).replace(/^(?:Undid|Did again): /, '');

const nothingToUndo = ({ table, head }: ChangeTarget): AppError =>
  new AppError({
    code: 'CONFLICT',
    message: `There is nothing to undo on ${head.branch} of ${table}.`,
    hint: 'Only what was edited here, and is not undone yet, can be undone.',
  });

const nothingLeft = (edit: EditRecord): AppError =>
  new AppError({
    code: 'CONFLICT',
    message: `${nameOf(edit)} has nothing left to take back: its cells are as they were before it.`,
    hint: 'Undo a later edit.',
  });

/** The edit that is named; else all that are not undone, newest first, of which the first with something left is meant. */
function findEdits(
  { store }: Pick<Ports, 'store'>,
  { table, uuid, branchCreatedAt, head }: ChangeTarget,
  { editId }: UndoInput,
): { edits: EditRecord[]; isNamed: boolean } {
  const edits = store.listEdits({ tableUuid: uuid, branch: head.branch, branchCreatedAt });
  const undone = undoneIds(edits);
  if (editId === undefined)
    return { edits: edits.filter(({ id, kind }) => kind !== 'undo' && !undone.has(id)), isNamed: false };
  const edit = edits.find(({ id }) => id === editId);
  if (!edit)
    throw notFound(
      `The edit ${editId} of ${head.branch} of ${table}`,
      'The history of the branch lists its edits.',
    );
  if (!undone.has(edit.id)) return { edits: [edit], isNamed: true };
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
