import type { CheckResult } from '#shared/api/review-parts.ts';
import type { Review } from '#shared/api/reviews.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { formatCell, formatCount } from '../print.ts';

const shownRows = 5;
const marks = { passed: '✓', failed: '✗', error: '!' } as const;

/** What a check found, for people. */
export function checkLines({
  name,
  severity,
  outcome,
  failing,
  failingBefore,
  scope,
  sample,
  problem,
}: CheckResult): string[] {
  const what = severity === 'warning' ? `${name} (a warning)` : name;
  if (outcome === 'error')
    return [
      `${marks.error} ${what}: ${problem?.detail ?? 'could not run'}`,
      ...(problem?.hint ? [`    ${problem.hint}`] : []),
    ];
  if (outcome === 'passed') return [`${marks.passed} ${what}: ${scope}`];
  const before =
    failingBefore === null ? '' : `; ${formatCount(failingBefore)} fail in the receiving branch already`;
  const left = (failing ?? 0) - Math.min(sample.length, shownRows);
  return [
    `${marks.failed} ${what}: ${formatCount(failing ?? 0)} failing, of ${scope}${before}`,
    ...sample.slice(0, shownRows).map(
      (row) =>
        `    ${Object.entries(row)
          .map(([column, cell]) => `${column} ${formatCell(cell)}`)
          .join(', ')}`,
    ),
    ...(left > 0 ? [`    … and ${formatCount(left)} more`] : []),
  ];
}

/** A review and what keeps it from being merged, for people. */
export function reviewLines(review: Review): string[] {
  const { id, title, table, from, into, state, refs, changes, blockers, verdicts, comments, merged } = review;
  const rows = changes?.rows;
  return [
    `Review ${id}: ${title}`,
    `  ${table}: ${refs.from ? formatRef(refs.from) : from} into ${refs.into ? formatRef(refs.into) : into}, ${state}${merged ? ` at ${into}:${merged.version}` : ''}`,
    ...(rows
      ? [
          `  + ${formatCount(rows.added)} added   − ${formatCount(rows.removed)} removed   ~ ${formatCount(rows.modified)} modified`,
        ]
      : []),
    ...verdicts.map(
      ({ author, verdict, isStale, fromVersion }) =>
        `  ${author} ${verdict === 'approved' ? 'approved' : 'asked for changes of'} ${from}:${fromVersion}${isStale ? ', which has moved since' : ''}`,
    ),
    ...(comments.threads > 0
      ? [
          `  ${formatCount(comments.threads)} ${comments.threads === 1 ? 'thread' : 'threads'}, ${formatCount(comments.unresolved)} not resolved`,
        ]
      : []),
    ...(review.checkRun?.results.flatMap((result) => checkLines(result).map((line) => `  ${line}`)) ?? []),
    ...(state === 'open'
      ? review.canMerge
        ? ['  It can be merged.']
        : blockers.map(({ message, hint }) => `  ✗ ${message} ${hint}`)
      : []),
    ...review.notices.map((notice) => `  ${notice}`),
  ];
}
