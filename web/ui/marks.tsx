import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './marks.module.css';
import { Menu, type MenuEntry } from './menu.tsx';

export type Tone = 'neutral' | 'accent' | 'added' | 'removed' | 'modified' | 'conflict';

const signs: Partial<Record<Tone, string>> = { added: '+', removed: '−', modified: '~', conflict: '!' };

/** A small fact. State tones carry their sign as well as their colour. */
export function Badge({
  tone = 'neutral',
  hasSign = false,
  children,
}: {
  tone?: Tone;
  hasSign?: boolean;
  children: ReactNode;
}) {
  return (
    <span className={cx(styles.badge, styles[tone])}>
      {hasSign && signs[tone] && <span aria-hidden>{signs[tone]}</span>}
      {children}
    </span>
  );
}

export interface ChipProps {
  children: ReactNode;
  /** What the chip is, for the names of its buttons: “Remove category = tools”. */
  name: string;
  icon?: ReactNode;
  isOff?: boolean;
  onClick?: () => void;
  /** Opened by a click, instead of `onClick`. */
  menu?: MenuEntry[];
  onRemove?: () => void;
}

/** A condition, an order, a selected value: to press, to remove, to switch off. */
export function Chip({ children, name, icon, isOff, onClick, menu, onRemove }: ChipProps) {
  const label = (
    <>
      {icon}
      <span className={styles.chipText}>{children}</span>
    </>
  );
  const button = (
    <button type="button" className={styles.chipMain} onClick={onClick}>
      {label}
      {isOff && <span className="visually-hidden">, off</span>}
    </button>
  );
  return (
    <span className={cx(styles.chip, isOff && styles.off)}>
      {menu ? (
        <Menu label={name} trigger={button} items={menu} />
      ) : onClick ? (
        button
      ) : (
        <span className={styles.chipMain}>{label}</span>
      )}
      {onRemove && (
        <button type="button" className={styles.chipRemove} onClick={onRemove} aria-label={`Remove ${name}`}>
          <X />
        </button>
      )}
    </span>
  );
}

export interface ProgressBarProps {
  label: string;
  done: number;
  /** `null`: not known yet. */
  total: number | null;
  /** Beside the bar: number, rate, time left. */
  detail?: ReactNode;
  className?: string;
}

export function ProgressBar({ label, done, total, detail, className }: ProgressBarProps) {
  const share = total ? Math.min(1, done / total) : null;
  return (
    <div className={cx(styles.progress, className)}>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total ?? undefined}
        aria-valuenow={total === null ? undefined : done}
        aria-valuetext={typeof detail === 'string' ? detail : undefined}
        className={styles.bar}
      >
        <div
          className={cx(styles.fill, share === null && styles.unknown)}
          style={share === null ? undefined : { width: `${share * 100}%` }}
        />
      </div>
      {detail && <span className={styles.progressDetail}>{detail}</span>}
    </div>
  );
}

/** The place of something that is on its way; shows itself only after 150 ms. */
export function Skeleton({
  width = '100%',
  height = 14,
  className,
}: {
  width?: number | string;
  height?: number | string;
  className?: string;
}) {
  return <span aria-hidden className={cx(styles.skeleton, className)} style={{ width, height }} />;
}
