import { Pencil } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { pendingValue, usePendingCells } from '../../../state/pending-cells.ts';
import { Button, IconButton } from '../../../ui/index.ts';
import { editorOf } from '../model/editor-kind.ts';
import { CellEditor } from './cell-editor.tsx';
import styles from './editable-value.module.css';
import { useCellEditor } from './use-cell-editor.ts';

export interface EditableValueProps {
  table: string;
  detail: TableDetail;
  /** Row id. */
  row: string;
  column: Pick<ColumnInfo, 'name'>;
  /** As the rows carry it. */
  value: unknown;
  /** How the value looks; a function also shows what was just saved, before the rows that carry it arrive. */
  children: ReactNode | ((value: unknown) => ReactNode);
}

/** A value of the row panel that can be changed in its place: by its pencil or a double click. */
export function EditableValue({ table, detail, row, column, value, children }: EditableValueProps) {
  const [isOpen, setOpen] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const cells = usePendingCells(table, detail.ref.branch);
  const pending = detail.isHead
    ? pendingValue(cells, { rowId: row, column: column.name, version: detail.ref.version })
    : null;
  const info = detail.columns.find(({ name }) => name === column.name);
  const shown = pending ? pending.value : value;
  const content = typeof children === 'function' ? children(shown) : children;
  if (!info) return content;
  const editability = editorOf(info, detail.key);
  const close = () => {
    setOpen(false);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  if (isOpen)
    return <OpenEditor table={table} detail={detail} row={row} column={info} value={shown} onClose={close} />;
  const isEditable = editability.kind !== null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pencil beside it
    <div className={styles.value} onDoubleClick={isEditable ? () => setOpen(true) : undefined}>
      <div className={styles.content}>{content}</div>
      <IconButton
        ref={pencil}
        label={`Edit ${column.name}`}
        size="s"
        icon={<Pencil />}
        side="left"
        whyNot={editability.kind === null ? editability.reason : null}
        className={styles.pencil}
        onClick={() => setOpen(true)}
      />
    </div>
  );
}

interface OpenEditorProps {
  table: string;
  detail: TableDetail;
  row: string;
  column: ColumnInfo;
  value: unknown;
  onClose: () => void;
}

function OpenEditor(props: OpenEditorProps) {
  const { column, onClose } = props;
  const editing = useCellEditor(props);
  return (
    <div className={styles.open}>
      <CellEditor
        column={column}
        kind={editing.kind}
        draft={editing.draft}
        onChange={editing.change}
        problem={editing.problem}
        suggestions={editing.suggestions}
        onCommit={editing.commit}
        onCancel={onClose}
        isLabelHidden
        foot={
          <div className={styles.buttons}>
            <Button size="s" keys="Escape" onClick={onClose}>
              Cancel
            </Button>
            <Button
              size="s"
              look="primary"
              keys={editing.kind === 'json' ? 'Mod+Enter' : 'Enter'}
              isBusy={editing.isBusy}
              onClick={editing.commit}
            >
              Save
            </Button>
          </div>
        }
      />
      {editing.failure}
      {editing.dialog}
    </div>
  );
}

export interface GridCellEditorProps extends Omit<OpenEditorProps, 'column'> {
  column: Pick<ColumnInfo, 'name'>;
}

/** The editor that a grid lays over a cell; says why where the cell cannot be typed. */
export function GridCellEditor(props: GridCellEditorProps) {
  const { detail, column, onClose } = props;
  const info = detail.columns.find(({ name }) => name === column.name);
  const editability = info ? editorOf(info, detail.key) : null;
  if (!info || !editability) return null;
  return (
    <div className={styles.floating}>
      {editability.kind === null ? (
        // biome-ignore lint/a11y/noAutofocus: so that a key takes the note away
        <button type="button" className={styles.reason} onClick={onClose} onBlur={onClose} autoFocus>
          {editability.reason}
        </button>
      ) : (
        <OpenEditor {...props} column={info} />
      )}
    </div>
  );
}
