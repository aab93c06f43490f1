import { CornerUpLeft, Replace, X } from 'lucide-react';
import type { GraphVersion } from '#shared/api/history.ts';
import type { BranchInfo } from '#shared/api/tables.ts';
import { openBranchStep } from '../../../state/branch-steps.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, IconButton, Spacer } from '../../../ui/index.ts';
import styles from './history.module.css';

export interface MarkedBarProps {
  table: string;
  branches: readonly BranchInfo[];
  marked: readonly GraphVersion[];
  onDone: () => void;
}

/** What can be done with several versions at once: they land together, as one step, or not at all. */
export function MarkedBar({ table, branches, marked, onDone }: MarkedBarProps) {
  const [first] = marked;
  if (!first) return null;
  const { branch } = first;
  const numbers = marked.map(({ version }) => version).sort((a, b) => a - b);
  const whyNot = marked.some((one) => one.branch !== branch)
    ? 'They are of several branches: mark versions of one.'
    : marked.some(({ parent }) => !parent)
      ? 'One of them is the first version that is known.'
      : null;
  const pick = () =>
    openBranchStep({
      kind: 'cherry-pick',
      table,
      from: branch,
      versions: numbers,
      into: branches.find(({ name, isProtected }) => !isProtected && name !== branch)?.name,
    });
  return (
    <section aria-label="Marked versions" className={styles.marked}>
      <span>
        {formatOf(marked.length, 'version')} marked
        {whyNot === null && ` on ${branch}: ${numbers.join(', ')}`}
      </span>
      <Button size="s" icon={<Replace />} whyNot={whyNot} onClick={pick}>
        Bring to another branch…
      </Button>
      <Button
        size="s"
        icon={<CornerUpLeft />}
        whyNot={whyNot}
        onClick={() => openBranchStep({ kind: 'revert', table, branch, versions: numbers })}
      >
        Revert…
      </Button>
      <Spacer />
      <IconButton label="Mark nothing" size="s" icon={<X />} onClick={onDone} />
    </section>
  );
}
