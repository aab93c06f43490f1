import type { MergeResult } from '#shared/api/edits.ts';
import type { BranchStep } from '../../../state/branch-steps.ts';
import { formatOf } from '../../../ui/format-quantity.ts';

/** How a step is called and what its parts are called for the reader. */
export interface StepWords {
  title: string;
  description: string;
  action: string;
  /** What the two sides of a conflict are. */
  sides: { from: string; into: string; base: string };
  /** The message of the version, unless another is given. */
  message: string;
}

const listed = (items: readonly (string | number)[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

const versionsText = (versions: readonly number[]): string =>
  `${versions.length === 1 ? 'version' : 'versions'} ${listed(versions)}`;

/** `3 rows`, `the column gloss`, `version 12`. */
export function describePicked(step: Extract<BranchStep, { kind: 'cherry-pick' }>): string {
  const { keys, rowIds, columns, versions } = step;
  const rows = keys ?? rowIds;
  if (rows) return formatOf(rows.length, 'row');
  if (columns) return `the ${columns.length === 1 ? 'column' : 'columns'} ${listed(columns)}`;
  return versionsText(versions ?? []);
}

export function stepWords(step: BranchStep, branch: string): StepWords {
  switch (step.kind) {
    case 'rebase':
      return {
        title: `Bring ${branch} up to date with ${step.onto}`,
        description: `What ${step.onto} changed since ${branch} left it comes onto ${branch}. Then the comparison shows the changes of ${branch} alone.`,
        action: 'Rebase',
        sides: { from: step.onto, into: branch, base: 'as it was' },
        message: `Rebased ${branch} onto ${step.onto}`,
      };
    case 'cherry-pick':
      return {
        title: `Bring ${describePicked(step)} to another branch`,
        description: `Only what ${step.from} changed in ${describePicked(step)} comes along, as a change of its own.`,
        action: 'Bring over',
        sides: { from: step.from, into: branch, base: 'as it was' },
        message: `Picked ${describePicked(step)} from ${step.from}`,
      };
    case 'revert':
      return {
        title: `Revert ${versionsText(step.versions)} of ${step.branch}`,
        description: `What ${step.versions.length === 1 ? 'it' : 'they'} did is taken back by the inverse, as a new version. Later changes of other cells stay.`,
        action: 'Revert',
        sides: { from: 'as it was before', into: 'as it is now', base: 'as that version made it' },
        message: `Reverted ${versionsText(step.versions)}`,
      };
    case 'restore':
      return {
        title: `Restore ${step.branch}`,
        description: `Makes ${branch} as it was, as a new version on top. Nothing of its history is lost.`,
        action: 'Restore',
        sides: { from: 'as it was', into: 'as it is now', base: 'as it was' },
        message: `Restored ${branch}`,
      };
  }
}

/** What a step would do, in a sentence. */
export function describeStepPlan(
  plan: Pick<MergeResult, 'status' | 'rows' | 'columns' | 'conflictCount'>,
  branch: string,
): string {
  const { rows, columns } = plan;
  if (plan.status === 'up-to-date') return `${branch} has all of this already: there is nothing to do.`;
  const parts = [
    ...(rows.updated > 0 ? [`updates ${formatOf(rows.updated, 'row')}`] : []),
    ...(rows.inserted > 0 ? [`adds ${formatOf(rows.inserted, 'row')}`] : []),
    ...(rows.deleted > 0 ? [`removes ${formatOf(rows.deleted, 'row')}`] : []),
    ...(columns.added.length > 0
      ? [`adds the ${columns.added.length === 1 ? 'column' : 'columns'} ${listed(columns.added)}`]
      : []),
  ];
  if (parts.length === 0) return `No row of ${branch} would change; that it was settled is kept.`;
  const text = listed(parts);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} on ${branch}.`;
}
