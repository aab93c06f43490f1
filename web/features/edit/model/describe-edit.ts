import type { EditOp } from '#shared/domain/edits.ts';

const rowsText = (count: number): string =>
  count === 1 ? '1 row' : `${count.toLocaleString('en').replaceAll(',', '\u2009')} rows`;

const shortList = (names: readonly string[]): string =>
  names.length > 2 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(' and ');

const done: Record<string, string> = {
  Clear: 'Cleared',
  Set: 'Set',
  Add: 'Added',
  Remove: 'Removed',
  Delete: 'Deleted',
  Drop: 'Dropped',
  Rename: 'Renamed',
  add: 'added',
  remove: 'removed',
};

/** What an edit did, as its step is called in toasts and in the history: `Deleted 3 rows`. */
export const describeDone = (op: EditOp, count: number): string =>
  describeEdit(op, count).replace(/^\w+|(?<=, )(remove)(?= )/g, (word) => done[word] ?? word);

/** What an edit will do: `Set gloss on 3 rows`. `count` is the number of rows it is for. */
export function describeEdit(op: EditOp, count: number): string {
  switch (op.op) {
    case 'set':
    case 'setSql': {
      const names = Object.keys(op.values);
      const isClearing = op.op === 'set' && names.every((name) => op.values[name] === null);
      return `${isClearing ? 'Clear' : 'Set'} ${shortList(names)} on ${rowsText(count)}`;
    }
    case 'tag': {
      const added = op.add ?? [];
      const removed = op.remove ?? [];
      const parts = [
        ...(added.length > 0 ? [`add ${shortList(added)}`] : []),
        ...(removed.length > 0 ? [`remove ${shortList(removed)}`] : []),
      ];
      const text = `${parts.join(', ')} in ${op.column} on ${rowsText(count)}`;
      return text.charAt(0).toUpperCase() + text.slice(1);
    }
    case 'insert':
      return `Add ${rowsText(op.rows.length)}`;
    case 'delete':
      return `Delete ${rowsText(count)}`;
    case 'addColumn':
      return `Add column ${op.name}`;
    case 'dropColumn':
      return `Drop column ${op.name}`;
    case 'renameColumn':
      return `Rename column ${op.name} to ${op.to}`;
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
