import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { cx } from './cx.ts';
import styles from './text-field.module.css';

interface Shared {
  label: string;
  /** The label is read, not shown. */
  isLabelHidden?: boolean;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  /** What is wrong with what was typed: an alert under the field. */
  error?: ReactNode;
  isMono?: boolean;
  className?: string;
}

export interface TextFieldProps
  extends Shared,
    Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className'> {
  ref?: Ref<HTMLInputElement>;
}

/** A line of text with its label, hint and error. */
export function TextField({
  label,
  isLabelHidden,
  value,
  onChange,
  hint,
  error,
  isMono,
  className,
  ...rest
}: TextFieldProps) {
  const ids = useFieldIds();
  return (
    <Frame {...{ label, isLabelHidden, hint, error, className, ids }}>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={ids.field}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(ids, hint, error)}
        className={cx(styles.input, isMono && styles.mono)}
      />
    </Frame>
  );
}

export interface TextAreaProps
  extends Shared,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | 'className'> {
  ref?: Ref<HTMLTextAreaElement>;
}

/** Several lines of text; grows with them. */
export function TextArea({
  label,
  isLabelHidden,
  value,
  onChange,
  hint,
  error,
  isMono,
  className,
  ...rest
}: TextAreaProps) {
  const ids = useFieldIds();
  return (
    <Frame {...{ label, isLabelHidden, hint, error, className, ids }}>
      <textarea
        rows={3}
        spellCheck={false}
        {...rest}
        id={ids.field}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(ids, hint, error)}
        className={cx(styles.input, styles.area, isMono && styles.mono)}
      />
    </Frame>
  );
}

/** A control that has its own accessible name, under a label that is only seen. */
export function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      {children}
    </div>
  );
}

type Ids = ReturnType<typeof useFieldIds>;

function useFieldIds() {
  const id = useId();
  return { field: id, hint: `${id}-hint`, error: `${id}-error` };
}

const describedBy = (ids: Ids, hint: ReactNode, error: ReactNode): string | undefined =>
  [hint && ids.hint, error && ids.error].filter(Boolean).join(' ') || undefined;

function Frame({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  ids,
  children,
}: Pick<Shared, 'label' | 'isLabelHidden' | 'hint' | 'error' | 'className'> & {
  ids: Ids;
  children: ReactNode;
}) {
  return (
    <div className={cx(styles.field, className)}>
      <label htmlFor={ids.field} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={ids.hint} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={ids.error} role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
