import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

export interface TooltipProps {
  /** Nothing is shown without it. */
  text: ReactNode;
  keys?: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactElement;
}

/** A word or two about the control that it wraps, with its keys. The app is inside one `TooltipProvider`. */
export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  if (!text) return children;
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tip} side={side} sideOffset={6} collisionPadding={8}>
          <span>{text}</span>
          {keys && <Kbd keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={450} skipDelayDuration={200} disableHoverableContent>
      {children}
    </Radix.Provider>
  );
}
