import type { DiffSummary } from '#shared/api/edits.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { exitCode } from '../exit-codes.ts';
import { isSet, textOf } from '../parse-command.ts';
import { formatCell, formatCount } from '../print.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import type { RunVerb } from './run-context.ts';

const shownRows = 100;

interface ChangedRow {
  _key: unknown;
  _change: 'added' | 'removed' | 'modified';
  _columns: string[];
  _conflict: string[];
  base: Record<string, unknown> | null;
  from: Record<string, unknown> | null;
}

function summaryLines({ base, from, into, rows, cells, columns, conflicts, notices }: DiffSummary): string[] {
  const parts = Object.entries(cells).sort((a, b) => b[1] - a[1]);
  return [
    `${formatRef(from)} against ${formatRef(into)}${base ? `, since ${formatRef(base)}` : ', without a common base'}`,
    `  + ${formatCount(rows.added)} added   − ${formatCount(rows.removed)} removed   ~ ${formatCount(rows.modified)} modified`,
    ...parts.map(
      ([column, count]) => `    ${column}: ${formatCount(count)} ${count === 1 ? 'cell' : 'cells'}`,
    ),
    ...columns.added.map((column) => `  + column ${column}`),
    ...columns.removed.map((column) => `  − column ${column}`),
    ...columns.changed.map(({ before, after }) => `  ~ column ${before} → ${after}`),
    ...(conflicts.cells + conflicts.rows > 0
      ? [`  ! ${formatCount(conflicts.rows)} rows with ${formatCount(conflicts.cells)} conflicting cells`]
      : []),
    ...notices.map((notice) => `  ${notice}`),
  ];
}

const signs = { added: '+', removed: '−', modified: '~' } as const;

function rowLines({ _key, _change, _columns, _conflict, base, from }: ChangedRow): string[] {
  const head = `${signs[_change]} ${formatCell(_key)}`;
  if (_change !== 'modified') return [head];
  const cells = _columns.map((column) => {
    const mark = _conflict.includes(column) ? '  ! conflict' : '';
    return `    ${column}: ${formatCell(base?.[column])} → ${formatCell(from?.[column])}${mark}`;
  });
  return [head, ...cells];
}

export const runDiff: RunVerb = async ({ client, command, out, signal }) => {
  const [table, from, into = 'main', ...others] = command.positionals;
  if (!table || !from || others.length > 0) throw new UsageError('diff needs TABLE FROM [INTO].');
  const params = { table };
  const base = textOf(command, 'base');
  const refs = { from, into, ...(base ? { base } : {}) };
  const summary = await client.json<DiffSummary>('diff', { params, body: refs, signal });
  const rows = isSet(command, 'rows')
    ? (
        await client.json<{ rows: ChangedRow[] }>('diffRows', {
          params,
          query: { format: 'json' },
          body: { ...refs, limit: shownRows },
          signal,
        })
      ).rows
    : null;
  if (isSet(command, 'json'))
    await writeLine(out, JSON.stringify(rows === null ? summary : { ...summary, changes: rows }));
  else
    for (const line of [...summaryLines(summary), ...(rows ?? []).flatMap(rowLines)])
      await writeLine(out, line);
  return summary.conflicts.rows + summary.conflicts.cells > 0 ? exitCode.conflicts : exitCode.ok;
};
