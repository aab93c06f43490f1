import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { cx } from './cx.ts';
import styles from './drop-area.module.css';

export interface DropAreaProps {
  /** What happens with what is dropped here, as it is dragged over. */
  label: string;
  /** Whether this is for here; else it is left to what lies around. */
  accepts: (transfer: DataTransfer) => boolean;
  onFiles: (files: File[]) => void;
  className?: string;
  children: ReactNode;
}

/** A part of the page that takes dropped files for itself. */
export function DropArea({ label, accepts, onFiles, className, children }: DropAreaProps) {
  const depth = useRef(0);
  const [isOver, setOver] = useState(false);
  const leave = () => {
    depth.current = 0;
    setOver(false);
  };
  const take = (event: DragEvent, work: () => void) => {
    if (!accepts(event.dataTransfer)) return;
    event.preventDefault();
    event.stopPropagation();
    work();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button that chooses files
    <div
      className={cx(styles.area, className)}
      onDragEnter={(event) =>
        take(event, () => {
          depth.current += 1;
          setOver(true);
        })
      }
      onDragOver={(event) =>
        take(event, () => {
          event.dataTransfer.dropEffect = 'copy';
        })
      }
      onDragLeave={(event) => {
        if (!isOver) return;
        event.stopPropagation();
        depth.current -= 1;
        if (depth.current <= 0) leave();
      }}
      onDrop={(event) =>
        take(event, () => {
          leave();
          onFiles(Array.from(event.dataTransfer.files));
        })
      }
    >
      {children}
      {isOver && (
        <div className={styles.over}>
          <span className={styles.overText}>{label}</span>
        </div>
      )}
    </div>
  );
}
