import type { Selection } from '#shared/domain/selection.ts';
import { emptySelection, type RowSelection, selectRows } from '../../../state/selection.ts';
import type { RowSource } from '../../grid/index.ts';

/** “All” of a search is a list of rows: there is no predicate that says it. */
export async function selectionOfView(
  selection: RowSelection,
  source: RowSource,
  isSearch: boolean,
): Promise<RowSelection> {
  if (selection.kind === 'ids' || !isSearch) return selection;
  const ids = await source.idsOf(0, (source.getState().total ?? 0) - 1);
  return selectRows(
    emptySelection,
    ids.filter((id) => !selection.except.has(id)),
    true,
  );
}

/** The selection as an edit names it. */
export function planEditSelection(selection: RowSelection, where: string | undefined): Selection {
  if (selection.kind === 'ids') return { ids: [...selection.ids] };
  if (selection.except.size === 0) return where === undefined ? { all: true } : { where };
  const others = `_rowid not in (${[...selection.except].join(', ')})`;
  return { where: where === undefined ? others : `(${where}) and ${others}` };
}

/** The predicate of all rows that are not selected, rows that compare to null among them; null where there are none. */
export function planOthers(selection: RowSelection, where: string | undefined): string | null {
  if (selection.kind === 'ids')
    return selection.ids.size === 0 ? null : `_rowid not in (${[...selection.ids].join(', ')})`;
  const except = selection.except.size === 0 ? null : `_rowid in (${[...selection.except].join(', ')})`;
  const outside = where === undefined ? null : `(${where}) is not true`;
  return except && outside ? `${outside} or ${except}` : (outside ?? except);
}
