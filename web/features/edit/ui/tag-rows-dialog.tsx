import { type FormEvent, useId, useState } from 'react';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, Dialog, Select } from '../../../ui/index.ts';
import { editorOf } from '../model/editor-kind.ts';
import { useSuggestions } from '../suggestions.ts';
import styles from './edit-dialogs.module.css';
import type { RowsEditProps } from './set-value-dialog.tsx';
import { TagsField } from './tags-field.tsx';
import { useEditing } from './use-editing.tsx';

/** Adds tags to the selected rows and takes tags away; other tags of the rows stay. */
export function TagRowsDialog({ table, detail, selection, count, onDone, onClose }: RowsEditProps) {
  const formId = useId();
  const columns = detail.columns.filter((column) => editorOf(column, detail.key).kind === 'tags');
  const [column, setColumn] = useState(columns[0]?.name ?? '');
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const editing = useEditing(table, detail);
  const suggestions = useSuggestions(table, detail.ref, { name: column }, 'tags');
  const isEmpty = add.length === 0 && remove.length === 0;
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty || editing.isBusy) return;
    const tags = { ...(add.length > 0 ? { add } : {}), ...(remove.length > 0 ? { remove } : {}) };
    if (await editing.submit({ op: { op: 'tag', rows: selection, column, ...tags }, count })) onDone();
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Tag rows"
      description={`Changes tags of ${formatOf(count, 'row')}; their other tags stay.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form={formId}
            isBusy={editing.isBusy}
            whyNot={isEmpty ? 'Name a tag to add or to remove.' : null}
          >
            Tag {formatOf(count, 'row')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={(event) => void onSubmit(event)}>
        {columns.length > 1 && (
          <div className={styles.field}>
            <span className={styles.label} aria-hidden>
              Column
            </span>
            <Select
              label="Column"
              value={column}
              options={columns.map(({ name }) => ({ value: name, label: name }))}
              onChange={setColumn}
            />
          </div>
        )}
        <div className={styles.field}>
          <span className={styles.label} aria-hidden>
            Add
          </span>
          <TagsField
            label="Tags to add"
            tags={add}
            onChange={setAdd}
            suggestions={suggestions}
            placeholder="Tags to add…"
          />
        </div>
        <div className={styles.field}>
          <span className={styles.label} aria-hidden>
            Remove
          </span>
          <TagsField
            hasFocus={false}
            label="Tags to remove"
            tags={remove}
            onChange={setRemove}
            suggestions={suggestions}
            placeholder="Tags to remove…"
          />
        </div>
        {editing.problem}
      </form>
      {editing.dialog}
    </Dialog>
  );
}
