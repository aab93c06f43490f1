import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { ColumnProfile } from '#shared/api/tables.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { Button, cx } from '../../../ui/index.ts';
import styles from './filter.module.css';

export interface ValueChoiceProps {
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  profile: ColumnProfile | null | undefined;
  isLoading: boolean;
  isNumber: boolean;
  hasFocus: boolean;
  /** The frequent values are shown only while one is in it. */
  isCompact: boolean;
}

/** Values of a long list that are shown one by one. */
const mostTokens = 40;
const pastedList = /[\n\t,;]/;

/** Any number of values: the frequent ones to tick, others to type; a pasted list becomes several. */
export function ValueChoice({
  values,
  onChange,
  profile,
  isLoading,
  isNumber,
  hasFocus,
  isCompact,
}: ValueChoiceProps) {
  const [text, setText] = useState('');
  const [isInside, setInside] = useState(false);
  const isListShown = !isCompact || isInside;
  const top = (profile?.top ?? [])
    .filter((one) => one.value !== null)
    .map((one) => ({ value: String(one.value), rows: one.rows }));
  const shown = top.filter((one) => one.value.toLowerCase().includes(text.toLowerCase()));
  const known = new Set(top.map((one) => one.value));
  const typed = values.filter((value) => !known.has(value));
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  const add = (added: string[]) => {
    onChange([...new Set([...values, ...added.map((one) => one.trim()).filter(Boolean)])]);
    setText('');
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: follows the focus of the field and the values
    <div
      className={styles.choice}
      onFocus={() => setInside(true)}
      onBlur={(event) => setInside(event.currentTarget.contains(event.relatedTarget))}
    >
      {typed.length > 0 && (
        <div className={styles.typed}>
          {typed.slice(0, mostTokens).map((value) => (
            <span key={value} className={styles.token}>
              {value}
              <button type="button" aria-label={`Remove ${value}`} onClick={() => toggle(value)}>
                <X size={12} />
              </button>
            </span>
          ))}
          {typed.length > mostTokens && (
            <span className={styles.more}>
              and {formatCount(typed.length - mostTokens)} more
              <Button size="s" look="quiet" onClick={() => onChange(values.filter((one) => known.has(one)))}>
                Remove all {formatCount(typed.length)}
              </Button>
            </span>
          )}
        </div>
      )}
      <input
        className={styles.input}
        aria-label="Value"
        // biome-ignore lint/a11y/noAutofocus: the panel was opened to type here
        autoFocus={hasFocus}
        placeholder={
          top.length > 0
            ? 'Find or add a value…'
            : isNumber
              ? 'Numbers, parted by commas'
              : 'Add values: Enter after each, or paste a list'
        }
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text');
          if (!pastedList.test(pasted)) return;
          event.preventDefault();
          add(pasted.split(pastedList));
        }}
        onBlur={() => isNumber && text.trim() !== '' && add(text.split(','))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || text.trim() === '') return;
          event.preventDefault();
          event.stopPropagation();
          add(isNumber ? text.split(',') : [shown.length === 1 && shown[0] ? shown[0].value : text]);
        }}
      />
      {isListShown && (shown.length > 0 || isLoading) && (
        <ul className={styles.options} aria-label="Frequent values">
          {shown.map(({ value, rows }) => (
            <li key={value}>
              {/* biome-ignore lint/a11y/useSemanticElements: a line of the list that is ticked as a whole */}
              <button
                type="button"
                role="checkbox"
                aria-checked={values.includes(value)}
                className={styles.suggestion}
                onClick={() => toggle(value)}
              >
                <span className={cx(styles.box, values.includes(value) && styles.boxOn)}>
                  {values.includes(value) && <Check size={12} strokeWidth={3} />}
                </span>
                <span className={styles.suggestionText}>{value || '“”'}</span>
                <span className={styles.count}>{formatCount(rows)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isListShown && profile && <p className={styles.scope}>Counts cover {profile.scope}.</p>}
    </div>
  );
}
