import { GitCompareArrows } from 'lucide-react';
import { goTo, tablePath } from '../../../state/addresses.ts';
import { Button, EmptyState } from '../../../ui/index.ts';
import type { Comparison } from '../queries.ts';

export interface NothingToShowProps {
  isFiltered: boolean;
  hasSchemaChanges: boolean;
  comparison: Comparison;
  names: { from: string; into: string };
  onShowAll: () => void;
}

/** Why no change is shown, and what to do. */
export function NothingToShow({
  isFiltered,
  hasSchemaChanges,
  comparison,
  names,
  onShowAll,
}: NothingToShowProps) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No change passes this filter"
        action={<Button onClick={onShowAll}>Show all changes</Button>}
      >
        There are changes of other kinds or in other columns.
      </EmptyState>
    );
  }
  if (hasSchemaChanges)
    return (
      <EmptyState icon={<GitCompareArrows />} title="No row changed">
        Only what stands at the left under Schema did.
      </EmptyState>
    );
  if (comparison.from === comparison.into)
    return (
      <EmptyState icon={<GitCompareArrows />} title="Both sides are the same">
        Choose another branch, tag or version at the top, on either side.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<GitCompareArrows />}
      title={`${names.from} changes nothing in ${names.into}`}
      action={
        <Button onClick={() => goTo(tablePath(comparison.table, { ref: comparison.from }))}>
          Open {names.from}
        </Button>
      }
    >
      Edit a cell, delete a row or tag some on {names.from}, and the difference stands here.
    </EmptyState>
  );
}
