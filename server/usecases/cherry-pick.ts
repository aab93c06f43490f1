import type { MergeResult } from '#shared/api/edits.ts';
import { AppError } from '#shared/api/problem.ts';
import type { RowId, RowKey } from '#shared/domain/selection.ts';
import type { CallContext } from '../ports/call.ts';
import {
  assertExpected,
  assertHead,
  type MergeOptions,
  type MergePorts,
  type Planned,
  runMerge,
} from './apply-merge.ts';
import { resolveSides } from './compare-refs.ts';
import { planPicks } from './pick-versions.ts';
import { assertWritable } from './protect.ts';
import { planVersionSteps } from './version-steps.ts';

export interface CherryPickInput extends MergeOptions {
  table: string;
  from: string;
  into: string;
  /** Row ids of `from`. */
  rowIds?: RowId[];
  /** Of rows that `from` changed, also of those that it removed. */
  keys?: RowKey[];
  columns?: string[];
  /** Versions of the branch of `from`. */
  versions?: number[];
}

/** Brings chosen rows, columns or versions onto the head of a branch, as a change of its own: the base of merges stays. */
export function cherryPick(
  ports: MergePorts,
  input: CherryPickInput,
  context: CallContext,
): Promise<MergeResult> {
  const { table, take, choices, rowIds, keys, columns, versions, dryRun } = input;
  if (![rowIds, keys, columns, versions].some((list) => list && list.length > 0))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'Nothing was chosen to bring over.',
      hint: 'Name rowIds, keys, columns or versions; to bring all over, merge.',
    });
  const only = rowIds || keys || columns ? { rowIds, keys, columns } : undefined;
  const plan = async (): Promise<Planned> => {
    const { from, into, base, input: sides } = await resolveSides(ports, input, context);
    assertHead(into, input.into);
    assertWritable(ports, { table, uuid: into.uuid, branch: into.ref.branch });
    assertExpected(input, from, into);
    const options = { take, choices, only, dryRun };
    const steps = versions && (await planVersionSteps(ports, from, versions, context));
    return {
      base,
      from,
      into,
      plan: steps
        ? await planPicks(ports, { into, steps, options }, context)
        : await ports.diff.planMerge({ ...sides, ...options }, context),
      note: {
        kind: 'cherry-pick',
        author: input.author,
        message: input.message?.trim() || `Picked ${chosenText(input)} from ${input.from}`,
        detail: { from: from.ref, base, rowIds, keys, columns, versions, take, choices },
      },
    };
  };
  return runMerge(ports, table, { options: input, plan }, context);
}

function chosenText({ rowIds, keys, columns, versions }: CherryPickInput): string {
  const count = (list: readonly unknown[], one: string): string =>
    `${list.length} ${one}${list.length === 1 ? '' : 's'}`;
  return [
    ...(rowIds || keys ? [count([...(rowIds ?? []), ...(keys ?? [])], 'row')] : []),
    ...(columns ? [columns.join(', ')] : []),
    ...(versions ? [`version${versions.length === 1 ? '' : 's'} ${versions.join(', ')}`] : []),
  ].join(' and ');
}
