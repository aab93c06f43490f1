import { Group, Sparkles } from 'lucide-react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { addressOf } from '../../../api/index.ts';
import { runCommand } from '../../../state/commands.ts';
import type { TableView } from '../../../state/table-view.ts';
import type { SetTableView } from '../../../state/use-table-view.ts';
import { Button, Chip } from '../../../ui/index.ts';
import { FilterChips, SortChips } from '../../filter/chips.ts';
import styles from './table.module.css';

export interface ViewChipsProps {
  table: string;
  pinnedRef: string;
  columns: readonly ColumnInfo[];
  view: TableView;
  setView: SetTableView;
}

/** The search, the conditions and the order of a view, as chips. */
export function ViewChips({ table, pinnedRef, columns, view, setView }: ViewChipsProps) {
  const { search, conditions, sort, group } = view;
  const picture = columns.find((column) => column.role === 'image' && !column.hidden);
  const count =
    conditions.length + sort.length + (group === null ? 0 : 1) + (search?.kind === 'similar' ? 1 : 0);
  return (
    <>
      {search?.kind === 'similar' && (
        <Chip
          name="the search for similar rows"
          icon={
            picture ? (
              <RowPicture table={table} column={picture.name} rowId={search.rowId} pinnedRef={pinnedRef} />
            ) : (
              <Sparkles />
            )
          }
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
      {!search && view.group !== null && (
        <Chip
          name={`grouping by ${view.group}`}
          icon={<Group />}
          onRemove={() => setView({ group: null, at: 0 })}
          menu={[
            { id: 'fold', label: 'Fold all groups', onSelect: () => runCommand('table.foldGroups') },
            { id: 'unfold', label: 'Unfold all groups', onSelect: () => runCommand('table.unfoldGroups') },
            'line',
            { id: 'remove', label: 'Do not group', onSelect: () => setView({ group: null, at: 0 }) },
          ]}
        >
          by {view.group}
        </Chip>
      )}
      {!search && <SortChips sort={sort} onSort={(next) => setView({ sort: next, at: 0 })} />}
      {count > 1 && (
        <Button
          size="s"
          look="quiet"
          onClick={() =>
            setView({
              conditions: [],
              sort: [],
              group: null,
              search: search?.kind === 'similar' ? null : search,
              at: 0,
            })
          }
        >
          Clear
        </Button>
      )}
    </>
  );
}

function RowPicture({
  table,
  column,
  rowId,
  pinnedRef,
}: {
  table: string;
  column: string;
  rowId: string;
  pinnedRef: string;
}) {
  return (
    <img
      className={styles.chipPicture}
      src={addressOf('thumb', { table, column, rowId }, { ref: pinnedRef, size: 64 })}
      alt=""
    />
  );
}
