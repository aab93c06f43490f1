import { Sparkles } from 'lucide-react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { addressOf } from '../../../api/index.ts';
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
  const { search, conditions, sort } = view;
  const picture = columns.find((column) => column.role === 'image' && !column.hidden);
  const count = conditions.length + sort.length + (search?.kind === 'similar' ? 1 : 0);
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
