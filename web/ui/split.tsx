import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { cx } from './cx.ts';
import styles from './split.module.css';

export interface SplitProps {
  /** Local storage remembers the size under this name. */
  name: string;
  /** What the sized panel is: names the separator. */
  label: string;
  /** Which side has the remembered size; the other takes the rest. */
  sized: 'start' | 'end';
  direction?: 'row' | 'column';
  initial: number;
  min: number;
  /** Of the other side. */
  minRest?: number;
  start: ReactNode;
  /** Nothing: the other side has all the room. */
  end: ReactNode;
  className?: string;
}

const storageKey = (name: string): string => `curio.size.${name}`;

function readSize(name: string, initial: number): number {
  const stored = Number(localStorage.getItem(storageKey(name)));
  return Number.isFinite(stored) && stored > 0 ? stored : initial;
}

/** Two panels with a border to drag (or to move by arrow keys); double click gives the first size back. */
export function Split({
  name,
  label,
  sized,
  direction = 'row',
  initial,
  min,
  minRest = 200,
  start,
  end,
  className,
}: SplitProps) {
  const [size, setSize] = useState(() => readSize(name, initial));
  const box = useRef<HTMLDivElement>(null);
  const isRow = direction === 'row';
  const isWhole = !start || !end;
  const apply = (wanted: number) => {
    const rect = box.current?.getBoundingClientRect();
    const room = rect ? (isRow ? rect.width : rect.height) : Number.POSITIVE_INFINITY;
    const next = Math.round(Math.max(min, Math.min(room - minRest, wanted)));
    setSize(next);
    localStorage.setItem(storageKey(name), String(next));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return;
    const rect = box.current.getBoundingClientRect();
    const at = isRow ? event.clientX - rect.left : event.clientY - rect.top;
    apply(sized === 'start' ? at : (isRow ? rect.width : rect.height) - at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const grow = isRow ? ['ArrowRight', 'ArrowLeft'] : ['ArrowDown', 'ArrowUp'];
    const direction = grow.indexOf(event.key);
    if (direction === -1) return;
    event.preventDefault();
    const step = (event.shiftKey ? 64 : 16) * (direction === 0 ? 1 : -1);
    apply(size + (sized === 'start' ? step : -step));
  };
  const sizedStyle = {
    flex: `0 0 ${size}px`,
    [isRow ? 'maxWidth' : 'maxHeight']: `calc(100% - ${minRest}px)`,
  };
  return (
    <div ref={box} className={cx(styles.split, isRow ? styles.row : styles.column, className)}>
      {start && (
        <div className={styles.panel} style={sized === 'start' && !isWhole ? sizedStyle : undefined}>
          {start}
        </div>
      )}
      {!isWhole && (
        // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no <hr>
        <div
          role="separator"
          tabIndex={0}
          aria-label={`Size of ${label}`}
          aria-orientation={isRow ? 'vertical' : 'horizontal'}
          aria-valuenow={size}
          aria-valuemin={min}
          className={styles.handle}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onKeyDown={onKeyDown}
          onDoubleClick={() => apply(initial)}
        />
      )}
      {end && (
        <div className={styles.panel} style={sized === 'end' && !isWhole ? sizedStyle : undefined}>
          {end}
        </div>
      )}
    </div>
  );
}
