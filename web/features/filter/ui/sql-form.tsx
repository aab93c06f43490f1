import { useState } from 'react';
import { type AppError, isAppError } from '#shared/api/problem.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import { whereOf } from '../../../state/table-view.ts';
import { TextArea } from '../../../ui/index.ts';
import { conditionsOfSql } from '../model/conditions.ts';
import { ApplyBar } from './apply-bar.tsx';
import styles from './filter.module.css';
import type { FormProps } from './typed-form.tsx';

/** A condition as SQL, with what is wrong shown at its place while one types. */
export function SqlForm({
  table,
  refText,
  columns,
  others,
  isNew,
  onApply,
  initial,
}: FormProps & { initial: string }) {
  const [text, setText] = useState(initial);
  const problem = text.trim() === '' ? null : findProblem(text, columns);
  const isReady = text.trim() !== '' && problem === null;
  const apply = () => isReady && onApply(conditionsOfSql(text, columns));
  return (
    <div className={styles.form}>
      <TextArea
        label="SQL condition"
        isLabelHidden
        isMono
        autoFocus
        placeholder="category = 'tools' and taken is null"
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          apply();
        }}
        error={problem && <ProblemAtPlace text={text} problem={problem} />}
      />
      <ApplyBar
        table={table}
        refText={refText}
        where={isReady ? whereOf([...others, { sql: text }]) : undefined}
        isReady={isReady}
        isNew={isNew}
        onApply={apply}
      />
    </div>
  );
}

function findProblem(text: string, columns: readonly ColumnInfo[]): AppError | null {
  try {
    compileFilter({ text, columns });
    return null;
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

const aroundChars = 24;

function ProblemAtPlace({ text, problem }: { text: string; problem: AppError }) {
  const line = problem.at ? (text.split('\n')[problem.at.line - 1] ?? '') : '';
  const at = (problem.at?.column ?? 1) - 1;
  const start = Math.max(0, at - aroundChars);
  return (
    <>
      {problem.at && (
        <code className={styles.place} aria-hidden>
          {start > 0 && '…'}
          {line.slice(start, at)}
          <mark>{line.slice(at, at + 1) || ' '}</mark>
          {line.slice(at + 1, at + aroundChars)}
        </code>
      )}
      {problem.message} {problem.hint}
    </>
  );
}
