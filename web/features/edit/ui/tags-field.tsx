import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import styles from './cell-editor.module.css';

export interface TagsFieldProps {
  label: string;
  tags: readonly string[];
  onChange: (tags: string[]) => void;
  suggestions: readonly string[];
  problem?: string | null;
  placeholder?: string;
  /** Takes the focus when it appears. */
  hasFocus?: boolean;
}

/** A list of texts: Enter or a comma adds what was typed, Backspace takes the last one away. */
export function TagsField({
  label,
  tags,
  onChange,
  suggestions,
  problem,
  placeholder = 'Add…',
  hasFocus = true,
}: TagsFieldProps) {
  const [text, setText] = useState('');
  const listId = useId();
  const add = (added: string) => {
    const fresh = added
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !tags.includes(tag));
    setText('');
    if (fresh.length > 0) onChange([...tags, ...fresh]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      event.preventDefault();
      add(text);
    }
    if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1));
  };
  return (
    <div className={styles.field}>
      <ul className={styles.tags} aria-label={label}>
        {tags.map((tag) => (
          <li key={tag} className={styles.tag}>
            {tag === '' ? <em>empty</em> : tag}
            <button
              type="button"
              className={styles.remove}
              aria-label={`Remove ${tag}`}
              onClick={() => onChange(tags.filter((one) => one !== tag))}
            >
              <X />
            </button>
          </li>
        ))}
        <li className={styles.adder}>
          <input
            className={styles.input}
            aria-label={`Add to ${label}`}
            placeholder={placeholder}
            value={text}
            list={listId}
            spellCheck={false}
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the editor was opened to type
            autoFocus={hasFocus}
            onChange={({ target }) =>
              target.value.endsWith(',') ? add(target.value) : setText(target.value)
            }
            onBlur={() => add(text)}
            onKeyDown={onKeyDown}
          />
        </li>
      </ul>
      <datalist id={listId}>
        {suggestions
          .filter((value) => !tags.includes(value))
          .map((value) => (
            <option key={value} value={value} />
          ))}
      </datalist>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
