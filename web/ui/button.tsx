import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  /** `primary`: the one next step of a place. `quiet`: no frame. */
  look?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 's' | 'm';
  icon?: ReactNode;
  /** Shown in the tooltip: `Mod+K`, `g t`. */
  keys?: string;
  /** Text of the tooltip, where the label does not say it all. */
  tip?: ReactNode;
  isDisabled?: boolean;
  /** Why it cannot be pressed: disables it and is its tooltip. */
  whyNot?: string | null | false;
  /** Work that it started is under way: pressing does nothing. */
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button. One that cannot be pressed keeps its focus and says why. */
export function Button({
  look = 'plain',
  size = 'm',
  icon,
  keys,
  tip,
  isDisabled,
  whyNot,
  isBusy,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const isOff = Boolean(isDisabled || whyNot || isBusy);
  const button = (
    <button
      type="button"
      {...rest}
      className={cx(
        styles.button,
        styles[look],
        size === 's' && styles.small,
        isBusy && styles.busy,
        className,
      )}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </button>
  );
  const text = whyNot || tip || (keys ? children : null);
  return text ? (
    <Tooltip text={text} keys={keys}>
      {button}
    </Tooltip>
  ) : (
    button
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** Its accessible name and tooltip. */
  label: string;
  icon: ReactNode;
  isPressed?: boolean;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

/** A button that is only a glyph; its name and keys stand in the tooltip. */
export function IconButton({
  label,
  icon,
  keys,
  tip,
  whyNot,
  isDisabled,
  isBusy,
  isPressed,
  look = 'quiet',
  size = 'm',
  side,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  const isOff = Boolean(isDisabled || whyNot || isBusy);
  return (
    <Tooltip text={whyNot || tip || label} keys={keys} side={side}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-pressed={isPressed}
        aria-disabled={isOff || undefined}
        className={cx(styles.button, styles.icon, styles[look], size === 's' && styles.small, className)}
        onClick={isOff ? (event) => event.preventDefault() : onClick}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
