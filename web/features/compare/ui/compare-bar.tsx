import { ArrowLeftRight, ArrowRight, GitPullRequestArrow, Replace } from 'lucide-react';
import { Link } from 'wouter';
import type { DiffSummary } from '#shared/api/edits.ts';
import type { BranchInfo } from '#shared/api/tables.ts';
import { comparePath, goTo, tablePath } from '../../../state/addresses.ts';
import { openBranchStep } from '../../../state/branch-steps.ts';
import { useCommands } from '../../../state/commands.ts';
import { Badge, Button, IconButton, PageTitle, Spacer, Tooltip } from '../../../ui/index.ts';
import type { Comparison } from '../queries.ts';
import { useReviewOf } from '../use-review-of.ts';
import styles from './compare-bar.module.css';
import { RefChoice } from './ref-choice.tsx';

export interface CompareBarProps {
  comparison: Comparison;
  branches: readonly BranchInfo[];
  /** Missing until the changes are there. */
  summary: DiffSummary | null;
}

/** What is compared with what; either side can be another. */
export function CompareBar({ comparison, branches, summary }: CompareBarProps) {
  const { table, from, into } = comparison;
  const base = summary?.base ?? null;
  const own = branches.find(({ name, isProtected }) => name === from && !isProtected);
  const isBehind =
    own !== undefined &&
    summary !== null &&
    base !== null &&
    (base.branch !== summary.into.branch || base.version < summary.into.version);
  const swap = () => goTo(comparePath(table, into, from));
  const rebase = () => openBranchStep({ kind: 'rebase', table, branch: from, onto: into });
  useCommands([
    { id: 'compare.swap', title: 'Swap the sides', group: 'Changes', keys: ['s'], run: swap },
    {
      id: 'compare.rebase',
      title: `Bring ${from} up to date with ${into}`,
      group: 'Changes',
      whyNot: () =>
        own ? (isBehind ? null : `${from} has all of ${into}`) : `${from} is no branch of your own`,
      run: rebase,
    },
  ]);
  return (
    <>
      <Link href={tablePath(table, { ref: from })} className={styles.table}>
        {table}
      </Link>
      <span className={styles.slash} aria-hidden>
        /
      </span>
      <PageTitle>Compare</PageTitle>
      <RefChoice
        label="From"
        table={table}
        refText={from}
        branches={branches}
        onChange={(next) => goTo(comparePath(table, next, into))}
      />
      <ArrowRight className={styles.arrow} aria-label="into" />
      <RefChoice
        label="Into"
        table={table}
        refText={into}
        branches={branches}
        onChange={(next) => goTo(comparePath(table, from, next))}
      />
      <IconButton label="Swap the sides" size="s" icon={<ArrowLeftRight />} keys="s" onClick={swap} />
      <Spacer />
      {isBehind && (
        <Button
          size="s"
          look="quiet"
          icon={<Replace />}
          tip={`${into} changed since ${from} left it: bring that onto ${from}`}
          onClick={rebase}
        >
          Rebase…
        </Button>
      )}
      {summary?.mode === 'two-way' && (
        <Tooltip text="They have no version in common: every difference is shown, and nothing can be merged">
          <span>
            <Badge>two-way</Badge>
          </span>
        </Tooltip>
      )}
      {base && (
        <Link
          href={tablePath(table, { ref: `${base.branch}:${base.version}` })}
          className={styles.base}
          title="The version that both sides started from"
        >
          since {base.branch} · version {base.version}
        </Link>
      )}
      <ReviewOf comparison={comparison} branches={branches} />
    </>
  );
}

/** Opens the review of the two branches, or the one that is open. */
function ReviewOf({ comparison, branches }: Pick<CompareBarProps, 'comparison' | 'branches'>) {
  const review = useReviewOf(comparison, branches);
  useCommands([
    {
      id: 'compare.review',
      title: review?.title ? `Open ${review.label}: ${review.title}` : 'Review these changes…',
      group: 'Changes',
      keys: ['Shift+R'],
      whyNot: () => (review ? null : 'Reviews are of two branches'),
      run: () => review?.open(),
    },
  ]);
  if (!review) return null;
  return (
    <Button
      size="s"
      keys="Shift+R"
      icon={<GitPullRequestArrow />}
      tip={review.title ?? 'Ask others to look at it before it lands'}
      onClick={review.open}
    >
      {review.label}
    </Button>
  );
}
