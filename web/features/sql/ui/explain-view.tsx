import { Fragment } from 'react';
import type { SqlPlan } from '#shared/api/sql.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { formatBytes, formatCount, formatElapsed, formatOf } from '../../../ui/format-quantity.ts';
import { EmptyState, ErrorNote, ProgressBar, Tooltip } from '../../../ui/index.ts';
import type { Explained } from '../explain.ts';
import type { PlanStep } from '../model/explain-tree.ts';
import styles from './explain-view.module.css';

/** How the statement ran: where and why, what it reads, and each step with its rows and its share of the time. */
export function ExplainView({ explained }: { explained: Explained | undefined }) {
  if (!explained)
    return (
      <EmptyState title="No plan yet">
        Explain runs the statement once and shows its steps, with rows and time for each.
      </EmptyState>
    );
  const { error, isRunning, plan, engine, reason, tree } = explained;
  return (
    <div className={styles.view}>
      <ErrorNote error={error} title="The statement has no plan." />
      {isRunning && <ProgressBar label="Running the statement for its plan" done={0} total={null} />}
      {plan && engine && !error && (
        <p className={styles.where}>
          {tree ? 'Ran' : 'Runs'} <strong>{engine === 'browser' ? 'in the browser' : 'on the server'}</strong>
          : {reason}.
          {tree &&
            ` ${formatElapsed(tree.elapsedMs)} in DuckDB, at most ${formatBytes(tree.peakBytes)} of memory.`}
        </p>
      )}
      {plan && plan.tables.length > 0 && !error && <Reads tables={plan.tables} />}
      {tree && (
        <ol className={styles.steps} aria-label="Steps, the last one first">
          {tree.steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity
            <Step key={index} step={step} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Reads({ tables }: { tables: SqlPlan['tables'] }) {
  return (
    <table className={styles.reads}>
      <caption className="visually-hidden">What it reads</caption>
      <thead>
        <tr>
          <th scope="col">Reads</th>
          <th scope="col">Columns</th>
          <th scope="col">Rows</th>
          <th scope="col">About</th>
        </tr>
      </thead>
      <tbody>
        {tables.map(({ name, ref, columns, rows, limit, bytes }) => (
          <tr key={name}>
            <td>
              {name.split('@')[0]}@{formatRef(ref)}
            </td>
            <td>{columns.length === 0 ? 'only how many rows there are' : columns.join(', ')}</td>
            <td>{limit === null ? formatCount(rows) : `the first ${formatCount(Math.min(rows, limit))}`}</td>
            <td>{formatBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Step({ step }: { step: PlanStep }) {
  const { title, operator, details, rows, estimatedRows, scannedRows, ms, share, children } = step;
  return (
    <li className={styles.step}>
      <div className={styles.line}>
        <Tooltip
          text={
            <dl className={styles.details}>
              <dt>Operator</dt>
              <dd>{operator}</dd>
              {details.map(({ name, values }) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>{values.join(', ')}</dd>
                </Fragment>
              ))}
            </dl>
          }
        >
          <span className={styles.title}>{title}</span>
        </Tooltip>
        {details.some(({ name }) => name === 'Filters') && (
          <span className={styles.filter}>
            where {details.find(({ name }) => name === 'Filters')?.values.join(' and ')}
          </span>
        )}
        <span className={styles.rows}>
          {formatOf(rows, 'row')}
          {scannedRows > rows && ` of ${formatCount(scannedRows)}`}
          {isFarOff(rows, estimatedRows) && (
            <span className={styles.faint}> (expected {formatCount(estimatedRows ?? 0)})</span>
          )}
        </span>
        <span className={styles.time}>
          {ms < 0.05 ? '< 0.1 ms' : `${ms < 10 ? ms.toFixed(1) : formatCount(Math.round(ms))} ms`}
        </span>
        <span className={styles.bar} aria-hidden>
          <span style={{ width: `${Math.max(1, share * 100)}%` }} />
        </span>
      </div>
      {children.length > 0 && (
        <ol className={styles.children}>
          {children.map((child, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity
            <Step key={index} step={child} />
          ))}
        </ol>
      )}
    </li>
  );
}

/** What the optimiser thought is worth a word where it was wrong by a lot. */
const isFarOff = (rows: number, estimated: number | null): boolean =>
  estimated !== null && Math.max(rows, estimated) > 1000 && (estimated > rows * 10 || rows > estimated * 10);
