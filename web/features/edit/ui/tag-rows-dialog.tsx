import { useState } from 'react';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Field, FormDialog, Select } from '../../../ui/index.ts';
import { editorOf } from '../model/editor-kind.ts';
import { useSuggestions } from '../suggestions.ts';
import type { RowsEditProps } from './set-value-dialog.tsx';
import { TagsField } from './tags-field.tsx';
import { useEditing } from './use-editing.tsx';

/** Adds tags to the selected rows and takes tags away; other tags of the rows stay. */
export function TagRowsDialog({ table, detail, selection, count, onDone, onClose }: RowsEditProps) {
  const columns = detail.columns.filter((column) => editorOf(column, detail.key).kind === 'tags');
  const [column, setColumn] = useState(columns[0]?.name ?? '');
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const editing = useEditing(table, detail);
  const suggestions = useSuggestions(table, detail.ref, { name: column }, 'tags');
  const isEmpty = add.length === 0 && remove.length === 0;
  const submit = async () => {
    const tags = { ...(add.length > 0 ? { add } : {}), ...(remove.length > 0 ? { remove } : {}) };
    if (await editing.submit({ op: { op: 'tag', rows: selection, column, ...tags }, count })) onDone();
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Tag rows"
      description={`Changes tags of ${formatOf(count, 'row')}; their other tags stay.`}
      action={`Tag ${formatOf(count, 'row')}`}
      whyNot={isEmpty ? 'Name a tag to add or to remove.' : null}
      isBusy={editing.isBusy}
      onSubmit={() => void submit()}
      beside={editing.dialog}
    >
      {columns.length > 1 && (
        <Field label="Column">
          <Select
            label="Column"
            value={column}
            options={columns.map(({ name }) => ({ value: name, label: name }))}
            onChange={setColumn}
          />
        </Field>
      )}
      <Field label="Add">
        <TagsField
          label="Tags to add"
          tags={add}
          onChange={setAdd}
          suggestions={suggestions}
          placeholder="Tags to add…"
        />
      </Field>
      <Field label="Remove">
        <TagsField
          hasFocus={false}
          label="Tags to remove"
          tags={remove}
          onChange={setRemove}
          suggestions={suggestions}
          placeholder="Tags to remove…"
        />
      </Field>
      {editing.problem}
    </FormDialog>
  );
}
