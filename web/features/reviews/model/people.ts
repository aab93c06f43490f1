import type { Verdict } from '#shared/api/review-parts.ts';
import type { Review } from '#shared/api/reviews.ts';

/** Somebody who was asked, or who said something of the whole review. */
export interface ReviewPerson {
  name: string;
  verdict: Verdict | null;
  isAsked: boolean;
}

type Judged = Pick<Review, 'reviewers' | 'verdicts'>;

/** Those who spoke first, then those who were asked and did not yet. */
export function listPeople({ reviewers, verdicts }: Judged): ReviewPerson[] {
  const spoke = verdicts.map((verdict) => ({
    name: verdict.author,
    verdict,
    isAsked: reviewers.includes(verdict.author),
  }));
  const silent = reviewers
    .filter((name) => !verdicts.some(({ author }) => author === name))
    .map((name) => ({ name, verdict: null, isAsked: true }));
  return [...spoke, ...silent];
}

/** What a verdict says, in words: `approved`, `approved version 12, which has changed since`. */
export function describeVerdict(verdict: Verdict | null): string {
  if (verdict === null) return 'was asked';
  const said = verdict.verdict === 'approved' ? 'approved' : 'asks for changes';
  return verdict.isStale ? `${said} · of version ${verdict.fromVersion}, changed since` : said;
}

type Ruled = Pick<Review, 'author' | 'verdicts' | 'rules'>;

/** Approvals that count by the rules. */
export const countApprovals = ({ author, verdicts, rules }: Ruled): number =>
  verdicts.filter(
    ({ verdict, author: by, isStale }) =>
      verdict === 'approved' &&
      (rules.mayApproveOwn || by !== author) &&
      (rules.countStaleApprovals || !isStale),
  ).length;

export type Standing = 'approved' | 'changes-requested' | 'none';

/** The verdicts of a list entry in one word: a request for changes weighs more. */
export function standingOf(verdicts: readonly Pick<Verdict, 'verdict'>[]): Standing {
  if (verdicts.some(({ verdict }) => verdict === 'changes-requested')) return 'changes-requested';
  return verdicts.length > 0 ? 'approved' : 'none';
}

/** Names out of a line that a person typed: `ann, ben`. */
export const parseNames = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;\n]/)
      .map((name) => name.trim().replace(/^@/, ''))
      .filter((name) => name !== ''),
  ),
];

export const formatNames = (names: readonly string[]): string => names.join(', ');
