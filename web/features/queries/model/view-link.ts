import type { SavedView } from '#shared/api/queries.ts';
import { formatRef, parseRef } from '#shared/domain/ref.ts';
import { tablePath } from '../../../state/addresses.ts';
import { emptySelection } from '../../../state/selection.ts';
import { formatTableView, parseTableView, type TableView } from '../../../state/table-view.ts';

/** The address of what a table shows, on another ref. */
export const linkOfView = (table: string, view: TableView, refText: string): string =>
  `${tablePath(table)}${formatTableView({ ...view, refText })}`;

/** What is saved of a view: how the table is shown, not on which ref nor where one is in it. */
export const queryOfView = (view: TableView): string =>
  formatTableView({ ...view, refText: 'main', rowId: null, at: 0, selection: emptySelection });

/** The branch of a ref, at its newest version; a tag stays. */
export function latestOf(refText: string): string {
  const ref = parseRef(refText);
  return ref.kind === 'tag' ? refText : formatRef({ kind: 'branch', branch: ref.branch });
}

/** The address that shows a saved view as it was saved, or on the newest version of the same branch. */
export function addressOfSavedView(
  { table, query }: SavedView,
  refs: Record<string, string>,
  at: 'pinned' | 'latest',
): string {
  const pinned = refs[table] ?? 'main';
  return linkOfView(table, parseTableView(query), at === 'pinned' ? pinned : latestOf(pinned));
}
