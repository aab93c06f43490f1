import type { MergeResult } from '#shared/api/edits.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { formatCell, formatCount } from '../print.ts';

const shownConflicts = 20;

/** What a merge is called, as in “Merged exp:3 into main”. */
export interface MergeWords {
  done(result: MergeResult): string;
  ready(result: MergeResult): string;
  upToDate(result: MergeResult): string;
}

/** The result of whatever works like a merge, for people. */
export function mergeLines(result: MergeResult, words: MergeWords): string[] {
  const { status, into, version, rows, conflicts, conflictCount, toBackfill, columns } = result;
  const counts = `${formatCount(rows.inserted)} inserted, ${formatCount(rows.updated)} updated, ${formatCount(rows.deleted)} deleted`;
  const more = [
    ...(columns.added.length > 0 ? [`  columns added: ${columns.added.join(', ')}`] : []),
    ...(toBackfill > 0 ? [`  ${formatCount(toBackfill)} rows to backfill`] : []),
  ];
  switch (status) {
    case 'up-to-date':
      return [words.upToDate(result)];
    case 'merged':
      return [`${words.done(result)}, now at ${into.branch}:${version}: ${counts}.`, ...more];
    case 'ready':
      return [`${words.ready(result)}: ${counts}.`, ...more];
    case 'conflicts':
      return [
        `${formatCount(conflictCount)} ${conflictCount === 1 ? 'conflict' : 'conflicts'}; nothing was merged.`,
        ...conflicts
          .slice(0, shownConflicts)
          .map(
            ({ key, column, base, from: theirs, into: ours }) =>
              `  ! ${formatCell(key)}${column === null ? '' : ` ${column}`}: base ${formatCell(base)}, from ${formatCell(theirs)}, into ${formatCell(ours)}`,
          ),
        ...(conflictCount > shownConflicts
          ? [`  … and ${formatCount(conflictCount - shownConflicts)} more; --json lists the first 100`]
          : []),
        'Settle them for one side with --take from or --take into, one by one with --choices, or on the compare page.',
      ];
  }
}

const into = ({ into: { branch } }: MergeResult): string => branch;

export const mergeWords: MergeWords = {
  done: (result) => `Merged ${formatRef(result.from)} into ${into(result)}`,
  ready: (result) => `${formatRef(result.from)} can be merged into ${formatRef(result.into)}`,
  upToDate: (result) => `${into(result)} has all of ${formatRef(result.from)} already.`,
};

export const rebaseWords: MergeWords = {
  done: (result) => `Rebased ${into(result)} onto ${formatRef(result.from)}`,
  ready: (result) => `${formatRef(result.into)} can be rebased onto ${formatRef(result.from)}`,
  upToDate: (result) => `${into(result)} has all of ${formatRef(result.from)} already.`,
};

export const pickWords: MergeWords = {
  done: (result) => `Picked from ${formatRef(result.from)} into ${into(result)}`,
  ready: (result) =>
    `What was chosen of ${formatRef(result.from)} can be brought to ${formatRef(result.into)}`,
  upToDate: (result) => `${into(result)} has what was chosen already.`,
};

export const revertWords = (versions: readonly number[]): MergeWords => {
  const named = `${versions.length === 1 ? 'version' : 'versions'} ${versions.join(', ')}`;
  return {
    done: (result) => `Reverted ${named} of ${into(result)}`,
    ready: (result) => `Of ${formatRef(result.into)}, ${named} can be reverted`,
    upToDate: (result) => `Nothing of ${named} is left on ${into(result)}.`,
  };
};
