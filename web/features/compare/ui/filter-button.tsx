import type { ReactNode } from 'react';
import { cx } from '../../../ui/index.ts';
import styles from './compare-rail.module.css';

export interface FilterButtonProps {
  isOn: boolean;
  isQuiet?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A line of the overview that narrows the list. */
export const FilterButton = ({ isOn, isQuiet, onClick, children }: FilterButtonProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    className={cx(styles.filter, isOn && styles.on, isQuiet && styles.none)}
    onClick={onClick}
  >
    {children}
  </button>
);
