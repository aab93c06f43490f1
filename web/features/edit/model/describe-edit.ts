import type { EditOp } from '#shared/domain/edits.ts';
import { formatOf } from '../../../ui/format-quantity.ts';

const rowsText = (count: number): string => formatOf(count, 'row');

const shortList = (names: readonly string[]): string =>
  names.length > 2 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(' and ');

interface Verbs {
  set: string;
  clear: string;
  add: string;
  remove: string;
  delete: string;
  drop: string;
  rename: string;
}

const planned: Verbs = {
  set: 'Set',
  clear: 'Clear',
  add: 'Add',
  remove: 'Remove',
  delete: 'Delete',
  drop: 'Drop',
  rename: 'Rename',
};
const past: Verbs = {
  set: 'Set',
  clear: 'Cleared',
  add: 'Added',
  remove: 'Removed',
  delete: 'Deleted',
  drop: 'Dropped',
  rename: 'Renamed',
};

/** What an edit will do: `Set gloss on 3 rows`. `count` is the number of rows it is for. */
export const describeEdit = (op: EditOp, count: number): string => phrase(op, count, planned);

/** What an edit did, as its step is called in toasts and in the history: `Deleted 3 rows`. */
export const describeDone = (op: EditOp, count: number): string => phrase(op, count, past);

function phrase(op: EditOp, count: number, verbs: Verbs): string {
  switch (op.op) {
    case 'set':
    case 'setSql': {
      const names = Object.keys(op.values);
      const isClearing = op.op === 'set' && names.every((name) => op.values[name] === null);
      return `${isClearing ? verbs.clear : verbs.set} ${shortList(names)} on ${rowsText(count)}`;
    }
    case 'tag': {
      const { add = [], remove = [], column } = op;
      const parts = [
        ...(add.length > 0 ? [`${verbs.add} ${shortList(add)}`] : []),
        ...(remove.length > 0
          ? [`${add.length > 0 ? verbs.remove.toLowerCase() : verbs.remove} ${shortList(remove)}`]
          : []),
      ];
      return `${parts.join(', ')} in ${column} on ${rowsText(count)}`;
    }
    case 'insert':
      return `${verbs.add} ${rowsText(op.rows.length)}`;
    case 'delete':
      return `${verbs.delete} ${rowsText(count)}`;
    case 'addColumn':
      return `${verbs.add} column ${op.name}`;
    case 'dropColumn':
      return `${verbs.drop} column ${op.name}`;
    case 'renameColumn':
      return `${verbs.rename} column ${op.name} to ${op.to}`;
  }
}

/** A free branch name that says what the edit is about: `fix-gloss`, `remove-rows`, `fix-gloss-2`. */
export function suggestBranchName(op: EditOp, taken: readonly string[]): string {
  const names =
    op.op === 'set' || op.op === 'setSql' ? Object.keys(op.values) : op.op === 'tag' ? [op.column] : [];
  const first = names[0]
    ?.toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const stem = op.op === 'delete' ? 'remove-rows' : first ? `fix-${first}` : 'edits';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem}-${count}`;
    if (!taken.includes(name)) return name;
  }
}
