import type { MergeResult } from '#shared/api/edits.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { exitCode } from '../exit-codes.ts';
import { choiceOf, isSet, textOf } from '../parse-command.ts';
import { formatCell, formatCount } from '../print.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import type { RunVerb } from './run-context.ts';

const shownConflicts = 20;

function linesOf({
  status,
  from,
  into,
  version,
  rows,
  conflicts,
  conflictCount,
  toBackfill,
  columns,
}: MergeResult): string[] {
  const counts = `${formatCount(rows.inserted)} inserted, ${formatCount(rows.updated)} updated, ${formatCount(rows.deleted)} deleted`;
  const more = [
    ...(columns.added.length > 0 ? [`  columns added: ${columns.added.join(', ')}`] : []),
    ...(toBackfill > 0 ? [`  ${formatCount(toBackfill)} rows to backfill`] : []),
  ];
  switch (status) {
    case 'up-to-date':
      return [`${into.branch} has all of ${formatRef(from)} already.`];
    case 'merged':
      return [
        `Merged ${formatRef(from)} into ${into.branch}, now at ${into.branch}:${version}: ${counts}.`,
        ...more,
      ];
    case 'ready':
      return [`${formatRef(from)} can be merged into ${formatRef(into)}: ${counts}.`, ...more];
    case 'conflicts':
      return [
        `${formatCount(conflictCount)} ${conflictCount === 1 ? 'conflict' : 'conflicts'}; nothing was merged.`,
        ...conflicts
          .slice(0, shownConflicts)
          .map(
            ({ key, column, base, from: theirs, into: ours }) =>
              `  ! ${formatCell(key)}${column === null ? '' : ` ${column}`}: base ${formatCell(base)}, from ${formatCell(theirs)}, into ${formatCell(ours)}`,
          ),
        'Settle them for one side with --take from or --take into, or on the compare page.',
      ];
  }
}

export const runMerge: RunVerb = async ({ client, command, out, signal }) => {
  const [table, from, into = 'main', ...others] = command.positionals;
  if (!table || !from || others.length > 0) throw new UsageError('merge needs TABLE FROM [INTO].');
  const take = choiceOf(command, 'take', ['from', 'into']);
  const message = textOf(command, 'message');
  const body = {
    from,
    into,
    ...(take ? { take } : {}),
    ...(message ? { message } : {}),
    ...(isSet(command, 'dry-run') ? { dryRun: true } : {}),
  };
  const result = await client.json<MergeResult>('merge', { params: { table }, body, signal });
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify(result));
  else for (const line of linesOf(result)) await writeLine(out, line);
  return result.status === 'conflicts' ? exitCode.conflicts : exitCode.ok;
};
