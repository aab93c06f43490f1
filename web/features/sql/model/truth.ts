import type { AppError } from '#shared/api/problem.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatOf,
} from '../../../ui/format-quantity.ts';
import type { LivePlan } from '../queries.ts';
import type { Run } from '../runs.ts';
import type { EngineChoice, RunProgress, SqlRunPorts } from './run-sql.ts';
import { placeStatement } from './run-sql.ts';

const engineName = { browser: 'in the browser', server: 'on the server' } as const;

const phaseText = (progress: RunProgress): string => {
  switch (progress.phase) {
    case 'planning':
      return 'Reading the statement';
    case 'starting':
      return 'Starting DuckDB in the browser';
    case 'fetching':
      return `Fetching columns, ${formatBytes(progress.doneBytes)} of ${formatBytes(progress.totalBytes)}`;
    case 'running':
      return 'Running in the browser';
    case 'server':
      return 'Running on the server';
    case 'waiting':
      return `Waiting for the browser’s engine: ${formatOf(progress.ahead, 'statement')} before it`;
    case 'queued':
      return `Waiting for an engine: ${formatOf(progress.running, 'statement')} ${progress.running === 1 ? 'is' : 'are'} running on the server${progress.ahead > 0 ? `, ${progress.ahead} before this one` : ''}`;
  }
};

/** What the status line says while a statement runs. */
export const describeProgress = (progress: RunProgress, elapsedMs: number): string[] => [
  phaseText(progress),
  ...(elapsedMs >= 1000 ? [formatDuration(elapsedMs)] : []),
];

/** What the status line says of a result: engine, rows, time, bytes, refs and why there. */
export function describeResult({ result, nulls }: Pick<Run, 'result' | 'nulls'>): string[] {
  if (!result) return [];
  const { rows, isCut, total, engine, elapsedMs, readBytes, relations, reason } = result;
  const count = rows.table.numRows;
  return [
    isCut
      ? `First ${formatCount(count)} ${total === null ? 'rows, there are more' : `of ${formatOf(total, 'row')}`}`
      : formatOf(count, 'row'),
    ...(nulls.length > 0
      ? [`${nulls.map((name) => `$${name}`).join(', ')} ${nulls.length === 1 ? 'is' : 'are'} NULL`]
      : []),
    engineName[engine],
    formatElapsed(elapsedMs),
    ...(readBytes > 0 ? [`read ${formatBytes(readBytes)}`] : []),
    ...(relations.length > 0
      ? [[...new Set(relations.map(({ name, ref }) => `${name.split('@')[0]}@${ref}`))].join(', ')]
      : []),
    reason,
  ];
}

/** What the status line says of a text that is being written and cannot run. */
export const describeError = ({ message, at }: AppError): string =>
  at ? `Line ${at.line}, column ${at.column}: ${message}` : message;

/** What the status line says before a statement runs: what it would read, and where. */
export function describePlan(
  { plan }: Pick<LivePlan, 'plan'>,
  choice: EngineChoice,
  browser: SqlRunPorts['browser'],
): string[] {
  if (!plan) return [];
  const { engine, reason } = placeStatement(plan, choice, browser);
  const columns = plan.tables.reduce((sum, table) => sum + table.columns.length, 0);
  const reads =
    plan.tables.length === 0
      ? 'Reads no table'
      : `Reads ${formatOf(columns, 'column')}, about ${formatBytes(plan.bytes)}`;
  return [reads, `would run ${engineName[engine]}`, reason];
}
