import { Columns3, GripVertical } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { useCommands } from '../../../state/commands.ts';
import { Button, Checkbox, cx, IconButton, Popover } from '../../../ui/index.ts';
import {
  type GridColumn,
  type GridLayout,
  isShown,
  moveColumn,
  orderColumns,
  plainLayout,
  setShown,
  TypeGlyph,
} from '../../grid/index.ts';
import styles from './table.module.css';

export interface ColumnChooserProps {
  columns: readonly GridColumn[];
  layout: GridLayout;
  onLayoutChange: (layout: GridLayout) => void;
}

const fewColumns = 9;

/** Which columns are shown, in which order. */
export function ColumnChooser({ columns, layout, onLayoutChange }: ColumnChooserProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [dropBefore, setDropBefore] = useState<string | null>(null);
  useCommands([
    {
      id: 'table.columns',
      title: 'Choose columns',
      group: 'View',
      keys: ['Shift+C'],
      run: () => setOpen(true),
    },
  ]);
  const ordered = orderColumns(columns, layout);
  const shownCount = ordered.filter((column) => isShown(column, layout)).length;
  const found = ordered.filter((column) => column.name.toLowerCase().includes(text.toLowerCase()));
  const setAll = (isOn: boolean) =>
    onLayoutChange(
      found.reduce((next, column) => (column.isHidden && isOn ? next : setShown(next, column, isOn)), layout),
    );
  const onDrop = (event: DragEvent, before: string) => {
    event.preventDefault();
    setDropBefore(null);
    onLayoutChange(moveColumn(layout, columns, event.dataTransfer.getData('text/plain'), before));
  };
  return (
    <Popover
      label="Columns"
      isFlush
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={<IconButton label="Columns" keys="Shift+C" icon={<Columns3 />} />}
    >
      <div className={styles.chooser}>
        {columns.length > fewColumns && (
          <input
            className={styles.chooserSearch}
            placeholder="Find a column…"
            aria-label="Find a column"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <ul className={styles.chooserList}>
          {found.map((column) => (
            <li
              key={column.name}
              className={cx(styles.chooserItem, dropBefore === column.name && styles.chooserDrop)}
              draggable
              onDragStart={(event) => event.dataTransfer.setData('text/plain', column.name)}
              onDragOver={(event) => {
                event.preventDefault();
                setDropBefore(column.name);
              }}
              onDrop={(event) => onDrop(event, column.name)}
              onDragEnd={() => setDropBefore(null)}
            >
              <Checkbox
                isChecked={isShown(column, layout)}
                onChange={(isOn) => onLayoutChange(setShown(layout, column, isOn))}
                label={
                  <span className={styles.chooserName}>
                    <TypeGlyph column={column} />
                    {column.name}
                  </span>
                }
              />
              <GripVertical size={14} className={styles.grip} aria-hidden />
            </li>
          ))}
        </ul>
        <div className={styles.chooserFoot}>
          <span className={styles.chooserCount}>
            {shownCount} of {columns.length}
          </span>
          <Button size="s" look="quiet" onClick={() => setAll(true)}>
            Show all
          </Button>
          <Button size="s" look="quiet" onClick={() => setAll(false)}>
            Hide all
          </Button>
          <Button
            size="s"
            look="quiet"
            tip="Widths, order, pins and what is hidden, as at first"
            onClick={() => {
              onLayoutChange({ ...plainLayout, density: layout.density, hasSummaries: layout.hasSummaries });
            }}
          >
            Reset
          </Button>
        </div>
      </div>
    </Popover>
  );
}
