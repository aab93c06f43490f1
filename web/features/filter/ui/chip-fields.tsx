import { useId } from 'react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { type OpInfo, placesOf } from '#shared/domain/filter-ops.ts';
import { Combobox, Select } from '../../../ui/index.ts';
import { gridColumnsOf, TypeGlyph } from '../../grid/index.ts';
import { type ChipDraft, placeKey, readDraft } from '../model/chip-draft.ts';
import { useColumnProfile } from '../queries.ts';
import styles from './filter.module.css';
import { ValueChoice } from './value-choice.tsx';

export interface ChipFieldsProps {
  table: string;
  refText: string;
  columns: readonly ColumnInfo[];
  draft: ChipDraft;
  onChange: (draft: ChipDraft) => void;
  /** The value field takes the focus. */
  hasFocus?: boolean;
  /** A frequent value was clicked; without it it is only put into the field. */
  onPick?: (draft: ChipDraft) => void;
}

const placeholders: Record<OpInfo['input'], string> = {
  text: 'text',
  number: 'number',
  integer: 'whole number',
  timestamp: '2024-05-31 14:00',
  date: '2024-05-31',
  time: '14:00',
};

const frequentOps = ['eq', 'in', 'hasAny', 'hasAll'];
const mostSuggestions = 8;

/** Column or field, operator and values of one condition. */
export function ChipFields(props: ChipFieldsProps) {
  const { table, refText, columns, draft, onChange, hasFocus = false, onPick } = props;
  const errorId = useId();
  const { place, operators, chosen, wrong } = readDraft(draft, placesOf(columns));
  const op = chosen?.op;
  const hasFrequent = op?.input === 'text' && frequentOps.includes(op.op) && place?.path.length === 0;
  const profile = useColumnProfile(table, refText, hasFrequent ? place.column : null);
  const setText = (at: number, text: string) =>
    onChange({
      ...draft,
      texts: Array.from({ length: Math.max(draft.texts.length, at + 1) }, (_none, one) =>
        one === at ? text : (draft.texts[one] ?? ''),
      ),
    });
  const frequent = (profile.data?.top ?? [])
    .slice(0, mostSuggestions)
    .filter((top) => top.value !== null && includesText(String(top.value), draft.texts[0] ?? ''));
  const pick = (value: string) => {
    const picked = { ...draft, texts: [value] };
    onChange(picked);
    onPick?.(picked);
  };
  return (
    <>
      <div className={styles.line}>
        <Combobox
          label="Column"
          className={styles.column}
          value={draft.place}
          searchPlaceholder="Find a column…"
          options={placeOptions(columns)}
          onChange={(next) => onChange({ place: next, operator: null, texts: [] })}
        />
        <Select
          label="Operator"
          className={styles.operator}
          value={chosen?.key}
          options={operators.map(({ key, label }) => ({ value: key, label }))}
          onChange={(operator) => onChange({ ...draft, operator })}
        />
      </div>
      {op && op.arity === 'list' && (
        <ValueChoice
          values={draft.texts}
          onChange={(texts) => onChange({ ...draft, texts })}
          profile={hasFrequent ? profile.data : null}
          isLoading={profile.isLoading}
          isNumber={op.input !== 'text'}
          hasFocus={hasFocus}
          isCompact={!hasFocus}
        />
      )}
      {op && (op.arity === 'one' || op.arity === 'pair') && (
        <div className={styles.line}>
          {Array.from({ length: op.arity === 'pair' ? 2 : 1 }, (_none, at) => (
            <label key={at === 0 ? 'from' : 'to'} className={styles.value}>
              <span className="visually-hidden">
                {op.arity === 'pair' ? (at === 0 ? 'From' : 'To') : 'Value'}
              </span>
              <input
                className={styles.input}
                // biome-ignore lint/a11y/noAutofocus: the panel was opened to type here
                autoFocus={hasFocus && at === 0}
                placeholder={`${op.arity === 'pair' ? (at === 0 ? 'from ' : 'to ') : ''}${placeholders[op.input]}`}
                inputMode={op.input === 'number' ? 'decimal' : op.input === 'integer' ? 'numeric' : undefined}
                value={draft.texts[at] ?? ''}
                spellCheck={false}
                aria-invalid={wrong !== undefined && draft.texts[at] === wrong}
                aria-describedby={wrong !== undefined ? errorId : undefined}
                onChange={(event) => setText(at, event.target.value)}
              />
            </label>
          ))}
        </div>
      )}
      {op?.arity === 'one' && hasFrequent && onPick && frequent.length > 0 && (
        <ul className={styles.suggestions} aria-label="Frequent values">
          {frequent.map((top) => (
            <li key={String(top.value)}>
              <button type="button" className={styles.suggestion} onClick={() => pick(String(top.value))}>
                <span className={styles.suggestionText}>{String(top.value) || '“”'}</span>
                <span className={styles.count}>{top.rows}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {op && wrong !== undefined && (
        <p id={errorId} role="alert" className={styles.problem}>
          “{wrong}” is no{' '}
          {placeholders[op.input] === 'text' ? 'text' : `value like ${placeholders[op.input]}`}.
        </p>
      )}
    </>
  );
}

const includesText = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

function placeOptions(columns: readonly ColumnInfo[]) {
  const shown = new Map(
    gridColumnsOf(columns)
      .filter((column) => !column.isHidden)
      .map((column) => [column.name, column]),
  );
  return placesOf(columns).flatMap((place) => {
    const column = shown.get(place.column);
    if (!column) return [];
    const isField = place.path.length > 0;
    return {
      value: placeKey(place),
      label: [place.column, ...place.path].join('.'),
      icon: isField ? undefined : <TypeGlyph column={column} />,
      hint: isField ? place.type.kind : column.type,
    };
  });
}
