import { CircleAlert, Info, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import styles from './notes.module.css';

export interface ErrorNoteProps {
  error: unknown;
  /** What failed, where the place does not say it: “The rows cannot be shown.” */
  title?: ReactNode;
  onRetry?: () => void;
  /** Other ways out. */
  actions?: ReactNode;
  /** Fills its place instead of standing in the text. */
  isWhole?: boolean;
  className?: string;
}

/** Says where it happened what went wrong, why and what to do. Nothing for what was cancelled. */
export function ErrorNote({ error, title, onRetry, actions, isWhole, className }: ErrorNoteProps) {
  if (!error || (isAppError(error) && error.code === 'ABORTED')) return null;
  const { message, hint, issues } = readError(error);
  return (
    <div role="alert" className={cx(isWhole ? styles.whole : styles.error, className)}>
      <CircleAlert className={styles.errorIcon} aria-hidden />
      <div className={styles.errorText}>
        {title && <p className={styles.errorTitle}>{title}</p>}
        <p>{message}</p>
        {issues?.map((issue) => (
          <p key={issue.path + issue.message} className={styles.issue}>
            <code>{issue.path}</code> {issue.message}
          </p>
        ))}
        {hint && <p className={styles.hint}>{hint}</p>}
        {(onRetry || actions) && (
          <div className={styles.actions}>
            {onRetry && (
              <Button size="s" icon={<RotateCw />} onClick={onRetry}>
                Try again
              </Button>
            )}
            {actions}
          </div>
        )}
      </div>
    </div>
  );
}

/** The words of any error: an AppError's own, else a plain sentence. */
export function readError(error: unknown): {
  message: string;
  hint?: string;
  issues?: { path: string; message: string }[];
} {
  if (isAppError(error)) return { message: error.message, hint: error.hint, issues: error.issues };
  return {
    message: 'Something went wrong in this page.',
    hint: error instanceof Error ? error.message : undefined,
  };
}

export interface EmptyStateProps {
  icon?: ReactNode;
  title: ReactNode;
  /** One sentence that teaches. */
  children?: ReactNode;
  /** The one next action. */
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cx(styles.empty, className)}>
      {icon && <div className={styles.emptyIcon}>{icon}</div>}
      <h2 className={styles.emptyTitle}>{title}</h2>
      {children && <div className={styles.emptyText}>{children}</div>}
      {action && <div className={styles.emptyAction}>{action}</div>}
    </div>
  );
}

/** A quiet line about a place: a notice of the table, a newer version. */
export function Note({
  children,
  action,
  tone = 'info',
}: {
  children: ReactNode;
  action?: ReactNode;
  tone?: 'info' | 'warn';
}) {
  return (
    <div className={cx(styles.note, tone === 'warn' && styles.warn)}>
      {tone === 'warn' ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
      <span className={styles.noteText}>{children}</span>
      {action}
    </div>
  );
}
