import type { DiffSummary } from '../api/edits.ts';
import type { Blocker, BlockerCode, CheckRun, ReviewState, Verdict } from '../api/review-parts.ts';
import type { Check } from './checks.ts';
import type { ReviewRules } from './review-rules.ts';

export interface ReviewFacts {
  state: ReviewState;
  table: string;
  from: string;
  into: string;
  author: string;
  /** What is gone, if anything is. */
  gone: 'table' | 'from' | 'into' | null;
  /** Null where it is not known. */
  changes: DiffSummary | null;
  rules: ReviewRules;
  mayMerge: boolean;
  verdicts: readonly Verdict[];
  /** Null where what the table keeps cannot be read. */
  checks: readonly Check[] | null;
  run: CheckRun | null;
  unresolvedThreads: number;
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
const quoted = (names: readonly string[]): string =>
  names.length > 3
    ? `${names
        .slice(0, 3)
        .map((name) => `“${name}”`)
        .join(', ')} and ${names.length - 3} more`
    : names.map((name) => `“${name}”`).join(' and ');

const blocker = (code: BlockerCode, message: string, hint: string, names: string[] = []): Blocker => ({
  code,
  message,
  hint,
  names,
});

/** `3 rows conflict`, `1 column conflicts`: as the subject of a sentence. */
export function countConflicts({ rows, cells }: DiffSummary['conflicts']): string {
  const [count, what] = rows > 0 ? [rows, 'row'] : [cells, 'column'];
  return `${counted(count, what)} ${count === 1 ? 'conflicts' : 'conflict'}`;
}

/** Whether a merge needs choices. */
export const hasConflicts = ({ conflicts }: DiffSummary): boolean => conflicts.rows + conflicts.cells > 0;

/** Whether the changes of the branch are in `into` already. */
export const isNothingToMerge = ({ rows, columns }: DiffSummary): boolean =>
  rows.added + rows.removed + rows.modified === 0 &&
  columns.added.length + columns.removed.length + columns.changed.length + columns.facts.length === 0;

function goneBlocker({ gone, table, from, into }: ReviewFacts): Blocker[] {
  switch (gone) {
    case null:
      return [];
    case 'table':
      return [
        blocker(
          'table-gone',
          `The table ${table} is not there any more, or cannot be read.`,
          'Restore it from the trash, or close the review.',
        ),
      ];
    case 'from':
      return [
        blocker(
          'branch-gone',
          `The branch ${from} is not there any more.`,
          'Close the review; what the branch held is gone unless it was merged.',
          [from],
        ),
      ];
    case 'into':
      return [
        blocker(
          'branch-gone',
          `The branch ${into} is not there any more.`,
          'Close the review and open one into another branch.',
          [into],
        ),
      ];
  }
}

function changeBlockers({ changes, from, into }: ReviewFacts): Blocker[] {
  if (!changes) return [];
  const { conflicts, notices, mergeable } = changes;
  if (isNothingToMerge(changes))
    return [
      blocker(
        'nothing-to-merge',
        `${into} has all that ${from} changed.`,
        `Change something on ${from}, or close the review.`,
      ),
    ];
  if (hasConflicts(changes))
    return [
      blocker(
        'conflicts',
        `${countConflicts(conflicts)} with what ${into} changed since.`,
        'Settle each of them, or take one side for all.',
      ),
    ];
  if (mergeable) return [];
  return [
    blocker(
      'not-mergeable',
      notices[0] ?? 'The branch cannot be merged.',
      notices[1] ?? 'Look at what changed.',
    ),
  ];
}

/** Approvals that count under the rules; the newest word of each person. */
export const countedApprovals = (
  verdicts: readonly Verdict[],
  { rules, author }: Pick<ReviewFacts, 'rules' | 'author'>,
): Verdict[] =>
  verdicts.filter(
    (said) =>
      said.verdict === 'approved' &&
      (rules.countStaleApprovals || !said.isStale) &&
      (rules.mayApproveOwn || said.author !== author),
  );

function approvalBlockers(facts: ReviewFacts): Blocker[] {
  const { verdicts, rules, from } = facts;
  const asking = verdicts
    .filter(({ verdict }) => verdict === 'changes-requested')
    .map(({ author }) => author);
  const got = countedApprovals(verdicts, facts).length;
  const stale = verdicts.filter(({ verdict, isStale }) => verdict === 'approved' && isStale).length;
  const missing = rules.approvalsNeeded - got;
  return [
    ...(asking.length === 0
      ? []
      : [
          blocker(
            'changes-requested',
            `${asking.join(', ')} asked for changes.`,
            'Make them, then ask for an approval; the person can also take it back.',
            asking,
          ),
        ]),
    ...(missing <= 0
      ? []
      : [
          blocker(
            'approvals',
            `${counted(missing, 'approval')} of ${rules.approvalsNeeded} ${missing === 1 ? 'is' : 'are'} missing.`,
            stale > 0 && !rules.countStaleApprovals
              ? `${counted(stale, 'approval')} ${stale === 1 ? 'is' : 'are'} of an earlier version of ${from}: ask for a new look.`
              : 'Ask the reviewers.',
          ),
        ]),
  ];
}

function checkBlockers({ checks, run }: ReviewFacts): Blocker[] {
  if (checks === null)
    return [
      blocker(
        'checks-unreadable',
        'What the table keeps as its checks cannot be read.',
        'Set the checks of the table anew.',
      ),
    ];
  const required = checks.filter(({ severity }) => severity === 'required').map(({ name }) => name);
  const results = new Map(run && !run.isStale ? run.results.map((result) => [result.name, result]) : []);
  const waiting = required.filter((name) => !results.has(name));
  const failed = required.filter((name) => (results.get(name)?.outcome ?? 'passed') !== 'passed');
  return [
    ...(failed.length === 0
      ? []
      : [
          blocker(
            'checks-failed',
            `The ${failed.length === 1 ? 'check' : 'checks'} ${quoted(failed)} ${failed.length === 1 ? 'fails' : 'fail'} on the rows that the merge would give.`,
            'Look at the failing rows and mend them on the branch.',
            failed,
          ),
        ]),
    ...(waiting.length === 0
      ? []
      : [
          blocker(
            'checks-not-run',
            `${counted(waiting.length, 'required check')} ${waiting.length === 1 ? 'has' : 'have'} not run on ${run?.isStale ? 'the newest version' : 'this version'}: ${quoted(waiting)}.`,
            'Run the checks.',
            waiting,
          ),
        ]),
  ];
}

/** All reasons why a review cannot be merged now, the weightiest first; none: it can be. */
export function planBlockers(facts: ReviewFacts): Blocker[] {
  const { state, mayMerge, rules, unresolvedThreads } = facts;
  if (state !== 'open')
    return [
      blocker(
        'not-open',
        `The review ${state === 'merged' ? 'has been merged already' : 'is closed'}.`,
        state === 'merged' ? 'Open a new one for what comes next.' : 'Open it again first.',
      ),
    ];
  const gone = goneBlocker(facts);
  if (gone.length > 0) return gone;
  return [
    ...(mayMerge
      ? []
      : [
          blocker(
            'may-not-merge',
            'You may not merge reviews of this table.',
            `Ask ${rules.mayMerge.join(', ') || 'an administrator'}.`,
            rules.mayMerge,
          ),
        ]),
    ...changeBlockers(facts),
    ...checkBlockers(facts),
    ...approvalBlockers(facts),
    ...(rules.needsResolvedThreads && unresolvedThreads > 0
      ? [
          blocker(
            'threads',
            `${counted(unresolvedThreads, 'thread')} ${unresolvedThreads === 1 ? 'is' : 'are'} not resolved.`,
            'Answer and resolve them.',
          ),
        ]
      : []),
  ];
}
