import { Command } from 'cmdk';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { type ReactNode, useId, useState } from 'react';
import { cx } from './cx.ts';
import popover from './popover.module.css';
import styles from './select.module.css';
import type { Option } from './select.tsx';

export interface ComboboxProps<V extends string> {
  /** Accessible name: `combobox "Branch"`. */
  label: string;
  value: V | undefined;
  options: readonly (Option<V> & { group?: string; keywords?: string[] })[];
  onChange: (value: V) => void;
  placeholder?: string;
  searchPlaceholder?: string;
  /** Offers “Create …” for what was typed and is not there. */
  onCreate?: (text: string) => void;
  createLabel?: (text: string) => string;
  /** What the control shows, instead of the option's label. */
  children?: ReactNode;
  /** Under the options, for further actions; gets a function that closes the list. */
  foot?: (close: () => void) => ReactNode;
  isQuiet?: boolean;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  className?: string;
}

/** One of many values, found by typing. */
export function Combobox<V extends string>(props: ComboboxProps<V>) {
  const {
    label,
    value,
    options,
    onChange,
    placeholder = 'Choose…',
    searchPlaceholder = 'Find…',
    onCreate,
    createLabel,
    children,
    foot,
    isQuiet,
    className,
  } = props;
  const [isOpenHere, setOpenHere] = useState(false);
  const [text, setText] = useState('');
  const listId = useId();
  const isOpen = props.isOpen ?? isOpenHere;
  const setOpen = (next: boolean) => {
    setOpenHere(next);
    props.onOpenChange?.(next);
    if (!next) setText('');
  };
  const current = options.find((option) => option.value === value);
  const groups = [...new Set(options.map((option) => option.group ?? ''))];
  const canCreate = onCreate && text.trim() !== '' && !options.some((option) => option.label === text.trim());
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <button
          type="button"
          role="combobox"
          aria-label={label}
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-haspopup="listbox"
          className={cx(styles.trigger, isQuiet && styles.quiet, className)}
        >
          <span className={cx(styles.value, !current && !children && styles.placeholder)}>
            {children ?? current?.label ?? placeholder}
          </span>
          <ChevronsUpDown className={styles.chevron} aria-hidden />
        </button>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={cx(popover.popover, styles.panel)}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
        >
          <Command label={label} loop>
            <Command.Input
              className={styles.search}
              placeholder={searchPlaceholder}
              value={text}
              onValueChange={setText}
              aria-label={searchPlaceholder}
            />
            <Command.List id={listId} className={styles.options}>
              {!canCreate && (
                <Command.Empty className={styles.nothing}>Nothing is called that.</Command.Empty>
              )}
              {groups.map((group) => (
                <Command.Group key={group} heading={group || undefined}>
                  {options
                    .filter((option) => (option.group ?? '') === group)
                    .map((option) => (
                      <Command.Item
                        key={option.value}
                        value={option.value}
                        keywords={[option.label, ...(option.keywords ?? [])]}
                        className={styles.option}
                        onSelect={() => {
                          setOpen(false);
                          onChange(option.value);
                        }}
                      >
                        <span className={styles.tick}>
                          {option.value === value && <Check aria-label="chosen" />}
                        </span>
                        {option.icon}
                        <span className={styles.label}>{option.label}</span>
                        {option.hint && <span className={styles.hint}>{option.hint}</span>}
                      </Command.Item>
                    ))}
                </Command.Group>
              ))}
              {canCreate && (
                <Command.Item
                  value={`create ${text}`}
                  forceMount
                  className={styles.option}
                  onSelect={() => {
                    const name = text.trim();
                    setOpen(false);
                    onCreate(name);
                  }}
                >
                  <Plus />
                  {createLabel?.(text.trim()) ?? `Create “${text.trim()}”`}
                </Command.Item>
              )}
            </Command.List>
          </Command>
          {foot && <div className={styles.foot}>{foot(() => setOpen(false))}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
