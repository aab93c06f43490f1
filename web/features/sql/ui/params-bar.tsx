import { useId } from 'react';
import { type ParamType, paramTypes, type QueryParam, whyNotParam } from '#shared/domain/query-param.ts';
import { Select, Tooltip } from '../../../ui/index.ts';
import { paramsShown } from '../model/params-shown.ts';
import { type SqlTab, setParam } from '../store.ts';
import styles from './params-bar.module.css';

const typeNames: Record<ParamType, string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'True or false',
  date: 'Date',
  timestamp: 'Time',
  list: 'List of texts',
};
const types = paramTypes.map((value) => ({ value, label: typeNames[value] }));

/** Values for `$name` in the text. */
export function ParamsBar({ tab, onRun }: { tab: SqlTab; onRun: () => void }) {
  const params = paramsShown(tab.sql, tab.params);
  if (params.length === 0) return null;
  return (
    <fieldset className={styles.bar} aria-label="Parameters">
      {params.map((param) => (
        <ParamField
          key={param.name}
          param={param}
          onChange={(change) => setParam(tab.id, { ...param, ...change })}
          onRun={onRun}
        />
      ))}
    </fieldset>
  );
}

interface ParamFieldProps {
  param: QueryParam;
  onChange: (change: Partial<QueryParam>) => void;
  onRun: () => void;
}

function ParamField({ param, onChange, onRun }: ParamFieldProps) {
  const id = useId();
  const { name, type, value } = param;
  const why = value === null ? null : whyNotParam(param);
  const shared = {
    id,
    className: styles.input,
    placeholder: 'NULL',
    value: value ?? '',
    'aria-invalid': why !== null,
    'aria-describedby': why === null ? undefined : `${id}-why`,
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === 'Enter' && (type !== 'list' || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        onRun();
      }
    },
  };
  const read = (text: string): string | null =>
    text === '' && type !== 'text' && type !== 'list' ? null : text;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.name}>
        ${name}
      </label>
      {type === 'boolean' ? (
        <select {...shared} onChange={(event) => onChange({ value: event.target.value || null })}>
          <option value="">NULL</option>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : type === 'list' ? (
        <textarea
          {...shared}
          rows={Math.min(4, Math.max(1, (value ?? '').split('\n').length))}
          placeholder="one a line"
          onChange={(event) => onChange({ value: event.target.value })}
        />
      ) : (
        <input
          {...shared}
          type={type === 'date' ? 'date' : 'text'}
          inputMode={type === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ value: read(event.target.value) })}
        />
      )}
      <Select
        label={`Type of $${name}`}
        isQuiet
        value={type}
        options={types}
        onChange={(next) => onChange({ type: next })}
      />
      {value !== null && type === 'text' && (
        <Tooltip text="Make it NULL">
          <button
            type="button"
            className={styles.clear}
            aria-label={`Make $${name} NULL`}
            onClick={() => onChange({ value: null })}
          >
            ×
          </button>
        </Tooltip>
      )}
      {why !== null && (
        <span id={`${id}-why`} role="alert" className={styles.why}>
          {why}
        </span>
      )}
    </div>
  );
}
