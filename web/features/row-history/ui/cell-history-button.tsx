import { History } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { closeCellHistory, useIsHistoryWanted } from '../../../state/cell-history.ts';
import { IconButton, Popover } from '../../../ui/index.ts';
import { EventList } from './event-list.tsx';
import styles from './row-history.module.css';

export interface CellHistoryButtonProps {
  table: string;
  detail: TableDetail | undefined;
  pinnedRef: string;
  rowId: string;
  column: string;
  className?: string;
}

/** A small clock that opens who set this cell, when, and in which review. */
export function CellHistoryButton({ column, className, ...row }: CellHistoryButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isWanted = useIsHistoryWanted({ rowId: row.rowId, column });
  useEffect(() => {
    if (!isWanted) return;
    closeCellHistory();
    button.current?.scrollIntoView({ block: 'center' });
    setOpen(true);
  }, [isWanted]);
  return (
    <Popover
      label={`History of ${column}`}
      align="end"
      isFlush
      isOpen={isOpen}
      onOpenChange={setOpen}
      className={styles.popover}
      trigger={
        <IconButton
          ref={button}
          label={`History of ${column}`}
          size="s"
          side="left"
          icon={<History />}
          className={isOpen ? undefined : className}
        />
      }
    >
      <h3 className={styles.popoverTitle}>History of {column}</h3>
      <div className={styles.popoverBody}>
        <EventList {...row} column={column} />
      </div>
    </Popover>
  );
}
