import { useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import type { Selection } from '#shared/domain/selection.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Combobox, Field, FormDialog, Segmented, TextArea } from '../../../ui/index.ts';
import { type Draft, parseDraft } from '../model/draft.ts';
import { editorOf } from '../model/editor-kind.ts';
import { useSuggestions } from '../suggestions.ts';
import { CellEditor } from './cell-editor.tsx';
import { useEditing } from './use-editing.tsx';

export interface RowsEditProps {
  table: string;
  detail: TableDetail;
  selection: Selection;
  /** Rows of the selection. */
  count: number;
  onDone: () => void;
  onClose: () => void;
}

export interface SetValueDialogProps extends RowsEditProps {
  column?: string;
}

const emptyDraft = (kind: string | null): Draft => (kind === 'boolean' ? true : kind === 'tags' ? [] : '');

/** One value, or one expression, for a column of all selected rows. */
export function SetValueDialog({
  table,
  detail,
  selection,
  count,
  column: initialColumn,
  onDone,
  onClose,
}: SetValueDialogProps) {
  const choices = detail.columns.filter(
    (column) => !column.hidden && editorOf(column, detail.key).kind !== null,
  );
  const [name, setName] = useState(initialColumn ?? choices[0]?.name);
  const column: ColumnInfo | undefined = choices.find((choice) => choice.name === name);
  const kind = column ? editorOf(column, detail.key).kind : null;
  const [way, setWay] = useState<'value' | 'sql'>('value');
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(kind));
  const [sql, setSql] = useState('');
  const [hasTried, setTried] = useState(false);
  const editing = useEditing(table, detail);
  const suggestions = useSuggestions(table, detail.ref, { name: name ?? '' }, kind);
  const parsed = column && kind ? parseDraft(kind, draft, column) : null;
  const submit = async () => {
    setTried(true);
    if (!column || editing.isBusy) return;
    let op: EditOp;
    if (way === 'sql') {
      if (sql.trim() === '') return;
      op = { op: 'setSql', rows: selection, values: { [column.name]: sql.trim() } };
    } else {
      if (!parsed?.isValid) return;
      op = { op: 'set', rows: selection, values: { [column.name]: parsed.value } };
    }
    if (await editing.submit({ op, count })) onDone();
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Set value"
      description={`Gives one column the same value on ${formatOf(count, 'row')}, as one step that can be undone.`}
      action={`Set on ${formatOf(count, 'row')}`}
      whyNot={column ? null : 'No column of this table can be typed.'}
      isBusy={editing.isBusy}
      onSubmit={() => void submit()}
      beside={editing.dialog}
    >
      <Field label="Column">
        <Combobox
          label="Column"
          value={name}
          options={choices.map((choice) => ({ value: choice.name, label: choice.name, hint: choice.type }))}
          onChange={(next) => {
            setName(next);
            const chosen = choices.find((choice) => choice.name === next);
            setDraft(emptyDraft(chosen ? editorOf(chosen, detail.key).kind : null));
            editing.clearError();
          }}
        />
      </Field>
      <Segmented
        label="Set to"
        value={way}
        onChange={setWay}
        options={[
          { value: 'value', label: 'A value' },
          { value: 'sql', label: 'An SQL expression' },
        ]}
      />
      {column && kind && way === 'value' && (
        <CellEditor
          key={column.name}
          column={{ ...column, name: 'Value' }}
          kind={kind}
          draft={draft}
          onChange={(next) => {
            setDraft(next);
            editing.clearError();
          }}
          problem={hasTried && parsed && !parsed.isValid ? parsed.problem : null}
          suggestions={suggestions}
          onCommit={() => void submit()}
          onCancel={onClose}
        />
      )}
      {way === 'sql' && (
        <TextArea
          label="Expression"
          value={sql}
          onChange={(text) => {
            setSql(text);
            editing.clearError();
          }}
          isMono
          autoFocus
          placeholder={`lower(${name ?? 'title'})`}
          hint="Computed on each row; columns by their names."
          error={hasTried && sql.trim() === '' ? 'Write an expression.' : null}
        />
      )}
      {editing.problem}
    </FormDialog>
  );
}
