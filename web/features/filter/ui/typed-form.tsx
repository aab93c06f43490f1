import { type KeyboardEvent, useId, useState } from 'react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import {
  type ColumnChip,
  type FilterOp,
  type FilterValue,
  type OpInfo,
  opsFor,
  parseNumberValue,
} from '#shared/domain/filter.ts';
import { type Condition, whereOf } from '../../../state/table-view.ts';
import { Combobox, cx, Select } from '../../../ui/index.ts';
import { gridColumnsOf, TypeGlyph } from '../../grid/index.ts';
import { conditionOfChip } from '../model/conditions.ts';
import { useColumnProfile } from '../queries.ts';
import { ApplyBar } from './apply-bar.tsx';
import styles from './filter.module.css';
import { ValueChoice } from './value-choice.tsx';

export interface FormProps {
  table: string;
  refText: string;
  columns: readonly ColumnInfo[];
  /** The conditions beside this one, for the count. */
  others: readonly Condition[];
  isNew: boolean;
  onApply: (conditions: readonly Condition[]) => void;
}

const lastColumn = new Map<string, string>();

/** A value as it is typed, read for its control. */
function readValue(text: string, { input }: OpInfo): FilterValue | null {
  if (input === 'number' || input === 'integer') return parseNumberValue(text);
  const trimmed = text.trim();
  if (input === 'text') return text;
  if (input === 'date') return /^\d{4}-\d\d-\d\d$/.test(trimmed) ? trimmed : null;
  if (input === 'time') return /^\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(trimmed) ? trimmed : null;
  const time = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(
    trimmed,
  );
  return time ? `${time[1]} ${time[2] ?? '00:00:00'}${time[3] ?? ''}` : null;
}

const textOf = (value: FilterValue): string => (typeof value === 'object' ? value.number : String(value));

const placeholders: Record<OpInfo['input'], string> = {
  text: 'text',
  number: 'number',
  integer: 'whole number',
  timestamp: '2024-05-31 14:00',
  date: '2024-05-31',
  time: '14:00',
};

