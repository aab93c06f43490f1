import { ArrowDown, ArrowUp, Code, Eye, EyeOff, FlipHorizontal2, Pencil, X } from 'lucide-react';
import type { OrderBy } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { Condition } from '../../../state/table-view.ts';
import { Chip } from '../../../ui/index.ts';
import { invert, labelOf } from '../model/conditions.ts';
import { openFilter } from '../store.ts';
import styles from './filter.module.css';

export interface FilterChipsProps {
  columns: readonly ColumnInfo[];
  conditions: readonly Condition[];
  onChange: (conditions: readonly Condition[]) => void;
}

/** The conditions of the filter: to change, invert, switch off and remove. */
export function FilterChips({ columns, conditions, onChange }: FilterChipsProps) {
  return conditions.map((condition, index) => {
    const { text, isSql } = labelOf(condition, columns);
    const replace = (...next: Condition[]) => onChange(conditions.toSpliced(index, 1, ...next));
    return (
      <Chip
        // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may stand twice
        key={`${condition.sql}-${index}`}
        name={text}
        isOff={condition.isOff ?? false}
        icon={isSql ? <Code /> : undefined}
        onRemove={() => replace()}
        menu={[
          {
            id: 'edit',
            label: 'Change…',
            icon: <Pencil />,
            onSelect: () => setTimeout(() => openFilter({ index })),
          },
          {
            id: 'invert',
            label: 'Invert',
            icon: <FlipHorizontal2 />,
            onSelect: () => replace(invert(condition, columns)),
          },
          {
            id: 'off',
            label: condition.isOff ? 'Switch on' : 'Switch off',
            icon: condition.isOff ? <Eye /> : <EyeOff />,
            onSelect: () => replace(condition.isOff ? { sql: condition.sql } : { ...condition, isOff: true }),
          },
          'line',
          { id: 'remove', label: 'Remove', icon: <X />, onSelect: () => replace() },
        ]}
      >
        <span className={isSql ? styles.sqlChip : undefined} title={text}>
          {text}
        </span>
      </Chip>
    );
  });
}

/** The order as chips: a click turns one round. */
export function SortChips({ sort, onSort }: { sort: readonly OrderBy[]; onSort: (sort: OrderBy[]) => void }) {
  return sort.map((order, index) => (
    <Chip
      key={order.column}
      name={`sorting by ${order.column}`}
      icon={order.desc ? <ArrowDown /> : <ArrowUp />}
      onClick={() =>
        onSort(
          sort.with(
            index,
            order.desc ? { column: order.column } : { column: order.column, desc: true },
          ) as OrderBy[],
        )
      }
      onRemove={() => onSort(sort.filter((one) => one !== order))}
    >
      {order.column}
    </Chip>
  ));
}
