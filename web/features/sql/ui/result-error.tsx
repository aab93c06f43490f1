import { useStore } from 'zustand';
import type { AppError } from '#shared/api/problem.ts';
import { useSession } from '../../../api/index.ts';
import { Button, ErrorNote } from '../../../ui/index.ts';
import { planRefChange, type RefChange } from '../model/rewrite-ref.ts';
import { placeOfRun, type Run } from '../runs.ts';
import { sqlStore } from '../store.ts';

export interface ErrorWays {
  /** Shows the error's place in the editor. */
  onShowError: () => void;
  /** Runs it on the newest versions instead. */
  onLatest: () => void;
  /** Writes another ref into the text and runs it. */
  onRefChange: (change: RefChange) => void;
}

interface ResultErrorProps extends ErrorWays {
  runKey: string;
  run: Run;
  error: AppError;
  isWhole: boolean;
}

/** What was wrong with the statement that ran last, and the ways on. */
export function ResultError({ runKey, run, error, isWhole, ...ways }: ResultErrorProps) {
  const { tabId, cell } = placeOfRun(runKey);
  const sql = useStore(sqlStore, ({ tabs }) => tabs.find(({ id }) => id === tabId)?.sql ?? '');
  const isThere = sql.includes(run.statement.text);
  return (
    <ErrorNote
      isWhole={isWhole}
      error={error}
      title={isThere ? placeOfError(error, run.errorCell, cell) : 'In the statement that ran last'}
      actions={isThere && <Ways sql={sql} error={error} {...ways} />}
    />
  );
}

function Ways({
  sql,
  error,
  onShowError,
  onLatest,
  onRefChange,
}: ErrorWays & { sql: string; error: AppError }) {
  const { data: session } = useSession();
  const change = planRefChange(error, sql, session?.tables ?? []);
  if (change)
    return (
      <Button size="s" onClick={() => onRefChange(change)}>
        Read {change.to} in place of “{change.from}”
      </Button>
    );
  if (error.code === 'GONE')
    return (
      <Button size="s" onClick={onLatest}>
        Run on the latest
      </Button>
    );
  return (
    error.at && (
      <Button size="s" onClick={onShowError}>
        Show the place
      </Button>
    )
  );
}

function placeOfError({ at }: AppError, cell: string | null, own: string): string | undefined {
  if (!at) return undefined;
  const place = `line ${at.line}, column ${at.column}`;
  return cell !== null && cell !== own ? `In the cell ${cell}, ${place}` : `L${place.slice(1)}`;
}