/** A condition by column, operator and value. */
export function TypedForm({
  table,
  refText,
  columns,
  others,
  isNew,
  onApply,
  initial,
  column: wanted,
}: FormProps & { initial: ColumnChip | null; column: string | null }) {
  const [name, setName] = useState(
    initial?.column ?? wanted ?? lastColumn.get(table) ?? firstColumn(columns),
  );
  const [choice, setChoice] = useState<string | null>(initial ? keyOf(initial.op, initial.isNegated) : null);
  const [texts, setTexts] = useState<readonly string[]>(initial?.values.map(textOf) ?? []);
  const errorId = useId();
  const column = columns.find((one) => one.name === name);
  const ops = column ? opsFor(column) : [];
  const operators = ops
    .flatMap((op) => [
      { key: keyOf(op.op, false), label: op.label, op, isNegated: false },
      { key: keyOf(op.op, true), label: op.negatedLabel, op, isNegated: true },
    ])
    .filter((one) => !isRedundant(one.op.op, one.isNegated));
  const chosen = operators.find((one) => one.key === choice) ?? operators[0];
  const op = chosen?.op;
  const hasValues =
    op !== undefined &&
    op.input === 'text' &&
    (op.op === 'eq' || op.op === 'in' || op.op === 'hasAny' || op.op === 'hasAll');
  const profile = useColumnProfile(table, refText, hasValues && column ? column.name : null);
  const used =
    op?.arity === 'none' ? [] : op?.arity === 'list' ? texts : texts.slice(0, op?.arity === 'pair' ? 2 : 1);
  const values = op ? used.map((text) => readValue(text, op)) : [];
  const wrong = op ? used.find((text, at) => text.trim() !== '' && values[at] === null) : undefined;
  const needed = op?.arity === 'none' ? 0 : op?.arity === 'pair' ? 2 : 1;
  const isWhole =
    values.length >= needed &&
    values.every((value) => value !== null) &&
    (op?.input === 'text' || used.every((text) => text.trim() !== ''));
  const made =
    column && chosen && isWhole
      ? conditionOfChip({
          column: name,
          op: chosen.op.op,
          values: values as FilterValue[],
          isNegated: chosen.isNegated,
        })
      : null;

  const apply = (condition = made) => {
    if (!condition) return;
    lastColumn.set(table, name);
    onApply([condition]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    apply();
  };
  const setText = (at: number, text: string) =>
    setTexts((before) =>
      Array.from({ length: Math.max(before.length, at + 1) }, (_none, one) =>
        one === at ? text : (before[one] ?? ''),
      ),
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in any of its fields applies
    <div className={styles.form} onKeyDown={onKeyDown}>
      <div className={styles.line}>
        <Combobox
          label="Column"
          className={styles.column}
          value={name}
          searchPlaceholder="Find a column…"
          options={gridColumnsOf(columns)
            .filter((one) => !one.isHidden)
            .map((one) => ({
              value: one.name,
              label: one.name,
              icon: <TypeGlyph column={one} />,
              hint: one.type,
            }))}
          onChange={(next) => {
            setName(next);
            setChoice(null);
            setTexts([]);
          }}
        />
        <Select
          label="Operator"
          className={styles.operator}
          value={chosen?.key}
          options={operators.map(({ key, label }) => ({ value: key, label }))}
          onChange={setChoice}
        />
      </div>
      {op && op.arity !== 'none' && (
        <>
          {op.arity === 'list' ? (
            <ValueChoice
              values={texts}
              onChange={setTexts}
              profile={profile.data}
              isLoading={profile.isLoading}
              isNumber={op.input !== 'text'}
            />
          ) : (
            <div className={styles.line}>
              {Array.from({ length: op.arity === 'pair' ? 2 : 1 }, (_none, at) => (
                <label key={at === 0 ? 'from' : 'to'} className={styles.value}>
                  <span className="visually-hidden">
                    {op.arity === 'pair' ? (at === 0 ? 'From' : 'To') : 'Value'}
                  </span>
                  <input
                    className={styles.input}
                    // biome-ignore lint/a11y/noAutofocus: the panel was opened to type here
                    autoFocus={at === 0}
                    placeholder={
                      op.arity === 'pair'
                        ? `${at === 0 ? 'from' : 'to'} ${placeholders[op.input]}`
                        : placeholders[op.input]
                    }
                    inputMode={
                      op.input === 'number' ? 'decimal' : op.input === 'integer' ? 'numeric' : undefined
                    }
                    value={texts[at] ?? ''}
                    spellCheck={false}
                    aria-invalid={wrong !== undefined && texts[at] === wrong}
                    aria-describedby={wrong !== undefined ? errorId : undefined}
                    onChange={(event) => setText(at, event.target.value)}
                  />
                </label>
              ))}
            </div>
          )}
          {op.arity === 'one' && hasValues && (
            <ul className={cx(styles.suggestions)} aria-label="Frequent values">
              {profile.data?.top
                ?.slice(0, 8)
                .filter(
                  (top) =>
                    top.value !== null &&
                    String(top.value)
                      .toLowerCase()
                      .includes((texts[0] ?? '').toLowerCase()),
                )
                .map((top) => (
                  <li key={String(top.value)}>
                    <button
                      type="button"
                      className={styles.suggestion}
                      onClick={() =>
                        apply(
                          conditionOfChip({
                            column: name,
                            op: op.op,
                            values: [String(top.value)],
                            isNegated: chosen?.isNegated,
                          }),
                        )
                      }
                    >
                      <span className={styles.suggestionText}>{String(top.value) || '“”'}</span>
                      <span className={styles.count}>{top.rows}</span>
                    </button>
                  </li>
                ))}
            </ul>
          )}
          {wrong !== undefined && (
            <p id={errorId} role="alert" className={styles.problem}>
              “{wrong}” is no{' '}
              {placeholders[op.input] === 'text' ? 'text' : `value like ${placeholders[op.input]}`}.
            </p>
          )}
        </>
      )}
      <ApplyBar
        table={table}
        refText={refText}
        where={made ? whereOf([...others, made]) : undefined}
        isReady={made !== null}
        isNew={isNew}
        onApply={() => apply()}
      />
    </div>
  );
}

const keyOf = (op: FilterOp, isNegated = false): string => (isNegated ? `not ${op}` : op);

/** Opposites that another operator says already. */
const isRedundant = (op: FilterOp, isNegated: boolean): boolean =>
  isNegated && ['lt', 'lte', 'gt', 'gte', 'isTrue', 'isFalse'].includes(op);

const firstColumn = (columns: readonly ColumnInfo[]): string =>
  (
    columns.find((column) => column.role === 'label') ??
    columns.find((column) => column.role === 'text') ??
    columns.find((column) => !column.hidden)
  )?.name ?? '';
