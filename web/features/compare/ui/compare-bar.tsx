import { ArrowLeftRight, ArrowRight, GitBranch, GitPullRequestArrow, Lock } from 'lucide-react';
import { Link } from 'wouter';
import type { BranchInfo } from '#shared/api/tables.ts';
import { useOpenReviews } from '../../../api/index.ts';
import { comparePath, goTo, reviewPath, tablePath } from '../../../state/addresses.ts';
import { useCommands } from '../../../state/commands.ts';
import { showReviewDialog } from '../../../state/review-dialog.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, Combobox, IconButton, PageTitle, Spacer } from '../../../ui/index.ts';
import { describeRef, listRefOptions, readRef } from '../../branches/index.ts';
import type { Comparison } from '../queries.ts';
import styles from './compare-bar.module.css';

export interface CompareBarProps {
  comparison: Comparison;
  branches: readonly BranchInfo[];
  /** The version that both sides started from. */
  base: { branch: string; version: number } | null;
}

/** What is compared with what; either side can be another. */
export function CompareBar({ comparison, branches, base }: CompareBarProps) {
  const { table, from, into } = comparison;
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
        refText={from}
        branches={branches}
        onChange={(next) => goTo(comparePath(table, next, into))}
      />
      <ArrowRight className={styles.arrow} aria-label="into" />
      <RefChoice
        label="Into"
        refText={into}
        branches={branches}
        onChange={(next) => goTo(comparePath(table, from, next))}
      />
      <IconButton
        label="Swap the sides"
        size="s"
        icon={<ArrowLeftRight />}
        onClick={() => goTo(comparePath(table, into, from))}
      />
      <Spacer />
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
  const { table, from, into } = comparison;
  const review = useOpenReviews(table).find((one) => one.from === from && one.into === into);
  const areBranches = [from, into].every((ref) => branches.some(({ name }) => name === ref)) && from !== into;
  const open = () => {
    if (review) goTo(reviewPath(review.id));
    else showReviewDialog({ kind: 'open', table, from, into });
  };
  useCommands([
    {
      id: 'compare.review',
      title: review ? `Open review ${review.id}` : 'Review these changes…',
      group: 'Changes',
      keys: ['Shift+R'],
      whyNot: () => (areBranches ? null : 'Reviews are of two branches'),
      run: open,
    },
  ]);
  if (!areBranches) return null;
  return (
    <Button
      size="s"
      keys="Shift+R"
      icon={<GitPullRequestArrow />}
      tip={review ? review.title : 'Ask others to look at it before it lands'}
      onClick={open}
    >
      {review ? `Review ${review.id}` : 'Review…'}
    </Button>
  );
}

interface RefChoiceProps {
  label: string;
  refText: string;
  branches: readonly BranchInfo[];
  onChange: (ref: string) => void;
}

function RefChoice({ label, refText, branches, onChange }: RefChoiceProps) {
  const ref = readRef(refText);
  return (
    <Combobox
      label={label}
      value={refText}
      onChange={onChange}
      searchPlaceholder="Find a branch…"
      className={styles.choice}
      options={listRefOptions({ branches, tags: [], refText }).map((option) => ({
        value: option.value,
        label: option.label,
        group: option.group,
        icon: option.isProtected ? <Lock aria-label="protected" /> : <GitBranch />,
        ...(option.ahead > 0 ? { hint: `${formatOf(option.ahead, 'commit')} ahead` } : {}),
      }))}
    >
      <span className={styles.ref}>
        <GitBranch aria-hidden />
        {describeRef(ref)}
      </span>
    </Combobox>
  );
}
