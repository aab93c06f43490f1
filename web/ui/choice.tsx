import { Check, Minus } from 'lucide-react';
import {
  Checkbox as RadixCheckbox,
  Slider as RadixSlider,
  Switch as RadixSwitch,
  ToggleGroup,
} from 'radix-ui';
import { type ReactNode, useId } from 'react';
import styles from './choice.module.css';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

export interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string; icon?: ReactNode; keys?: string; isIconOnly?: boolean }[];
  onChange: (value: V) => void;
  className?: string;
}

/** One of two to five, all in sight; a group of radio buttons to assistive tools. */
export function Segmented<V extends string>({
  label,
  value,
  options,
  onChange,
  className,
}: SegmentedProps<V>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => next && onChange(next as V)}
      className={cx(styles.segmented, className)}
    >
      {options.map((option) => {
        const item = (
          <ToggleGroup.Item
            key={option.value}
            value={option.value}
            className={styles.segment}
            aria-label={option.isIconOnly ? option.label : undefined}
          >
            {option.icon}
            {!option.isIconOnly && option.label}
          </ToggleGroup.Item>
        );
        return option.keys || option.isIconOnly ? (
          <Tooltip key={option.value} text={option.label} keys={option.keys}>
            {item}
          </Tooltip>
        ) : (
          item
        );
      })}
    </ToggleGroup.Root>
  );
}

export interface CheckboxProps {
  label: ReactNode;
  isLabelHidden?: boolean;
  isChecked: boolean | 'mixed';
  onChange: (isChecked: boolean) => void;
  isDisabled?: boolean;
}

export function Checkbox({ label, isLabelHidden, isChecked, onChange, isDisabled }: CheckboxProps) {
  const id = useId();
  return (
    <span className={styles.check}>
      <RadixCheckbox.Root
        id={id}
        className={styles.box}
        checked={isChecked === 'mixed' ? 'indeterminate' : isChecked}
        onCheckedChange={(next) => onChange(next === true)}
        disabled={isDisabled}
      >
        <RadixCheckbox.Indicator className={styles.mark}>
          {isChecked === 'mixed' ? <Minus /> : <Check />}
        </RadixCheckbox.Indicator>
      </RadixCheckbox.Root>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.checkLabel}>
        {label}
      </label>
    </span>
  );
}

export function Switch({
  label,
  isOn,
  onChange,
}: {
  label: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <span className={styles.check}>
      <RadixSwitch.Root id={id} className={styles.switch} checked={isOn} onCheckedChange={onChange}>
        <RadixSwitch.Thumb className={styles.knob} />
      </RadixSwitch.Root>
      <label htmlFor={id} className={styles.checkLabel}>
        {label}
      </label>
    </span>
  );
}

export interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  onChange: (value: number) => void;
  className?: string;
}

export function Slider({ label, value, min, max, step = 1, onChange, className }: SliderProps) {
  return (
    <RadixSlider.Root
      className={cx(styles.slider, className)}
      value={[value]}
      min={min}
      max={max}
      step={step}
      onValueChange={([next]) => next !== undefined && onChange(next)}
    >
      <RadixSlider.Track className={styles.track}>
        <RadixSlider.Range className={styles.range} />
      </RadixSlider.Track>
      <RadixSlider.Thumb className={styles.thumb} aria-label={label} />
    </RadixSlider.Root>
  );
}
