import { Play } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';
import type { CheckResult } from '#shared/api/review-parts.ts';
import type { Check } from '#shared/domain/checks.ts';
import { tablePath } from '../../../state/addresses.ts';
import { formatElapsed, formatOf } from '../../../ui/format-quantity.ts';
import { Button, ErrorNote, Segmented, TextArea, TextField } from '../../../ui/index.ts';
import { type CheckDraft, toCheck, toDraft, whyNotKept } from '../model/edit-checks.ts';
import { useTryCheck } from '../use-try-check.ts';
import { CheckProgress } from './check-progress.tsx';
import styles from './dialogs.module.css';
import { SampleRows } from './sample-rows.tsx';

export interface CheckEditorProps {
  table: string;
  /** The ref on which it is tried. */
  tryOn: string;
  initial: Check | null;
  /** Names of the other checks. */
  taken: readonly string[];
  onSave: (check: Check) => Promise<void>;
  onCancel: () => void;
}

/** One check: what rows must satisfy, and what it finds now. */
export function CheckEditor({ table, tryOn, initial, taken, onSave, onCancel }: CheckEditorProps) {
  const [draft, setDraft] = useState<CheckDraft>(() => toDraft(initial));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const trial = useTryCheck(table);
  const change = (part: Partial<CheckDraft>) => setDraft((before) => ({ ...before, ...part }));
  const whyNot = whyNotKept(draft, taken);
  const save = async (event?: FormEvent | KeyboardEvent) => {
    event?.preventDefault();
    if (whyNot || isBusy) return;
    setBusy(true);
    setError(null);
    try {
      await onSave(toCheck(draft));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const tryIt = () => {
    void trial.run(tryOn, toCheck({ ...draft, name: draft.name.trim() || 'the check' }));
  };
  return (
    <form
      className={styles.editor}
      aria-label={initial ? `Check ${initial.name}` : 'New check'}
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void save(event);
        if (event.key === 'Escape') {
          event.stopPropagation();
          event.preventDefault();
          onCancel();
        }
      }}
    >
      <div className={styles.pair}>
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => change({ name })}
          placeholder="no empty label"
          maxLength={80}
          autoFocus
        />
        <TextField
          label="Description (optional)"
          value={draft.description}
          onChange={(description) => change({ description })}
          placeholder="Why it must hold"
        />
      </div>
      <div className={styles.buttons}>
        <Segmented
          label="Kind"
          value={draft.kind}
          onChange={(kind) => change({ kind })}
          options={[
            { value: 'where', label: 'Condition' },
            { value: 'sql', label: 'SQL statement' },
          ]}
        />
        <Segmented
          label="Weight"
          value={draft.severity}
          onChange={(severity) => change({ severity })}
          options={[
            { value: 'required', label: 'Required' },
            { value: 'warning', label: 'Warning only' },
          ]}
        />
      </div>
      <TextArea
        label={draft.kind === 'where' ? 'Every row must satisfy' : 'Statement that returns the failing rows'}
        hint={
          draft.kind === 'where'
            ? 'A condition in SQL, as in a filter. Rows of which it is unknown (null) pass.'
            : `"${table}" means the rows that the merge would give, "${table}@main" those of main.`
        }
        isMono
        value={draft.text}
        onChange={(text) => change({ text })}
        rows={draft.kind === 'where' ? 2 : 6}
        placeholder={draft.kind === 'where' ? 'label IS NOT NULL' : `SELECT * FROM "${table}" WHERE …`}
        spellCheck={false}
      />
      {trial.jobId && trial.isRunning && <CheckProgress jobId={trial.jobId} />}
      {trial.result && !trial.isRunning && <Found table={table} on={tryOn} result={trial.result} />}
      <ErrorNote error={trial.error} title="It could not be tried." />
      <ErrorNote error={error} title="The check was not kept." />
      <div className={styles.buttons}>
        <Button
          size="s"
          icon={<Play />}
          isBusy={trial.isRunning}
          whyNot={draft.text.trim() === '' ? 'There is nothing to try.' : null}
          onClick={tryIt}
        >
          Try it on {tryOn}
        </Button>
        <span className={styles.space} />
        <Button size="s" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="s" look="primary" type="submit" keys="Mod+Enter" whyNot={whyNot} isBusy={isBusy}>
          Save the check
        </Button>
      </div>
    </form>
  );
}

function Found({ table, on, result }: { table: string; on: string; result: CheckResult }) {
  const { outcome, failing, scope, elapsedMs, sample, open, problem } = result;
  return (
    <div className={styles.found} role="status" aria-label="What it found">
      {outcome === 'error' ? (
        <p className={styles.failed}>
          {problem?.detail ?? 'It could not be run.'} {problem?.hint}
          {problem?.at && ` (line ${problem.at.line}, column ${problem.at.column})`}
        </p>
      ) : (
        <p>
          <strong className={outcome === 'passed' ? styles.passed : styles.failed}>
            {outcome === 'passed'
              ? 'Passes'
              : `${formatOf(failing ?? 0, 'row')} ${failing === 1 ? 'fails' : 'fail'}`}
          </strong>{' '}
          on {on}: {scope} · {formatElapsed(elapsedMs)}{' '}
          {open && (
            <Link
              href={tablePath(table, { ref: open.ref, where: [open.where] })}
              title={`Shows ${open.covers}`}
            >
              Open them
            </Link>
          )}
        </p>
      )}
      {sample.length > 0 && <SampleRows rows={sample} total={failing} />}
    </div>
  );
}
