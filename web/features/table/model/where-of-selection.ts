import type { RowSelection } from '../../../state/selection.ts';

const mostIds = 5000;

/** The chosen rows as a filter; undefined where none are chosen, or too many to name. */
export function whereOfSelection(selection: RowSelection): string | undefined {
  const ids = [...(selection.kind === 'ids' ? selection.ids : selection.except)].filter((id) =>
    /^\d+$/.test(id),
  );
  if (ids.length > mostIds) return undefined;
  if (selection.kind === 'ids') return ids.length === 0 ? undefined : `_rowid in (${ids.join(', ')})`;
  return ids.length === 0 ? 'true' : `_rowid not in (${ids.join(', ')})`;
}
