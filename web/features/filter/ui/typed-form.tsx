import { type KeyboardEvent, useState } from 'react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { ColumnChip } from '#shared/domain/filter.ts';
import { placesOf } from '#shared/domain/filter-ops.ts';
import { type Condition, whereOf } from '../../../state/table-view.ts';
import { type ChipDraft, draftOfChip, keepColumn, newDraft, readDraft } from '../model/chip-draft.ts';
import { conditionOfChip } from '../model/conditions.ts';
import { ApplyBar } from './apply-bar.tsx';
import { ChipFields } from './chip-fields.tsx';
import styles from './filter.module.css';

export interface FormProps {
  table: string;
  refText: string;
  columns: readonly ColumnInfo[];
  /** The conditions beside this one, for the count. */
  others: readonly Condition[];
  isNew: boolean;
  onApply: (conditions: readonly Condition[]) => void;
}

/** A condition by column, operator and value. */
export function TypedForm({
  table,
  refText,
  columns,
  others,
  isNew,
  onApply,
  initial,
  column,
}: FormProps & { initial: ColumnChip | null; column: string | null }) {
  const [draft, setDraft] = useState<ChipDraft>(
    initial ? draftOfChip(initial) : newDraft(table, columns, column),
  );
  const conditionOf = (of: ChipDraft): Condition | null => {
    const { chip } = readDraft(of, placesOf(columns));
    return chip && conditionOfChip(chip);
  };
  const made = conditionOf(draft);
  const apply = (of: ChipDraft) => {
    const { chip } = readDraft(of, placesOf(columns));
    const condition = conditionOf(of);
    if (!chip || !condition) return;
    keepColumn(table, chip.column);
    onApply([condition]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    apply(draft);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in any of its fields applies
    <div className={styles.form} onKeyDown={onKeyDown}>
      <ChipFields
        table={table}
        refText={refText}
        columns={columns}
        draft={draft}
        onChange={setDraft}
        hasFocus
        onPick={apply}
      />
      <ApplyBar
        table={table}
        refText={refText}
        where={made ? whereOf([...others, made]) : undefined}
        isReady={made !== null}
        isNew={isNew}
        onApply={() => apply(draft)}
      />
    </div>
  );
}
