import { Check, ChevronsUpDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './select.module.css';

export interface Option<V extends string = string> {
  value: V;
  label: string;
  icon?: ReactNode;
  /** Faint text beside the label. */
  hint?: ReactNode;
}

export interface SelectProps<V extends string> {
  /** Accessible name. */
  label: string;
  value: V | undefined;
  options: readonly Option<V>[];
  onChange: (value: V) => void;
  placeholder?: string;
  isQuiet?: boolean;
  isDisabled?: boolean;
  className?: string;
}

/** One of a few values. For many, or to type, see Combobox. */
export function Select<V extends string>({
  label,
  value,
  options,
  onChange,
  placeholder,
  isQuiet,
  isDisabled,
  className,
}: SelectProps<V>) {
  return (
    <Radix.Root value={value ?? ''} onValueChange={(next) => onChange(next as V)} disabled={isDisabled}>
      <Radix.Trigger aria-label={label} className={cx(styles.trigger, isQuiet && styles.quiet, className)}>
        <span className={styles.value}>
          <Radix.Value placeholder={placeholder} />
        </span>
        <ChevronsUpDown className={styles.chevron} aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.list} position="popper" sideOffset={4} collisionPadding={8}>
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className={styles.option}>
                <span className={styles.tick}>
                  <Radix.ItemIndicator>
                    <Check />
                  </Radix.ItemIndicator>
                </span>
                {option.icon}
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.hint && <span className={styles.hint}>{option.hint}</span>}
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
