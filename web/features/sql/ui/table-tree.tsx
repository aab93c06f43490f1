import { ChevronRight, Table2 } from 'lucide-react';
import { type DragEvent, memo, useState } from 'react';
import type { TableSummary } from '#shared/api/tables.ts';
import { useSession, useTableDetail } from '../../../api/index.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { cx, ErrorNote, Skeleton } from '../../../ui/index.ts';
import { gridColumnsOf, TypeGlyph } from '../../grid/index.ts';
import { nameDragType, writeName } from '../model/quote-name.ts';
import styles from './table-tree.module.css';

export interface TableTreeProps {
  refs: Record<string, string>;
  /** Writes a name at the caret. */
  onInsert: (text: string) => void;
}

/** Tables with their columns; a click writes a name into the statement. */
export const TableTree = memo(function TableTree({ refs, onInsert }: TableTreeProps) {
  const { data: session, error, refetch } = useSession();
  return (
    <div className={styles.tree}>
      <ErrorNote error={error} title="The tables cannot be listed." onRetry={() => void refetch()} />
      <ul aria-label="Tables">
        {session?.tables.map((table) => (
          <TableItem
            key={table.name}
            table={table}
            refText={refs[table.name] ?? 'main'}
            isOpenAtFirst={session.tables.length === 1}
            onInsert={onInsert}
          />
        ))}
      </ul>
    </div>
  );
});

interface TableItemProps {
  table: TableSummary;
  refText: string;
  isOpenAtFirst: boolean;
  onInsert: (text: string) => void;
}

function TableItem({ table, refText, isOpenAtFirst, onInsert }: TableItemProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <div className={styles.table}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-label={`Columns of ${table.name}`}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight className={cx(styles.chevron, isOpen && styles.open)} aria-hidden />
        </button>
        <button
          type="button"
          className={styles.name}
          onClick={() => onInsert(writeName(table.name))}
          title={`Write ${table.name}; or drag it into the statement`}
          {...draggable(writeName(table.name))}
        >
          <Table2 className={styles.glyph} aria-hidden />
          <span className={styles.text}>{table.name}</span>
          <span className={styles.detail}>{refText === 'main' ? formatCount(table.rows) : refText}</span>
        </button>
      </div>
      {isOpen && <Columns table={table.name} refText={refText} onInsert={onInsert} />}
    </li>
  );
}

const draggable = (name: string) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(nameDragType, name);
    event.dataTransfer.setData('text/plain', name);
    event.dataTransfer.effectAllowed = 'copy';
  },
});

function Columns({
  table,
  refText,
  onInsert,
}: {
  table: string;
  refText: string;
  onInsert: (text: string) => void;
}) {
  const { data, error, refetch } = useTableDetail(table, refText);
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div className={styles.waiting}>
        <Skeleton />
      </div>
    );
  return (
    <ul className={styles.columns} aria-label={`Columns of ${table}`}>
      {gridColumnsOf(data.columns, data.key)
        .filter(({ isHidden }) => !isHidden)
        .map((column) => (
          <li key={column.name}>
            <button
              type="button"
              className={styles.column}
              onClick={() => onInsert(writeName(column.name))}
              title={column.description === '' ? `${column.name}: ${column.type}` : column.description}
              {...draggable(writeName(column.name))}
            >
              <TypeGlyph column={column} />
              <span className={styles.text}>{column.name}</span>
              <span className={styles.type}>{column.type}</span>
            </button>
          </li>
        ))}
    </ul>
  );
}
