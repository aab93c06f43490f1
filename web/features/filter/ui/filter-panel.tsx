import { useState } from 'react';
import { useStore } from 'zustand';
import { treeOfSql } from '#shared/domain/filter-tree.ts';
import { cx, Segmented } from '../../../ui/index.ts';
import { chipOf } from '../model/conditions.ts';
import { closeFilter, filterPanel } from '../store.ts';
import styles from './filter.module.css';
import type { FilterProps } from './filter-button.tsx';
import { GroupForm } from './group-form.tsx';
import { SqlForm } from './sql-form.tsx';
import { TypedForm } from './typed-form.tsx';

/** The builder: one condition by column, operator and value, several in groups, or SQL. */
export function FilterPanel({ table, refText, columns, conditions, onChange }: FilterProps) {
  const { index, column } = useStore(filterPanel);
  const current = index === null ? undefined : conditions[index];
  const chip = current ? chipOf(current, columns) : null;
  const tree = current && !chip ? treeOfSql(current.sql, columns) : null;
  const [form, setForm] = useState<'typed' | 'groups' | 'sql'>(
    !current || chip ? 'typed' : tree?.kind === 'group' ? 'groups' : 'sql',
  );
  const others = conditions.filter((_condition, at) => at !== index);
  const apply = (made: readonly { sql: string }[]) => {
    onChange(index === null ? [...conditions, ...made] : conditions.toSpliced(index, 1, ...made));
    closeFilter();
  };
  const shared = { table, refText, columns, others, onApply: apply, isNew: !current };
  return (
    <div className={cx(styles.panel, form === 'groups' && styles.widePanel)}>
      <div className={styles.panelHead}>
        <span className={styles.panelTitle}>{current ? 'Change the condition' : 'Show rows where'}</span>
        <Segmented
          label="How to say it"
          value={form}
          onChange={setForm}
          options={[
            { value: 'typed', label: 'By column' },
            { value: 'groups', label: 'And, or' },
            { value: 'sql', label: 'SQL' },
          ]}
        />
      </div>
      {form === 'typed' ? (
        <TypedForm {...shared} initial={chip} column={column} />
      ) : form === 'groups' ? (
        <GroupForm {...shared} initial={current?.sql ?? ''} />
      ) : (
        <SqlForm {...shared} initial={current?.sql ?? ''} />
      )}
    </div>
  );
}
