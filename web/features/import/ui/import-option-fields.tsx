import { Checkbox, Select, TextField } from '../../../ui/index.ts';
import { type ImportDraft, type ImportFormat, optionsFor } from '../model.ts';
import styles from './import-dialog.module.css';

const formats: { value: ImportFormat; label: string }[] = [
  { value: 'auto', label: 'By the bytes' },
  { value: 'parquet', label: 'Parquet' },
  { value: 'csv', label: 'CSV' },
  { value: 'tsv', label: 'TSV' },
  { value: 'ndjson', label: 'JSON lines' },
  { value: 'json', label: 'JSON' },
  { value: 'arrow', label: 'Arrow IPC' },
  { value: 'folder', label: 'Folder of media' },
];

export interface ImportOptionFieldsProps {
  draft: ImportDraft;
  onChange: (patch: Partial<ImportDraft>) => void;
  delimiterProblem: string | null;
}

/** How the sources are read; only what makes sense for them. */
export function ImportOptionFields({ draft, onChange, delimiterProblem }: ImportOptionFieldsProps) {
  const { isText, isFolder } = optionsFor(draft);
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">Format</legend>
      <div className={styles.format}>
        <span className={styles.label} aria-hidden>
          Format
        </span>
        <Select
          label="Format"
          value={draft.format}
          options={formats}
          onChange={(format) => onChange({ format })}
        />
      </div>
      {isText && (
        <>
          <TextField
            label="Delimiter"
            value={draft.delimiter}
            onChange={(delimiter) => onChange({ delimiter })}
            placeholder="found by itself"
            error={delimiterProblem}
            className={styles.short}
            isMono
          />
          <Checkbox
            label="The first line has the names"
            isChecked={draft.hasHeader}
            onChange={(hasHeader) => onChange({ hasHeader })}
          />
        </>
      )}
      {isFolder && (
        <TextField
          label="Metadata file (optional)"
          value={draft.metadata}
          onChange={(metadata) => onChange({ metadata })}
          placeholder="metadata.jsonl"
          className={styles.grow}
          isMono
        />
      )}
    </fieldset>
  );
}
