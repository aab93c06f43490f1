import { Check, ChevronRight } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';

export interface MenuAction {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  keys?: string;
  /** Faint text at the right. */
  hint?: ReactNode;
  isChecked?: boolean;
  isDanger?: boolean;
  /** Disables it and stands under its label. */
  whyNot?: string | null | false;
  onSelect: () => void;
}

export interface SubMenu {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  items: MenuEntry[];
}

export type MenuEntry = MenuAction | SubMenu | { heading: ReactNode } | 'line' | null | false;

export interface MenuProps {
  /** The control that opens it. */
  trigger: ReactElement;
  label?: string;
  items: MenuEntry[];
  align?: 'start' | 'center' | 'end';
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** A menu of actions. */
export function Menu({ trigger, label, items, align = 'start', isOpen, onOpenChange }: MenuProps) {
  return (
    <Radix.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.menu}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
        >
          <Entries items={items} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuAtProps {
  /** Where it opens, in the window; null: closed. */
  at: { x: number; y: number } | null;
  label: string;
  items: MenuEntry[];
  onClose: () => void;
}

/** A menu at a point, as a right click opens it. */
export function MenuAt({ at, label, items, onClose }: MenuAtProps) {
  if (!at) return null;
  const anchor = (
    <span aria-hidden style={{ position: 'fixed', left: at.x, top: at.y, width: 1, height: 1 }} />
  );
  return (
    <Menu
      label={label}
      trigger={anchor}
      items={items}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    />
  );
}

function Entries({ items }: { items: MenuEntry[] }) {
  return items.map((item, index) => {
    if (!item) return null;
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
    if (item === 'line') return <Radix.Separator key={`line-${index}`} className={styles.line} />;
    if ('heading' in item) {
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: headings have no identity
        <Radix.Label key={`heading-${index}`} className={styles.heading}>
          {item.heading}
        </Radix.Label>
      );
    }
    if ('items' in item) return <Sub key={item.id} item={item} />;
    return <Action key={item.id} item={item} />;
  });
}

function Action({ item }: { item: MenuAction }) {
  const content = (
    <>
      <span className={styles.icon}>{item.isChecked ? <Check /> : item.icon}</span>
      <span className={styles.text}>
        {item.label}
        {item.whyNot && <span className={styles.why}>{item.whyNot}</span>}
      </span>
      {item.hint && <span className={styles.hint}>{item.hint}</span>}
      {item.keys && <Kbd keys={item.keys} />}
    </>
  );
  const props = {
    className: cx(styles.item, item.isDanger && styles.danger),
    disabled: Boolean(item.whyNot),
    onSelect: item.onSelect,
  };
  return item.isChecked === undefined ? (
    <Radix.Item {...props}>{content}</Radix.Item>
  ) : (
    <Radix.CheckboxItem {...props} checked={item.isChecked}>
      {content}
    </Radix.CheckboxItem>
  );
}

function Sub({ item }: { item: SubMenu }) {
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={styles.item}>
        <span className={styles.icon}>{item.icon}</span>
        <span className={styles.text}>{item.label}</span>
        <ChevronRight className={styles.more} />
      </Radix.SubTrigger>
      <Radix.Portal>
        <Radix.SubContent className={styles.menu} sideOffset={2} collisionPadding={8}>
          <Entries items={item.items} />
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  );
}
