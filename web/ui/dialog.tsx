import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the foot, the one next step last. */
  actions?: ReactNode;
  size?: 's' | 'm' | 'l';
}

/** For what cannot be undone or needs several answers; where a panel will do, use a panel. */
export function Dialog({
  isOpen,
  onOpenChange,
  title,
  description,
  children,
  actions,
  size = 'm',
}: DialogProps) {
  const [before, setBefore] = useState(() => document.activeElement);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    if (isOpen) setBefore(document.activeElement);
  }
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content
          className={cx(styles.dialog, styles[size])}
          {...(description ? {} : { 'aria-describedby': undefined })}
          tabIndex={-1}
          onOpenAutoFocus={(event) => {
            const content = event.currentTarget as HTMLElement;
            if (content.querySelector('input,textarea,select')) return;
            event.preventDefault();
            content.focus();
          }}
          onCloseAutoFocus={(event) => {
            if (!(before instanceof HTMLElement) || before === document.body || !before.isConnected) return;
            event.preventDefault();
            before.focus({ preventScroll: true });
          }}
        >
          <header className={styles.head}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" keys="Escape" size="s" icon={<X />} />
            </Radix.Close>
          </header>
          {description && (
            <Radix.Description className={styles.description} asChild>
              <div>{description}</div>
            </Radix.Description>
          )}
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
