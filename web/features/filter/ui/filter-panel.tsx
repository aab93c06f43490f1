import { useState } from 'react';
import { useStore } from 'zustand';
import { Segmented } from '../../../ui/index.ts';
import { chipOf } from '../model/conditions.ts';
import { closeFilter, filterPanel } from '../store.ts';
import styles from './filter.module.css';
import type { FilterProps } from './filter-button.tsx';
import { SqlForm } from './sql-form.tsx';
import { TypedForm } from './typed-form.tsx';

/** The builder: one condition, by column, operator and value, or as SQL. */
export function FilterPanel({ table, refText, columns, conditions, onChange }: FilterProps) {
  const { index, column } = useStore(filterPanel);
  const current = index === null ? undefined : conditions[index];
  const chip = current ? chipOf(current, columns) : null;
  const [form, setForm] = useState<'typed' | 'sql'>(current && !chip ? 'sql' : 'typed');
  const others = conditions.filter((_condition, at) => at !== index);
  const apply = (made: readonly { sql: string }[]) => {
    onChange(index === null ? [...conditions, ...made] : conditions.toSpliced(index, 1, ...made));
    closeFilter();
  };
  const shared = { table, refText, columns, others, onApply: apply, isNew: !current };
  return (
    <div className={styles.panel}>
      <div className={styles.panelHead}>
        <span className={styles.panelTitle}>{current ? 'Change the condition' : 'Show rows where'}</span>
        <Segmented
          label="How to say it"
          value={form}
          onChange={setForm}
          options={[
            { value: 'typed', label: 'By column' },
            { value: 'sql', label: 'SQL' },
          ]}
        />
      </div>
      {form === 'typed' ? (
        <TypedForm {...shared} initial={chip} column={column} />
      ) : (
        <SqlForm {...shared} initial={current?.sql ?? ''} />
      )}
    </div>
  );
}
