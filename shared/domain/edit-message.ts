import type { EditOp, RowCounts } from './edits.ts';

const rows = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`;

const listNames = (names: readonly string[]): string => {
  const shown = names.slice(0, 3);
  return names.length > 3
    ? `${shown.join(', ')} and ${names.length - 3} more`
    : shown.join(', ').replace(/, ([^,]*)$/, ' and $1');
};

const quoteTags = (tags: readonly string[]): string => listNames(tags.map((tag) => `“${tag}”`));

/** What an edit did, in a sentence without its end: `Set label on 12 rows`, `Deleted 1 row; added the column score`. */
export function describeEdit(ops: readonly EditOp[], changed: RowCounts): string {
  const parts = [...new Set(ops.map((op) => describeOp(op, changed)))];
  const [first = 'Changed nothing', ...others] = parts;
  return [first, ...others.map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join('; ');
}

function describeOp(op: EditOp, { inserted, updated, deleted }: RowCounts): string {
  switch (op.op) {
    case 'set':
      return `Set ${listNames(Object.keys(op.values))} on ${rows(updated)}`;
    case 'setSql':
      return `Computed ${listNames(Object.keys(op.values))} on ${rows(updated)}`;
    case 'tag': {
      const add = op.add?.length ? `added ${quoteTags(op.add)}` : '';
      const remove = op.remove?.length ? `removed ${quoteTags(op.remove)}` : '';
      const done = [add, remove].filter((part) => part !== '').join(' and ');
      return `Tagged ${op.column} of ${rows(updated)}: ${done}`;
    }
    case 'insert':
      return `Inserted ${rows(inserted)}`;
    case 'delete':
      return `Deleted ${rows(deleted)}`;
    case 'addColumn':
      return `Added the column ${op.name}`;
    case 'dropColumn':
      return `Dropped the column ${op.name}`;
    case 'renameColumn':
      return `Renamed the column ${op.name} to ${op.to}`;
  }
}
