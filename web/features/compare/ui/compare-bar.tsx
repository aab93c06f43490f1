import { ArrowLeftRight, ArrowRight, GitBranch, Lock } from 'lucide-react';
import { Link } from 'wouter';
import type { BranchInfo } from '#shared/api/tables.ts';
import { comparePath, goTo, tablePath } from '../../../state/addresses.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Combobox, IconButton, PageTitle, Spacer } from '../../../ui/index.ts';
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
    </>
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
