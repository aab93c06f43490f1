import { ListFilter } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { useCommands } from '../../../state/commands.ts';
import type { Condition } from '../../../state/table-view.ts';
import { Button, Popover } from '../../../ui/index.ts';
import { closeFilter, filterPanel, openFilter } from '../store.ts';

export interface FilterProps {
  table: string;
  /** Pinned where it is known: suggestions and counts come from it. */
  refText: string;
  columns: readonly ColumnInfo[];
  conditions: readonly Condition[];
  onChange: (conditions: readonly Condition[]) => void;
}

const FilterPanel = lazy(() =>
  import('./filter-panel.tsx').then((module) => ({ default: module.FilterPanel })),
);

/** Opens the builder of conditions. */
export function FilterButton(props: FilterProps) {
  const { isOpen } = useStore(filterPanel);
  useCommands([
    {
      id: 'filter.open',
      title: 'Filter rows',
      group: 'Filter and search',
      keys: ['f'],
      run: () => openFilter(),
    },
    {
      id: 'filter.clear',
      title: 'Remove the filter',
      group: 'Filter and search',
      whyNot: () => (props.conditions.length > 0 ? null : 'There is no filter'),
      run: () => props.onChange([]),
    },
  ]);
  return (
    <Popover
      label="Filter"
      isFlush
      isOpen={isOpen}
      onOpenChange={(next) => (next ? openFilter() : closeFilter())}
      trigger={
        <Button
          icon={<ListFilter />}
          keys={isOpen ? undefined : 'f'}
          aria-haspopup="dialog"
          look={props.conditions.length > 0 ? 'plain' : 'quiet'}
        >
          Filter
        </Button>
      }
    >
      <Suspense fallback={<div style={{ width: 380, height: 180 }} />}>
        <FilterPanel {...props} />
      </Suspense>
    </Popover>
  );
}
