import { PencilLine, Tags, Trash2 } from 'lucide-react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { Selection } from '#shared/domain/selection.ts';
import { useCommands } from '../../../state/commands.ts';
import { Button } from '../../../ui/index.ts';
import { editorOf } from '../model/editor-kind.ts';
import { closeEditDialog, openEditDialog, useEditDialog } from '../store.ts';
import styles from './selection-actions.module.css';
import { SetValueDialog } from './set-value-dialog.tsx';
import { TagRowsDialog } from './tag-rows-dialog.tsx';
import { useEditing } from './use-editing.tsx';

export interface SelectionActionsProps {
  table: string;
  detail: TableDetail;
  selection: Selection;
  /** Rows of the selection. */
  count: number;
  /** The rows were changed or are gone. */
  onDone: () => void;
}

/** What can be done with the selected rows: set a value, tag, delete. One request and one step each. */
export function SelectionActions(props: SelectionActionsProps) {
  const { table, detail, selection, count, onDone } = props;
  const dialog = useEditDialog();
  const editing = useEditing(table, detail);
  const hasTags = detail.columns.some((column) => editorOf(column, detail.key).kind === 'tags');
  const whyNone = count === 0 ? 'No rows are selected' : null;
  const whyNoTags = whyNone ?? (hasTags ? null : 'No column of this table holds lists of tags');
  const remove = async () => {
    if (await editing.submit({ op: { op: 'delete', rows: selection }, count })) onDone();
  };
  const finish = () => {
    closeEditDialog();
    onDone();
  };
  useCommands([
    {
      id: 'edit.setValue',
      title: 'Set a value on the selected rows',
      group: 'Selected rows',
      keys: ['Shift+E'],
      whyNot: () => whyNone,
      run: () => openEditDialog({ kind: 'setValue' }),
    },
    {
      id: 'edit.tag',
      title: 'Tag the selected rows',
      group: 'Selected rows',
      keys: ['t'],
      whyNot: () => whyNoTags,
      run: () => openEditDialog({ kind: 'tag' }),
    },
    {
      id: 'edit.delete',
      title: 'Delete the selected rows',
      group: 'Selected rows',
      keys: ['Delete'],
      whyNot: () => whyNone,
      run: remove,
    },
  ]);
  if (count === 0) return null;
  return (
    <>
      <Button
        size="s"
        icon={<PencilLine />}
        keys="Shift+E"
        onClick={() => openEditDialog({ kind: 'setValue' })}
      >
        Set value…
      </Button>
      {hasTags && (
        <Button size="s" icon={<Tags />} keys="t" onClick={() => openEditDialog({ kind: 'tag' })}>
          Tag…
        </Button>
      )}
      <Button size="s" icon={<Trash2 />} keys="Delete" isBusy={editing.isBusy} onClick={() => void remove()}>
        Delete
      </Button>
      {editing.problem && <div className={styles.problem}>{editing.problem}</div>}
      {editing.dialog}
      {dialog?.kind === 'setValue' && (
        <SetValueDialog {...props} column={dialog.column} onDone={finish} onClose={closeEditDialog} />
      )}
      {dialog?.kind === 'tag' && <TagRowsDialog {...props} onDone={finish} onClose={closeEditDialog} />}
    </>
  );
}
