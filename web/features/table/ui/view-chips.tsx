import { Sparkles } from 'lucide-react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { TableView } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { Button, Chip } from '../../../ui/index.ts';
import { FilterChips, SortChips } from '../../filter/chips.ts';

/** The search, the conditions and the order of a view, as chips. */
export function ViewChips({
  columns,
  view,
  setView,
}: {
  columns: readonly ColumnInfo[];
  view: TableView;
  setView: SetTableView;
}) {
  const { search, conditions, sort } = view;
  const count = conditions.length + sort.length + (search?.kind === 'similar' ? 1 : 0);
  return (
    <>
      {search?.kind === 'similar' && (
        <Chip
          name="the search for similar rows"
          icon={<Sparkles />}
          onRemove={() => setView({ search: null, at: 0 })}
          onClick={() => setView({ rowId: search.rowId })}
        >
          Similar to row {search.rowId}
        </Chip>
      )}
      <FilterChips
        columns={columns}
        conditions={conditions}
        onChange={(next) => setView({ conditions: next, at: 0 })}
      />
      {!search && <SortChips sort={sort} onSort={(next) => setView({ sort: next, at: 0 })} />}
      {count > 1 && (
        <Button
          size="s"
          look="quiet"
          onClick={() =>
            setView({ conditions: [], sort: [], search: search?.kind === 'similar' ? null : search, at: 0 })
          }
        >
          Clear
        </Button>
      )}
    </>
  );
}
