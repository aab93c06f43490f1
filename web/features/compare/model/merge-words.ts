import type { DiffSummary, MergeResult } from '#shared/api/edits.ts';
import type { BranchInfo } from '#shared/api/tables.ts';
import type { Ref } from '#shared/domain/ref.ts';
import { formatOf } from '../../../ui/format-quantity.ts';

export interface MergeSituation {
  summary: DiffSummary | null;
  into: Ref;
  /** Branches of the table; missing while they are asked for. */
  branches: readonly BranchInfo[] | undefined;
  /** Conflicts that are left to settle. */
  open: number;
}

/** By the rules of the table nothing is merged into it but by a review. */
export const takesReviewsOnly = ({ into, branches }: Pick<MergeSituation, 'into' | 'branches'>): boolean =>
  into.kind === 'branch' && (branches?.find(({ name }) => name === into.branch)?.isReviewOnly ?? false);

/** Why Merge cannot be pressed; `null` when it can. */
export function whyNotMerged({ summary, into, branches, open }: MergeSituation): string | null {
  if (!summary) return 'The changes are still on their way.';
  if (into.kind === 'tag') return `${into.tag} is a tag; choose a branch to merge into.`;
  const head = branches?.find(({ name }) => name === into.branch)?.version;
  if (into.version !== undefined && head !== undefined && into.version !== head) {
    return `Version ${into.version} of ${into.branch} is past; choose ${into.branch} itself to merge into.`;
  }
  if (summary.mode === 'two-way')
    return summary.notices[0] ?? 'These two have no common base, so they can be compared but not merged.';
  if (countChanges(summary) === 0) return `${summary.from.branch} has nothing that ${into.branch} lacks.`;
  if (summary.notices[0] && !summary.mergeable) return summary.notices[0];
  if (takesReviewsOnly({ into, branches })) return `${into.branch} takes merges of reviews only.`;
  if (open > 0) return `${formatOf(open, 'conflict')} left to settle.`;
  return null;
}

/** Rows and columns that changed, of any kind. */
export const countChanges = ({ rows, columns }: DiffSummary): number =>
  rows.added +
  rows.removed +
  rows.modified +
  columns.added.length +
  columns.removed.length +
  columns.changed.length +
  columns.facts.length;

/** What the merge is about to do, from the summary: `Updates 9 rows, adds 2, removes 1 on main.` */
export function describeSummary(summary: DiffSummary): string {
  const { added, removed, modified } = summary.rows;
  const parts = [
    ...(modified > 0 ? [`updates ${formatOf(modified, 'row')}`] : []),
    ...(added > 0 ? [`adds ${formatOf(added, 'row')}`] : []),
    ...(removed > 0 ? [`removes ${formatOf(removed, 'row')}`] : []),
    ...describeColumns(summary),
  ];
  return sentence(parts, summary.into.branch);
}

function describeColumns({ columns }: DiffSummary): string[] {
  return [
    ...(columns.added.length > 0 ? [`adds ${formatOf(columns.added.length, 'column')}`] : []),
    ...(columns.removed.length > 0 ? [`drops ${formatOf(columns.removed.length, 'column')}`] : []),
    ...(columns.changed.length > 0 ? [`changes ${formatOf(columns.changed.length, 'column')}`] : []),
  ];
}

function sentence(parts: readonly string[], branch: string): string {
  const text = parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return text === ''
    ? `Nothing would change on ${branch}.`
    : `${text.charAt(0).toUpperCase()}${text.slice(1)} on ${branch}.`;
}

/** What a plan would do. */
export function describePlan(plan: MergeResult): string {
  const { status, rows, columns, into, toBackfill } = plan;
  if (status === 'up-to-date') return `${into.branch} has all of this already; there is nothing to merge.`;
  if (status === 'conflicts') return `${formatOf(plan.conflictCount, 'conflict')} left to settle.`;
  const parts = [
    ...(rows.updated > 0 ? [`updates ${formatOf(rows.updated, 'row')}`] : []),
    ...(rows.inserted > 0 ? [`adds ${formatOf(rows.inserted, 'row')}`] : []),
    ...(rows.deleted > 0 ? [`removes ${formatOf(rows.deleted, 'row')}`] : []),
    ...(columns.added.length > 0
      ? [`adds the ${columns.added.length === 1 ? 'column' : 'columns'} ${columns.added.join(', ')}`]
      : []),
  ];
  const text = sentence(parts, into.branch);
  return toBackfill > 0
    ? `${text} ${formatOf(toBackfill, 'row')} of ${into.branch} will be empty in what is new.`
    : text;
}

/** Whether the plan does what the page has shown; else it is shown before anything lands. */
export function isAsAnnounced(plan: MergeResult, summary: DiffSummary): boolean {
  const { rows } = summary;
  return (
    plan.status === 'ready' &&
    plan.toBackfill === 0 &&
    plan.rows.inserted <= rows.added + rows.modified &&
    plan.rows.updated <= rows.modified + rows.added + rows.removed &&
    plan.rows.deleted <= rows.removed
  );
}

/** What a merge did, in rows: `9 rows updated, 2 added.` */
export function describeMerged({ rows, columns }: Pick<MergeResult, 'rows' | 'columns'>): string {
  const parts = [
    ...(rows.updated > 0 ? [`${formatOf(rows.updated, 'row')} updated`] : []),
    ...(rows.inserted > 0 ? [`${formatOf(rows.inserted, 'row')} added`] : []),
    ...(rows.deleted > 0 ? [`${formatOf(rows.deleted, 'row')} removed`] : []),
    ...(columns.added.length > 0 ? [`${columns.added.join(', ')} added`] : []),
  ];
  return parts.length === 0 ? 'no row changed.' : `${parts.join(', ')}.`;
}
