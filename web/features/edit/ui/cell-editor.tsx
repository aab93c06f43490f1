import { type KeyboardEvent, type ReactNode, useId } from 'react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { Checkbox, Segmented, TextArea, TextField } from '../../../ui/index.ts';
import type { Draft } from '../model/draft.ts';
import { type EditorKind, zoneOf } from '../model/editor-kind.ts';
import styles from './cell-editor.module.css';
import { TagsField } from './tags-field.tsx';

export interface CellEditorProps {
  column: Pick<ColumnInfo, 'name' | 'type' | 'nullable'>;
  kind: EditorKind;
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** What is wrong with the draft. */
  problem: string | null;
  /** Values that the column already has. */
  suggestions: readonly string[];
  onCommit: () => void;
  onCancel: () => void;
  isLabelHidden?: boolean;
  /** Beside the switch for null: the buttons. */
  foot?: ReactNode;
}

const emptyOf: Record<EditorKind, Draft> = {
  text: '',
  label: '',
  integer: '',
  number: '',
  boolean: false,
  timestamp: '',
  date: '',
  tags: [],
  json: '',
};

const zoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The control that changes one value: by its type, with a switch for null. Enter takes it, Escape leaves it. */
export function CellEditor(props: CellEditorProps) {
  const { column, kind, draft, onChange, onCommit, onCancel } = props;
  const isMultiline = kind === 'text' || kind === 'json';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onCancel();
    }
    const isCommit =
      event.key === 'Enter' &&
      !event.shiftKey &&
      (!isMultiline || kind === 'text' || event.metaKey || event.ctrlKey);
    if (!isCommit || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onCommit();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work in whichever control has the focus
    <div className={styles.editor} onKeyDown={onKeyDown}>
      {draft === null ? <NullField {...props} /> : <ValueField {...props} />}
      {(column.nullable || props.foot) && (
        <div className={styles.foot}>
          {column.nullable && (
            <Checkbox
              label="null"
              isChecked={draft === null}
              onChange={(isNull) => onChange(isNull ? null : emptyOf[kind])}
            />
          )}
          {props.foot}
        </div>
      )}
    </div>
  );
}

function NullField({ column, kind, onChange, problem, isLabelHidden }: CellEditorProps) {
  return (
    <TextField
      label={column.name}
      isLabelHidden={isLabelHidden}
      value=""
      placeholder="null"
      readOnly={kind === 'boolean' || kind === 'tags'}
      onChange={(text) => onChange(text)}
      error={problem}
      autoFocus
    />
  );
}

function ValueField({ column, kind, draft, onChange, problem, suggestions, isLabelHidden }: CellEditorProps) {
  const listId = useId();
  const shared = { label: column.name, isLabelHidden, error: problem };
  const text = typeof draft === 'string' ? draft : '';
  switch (kind) {
    case 'text':
      return (
        <TextArea
          {...shared}
          value={text}
          onChange={onChange}
          rows={2}
          autoFocus
          onFocus={(event) => event.target.select()}
        />
      );
    case 'json':
      return <TextArea {...shared} value={text} onChange={onChange} rows={5} isMono autoFocus />;
    case 'boolean':
      return (
        <Segmented
          label={column.name}
          value={draft === true ? 'yes' : 'no'}
          options={[
            { value: 'yes', label: 'true' },
            { value: 'no', label: 'false' },
          ]}
          onChange={(next) => onChange(next === 'yes')}
        />
      );
    case 'tags':
      return (
        <TagsField
          label={column.name}
          tags={Array.isArray(draft) ? draft : []}
          onChange={onChange}
          suggestions={suggestions}
          problem={problem}
        />
      );
    case 'timestamp': {
      const hint = zoneOf(column.type) === null ? 'Without a zone, as it is stored' : `In ${zoneName()}`;
      return (
        <TextField
          {...shared}
          value={text}
          onChange={onChange}
          type="datetime-local"
          step="0.001"
          hint={hint}
          autoFocus
        />
      );
    }
    case 'date':
      return <TextField {...shared} value={text} onChange={onChange} type="date" autoFocus />;
    case 'label':
      return (
        <>
          <TextField
            {...shared}
            value={text}
            onChange={onChange}
            list={listId}
            autoFocus
            onFocus={(event) => event.target.select()}
          />
          <datalist id={listId}>
            {suggestions.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        </>
      );
    case 'integer':
    case 'number':
      return (
        <TextField
          {...shared}
          value={text}
          onChange={onChange}
          inputMode="decimal"
          isMono
          autoFocus
          onFocus={(event) => event.target.select()}
        />
      );
  }
}
