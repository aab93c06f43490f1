import type { MergeResult } from '#shared/api/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { MergePlan } from '../ports/table-diff.ts';
import {
  assertExpected,
  assertHead,
  type MergeOptions,
  type MergePorts,
  type Planned,
  runMerge,
} from './apply-merge.ts';
import { resolveSides } from './compare-refs.ts';
import type { ResolvedRef } from './resolve-ref.ts';

export interface MergeInput extends MergeOptions {
  table: string;
  from: string;
  into: string;
  /** Throws when this merge may not be made. */
  assertAllowed?: (into: ResolvedRef) => void;
  /** What the record of the merge says beside its choices: its review, say. */
  detail?: Record<string, unknown>;
}

export interface MergeKind {
  kind: 'merge' | 'rebase';
  /** Stands when nobody typed a message. */
  message: string;
  /** Throws when the receiving branch may not be written to in this way. */
  assertAllowed?: (into: ResolvedRef) => void;
}

export const upToDate: MergePlan = {
  status: 'up-to-date',
  rows: { inserted: 0, updated: 0, deleted: 0 },
  addedColumns: [],
  conflicts: [],
  conflictCount: 0,
  toBackfill: 0,
  changeset: null,
};

/** Brings the changes of `from` since the base onto the head of `into`; also onto protected branches, which change by this only. */
export const mergeBranches = (
  ports: MergePorts,
  input: MergeInput,
  context: CallContext,
): Promise<MergeResult> =>
  mergeAs(
    ports,
    input,
    {
      kind: 'merge',
      message: `Merged ${input.from} into ${input.into}`,
      assertAllowed: input.assertAllowed,
    },
    context,
  );

/** The one merge of two refs, under the name that history shows it by. */
export function mergeAs(
  ports: MergePorts,
  input: MergeInput,
  { kind, message, assertAllowed }: MergeKind,
  context: CallContext,
): Promise<MergeResult> {
  const { table, take, choices, dryRun } = input;
  const plan = async (): Promise<Planned> => {
    const { from, into, base, input: sides } = await resolveSides(ports, input, context);
    assertHead(into, input.into);
    assertAllowed?.(into);
    assertExpected(input, from, into);
    const isKnown = base !== null && isSame(base, from.ref);
    return {
      base,
      from,
      into,
      plan: isKnown ? upToDate : await ports.diff.planMerge({ ...sides, take, choices, dryRun }, context),
      note: {
        kind,
        author: input.author,
        message: input.message?.trim() || message,
        mergedFrom: from.ref,
        mergeBase: base ?? undefined,
        detail: {
          ...input.detail,
          take: take ?? null,
          choices: choices ?? [],
          fromCreatedAt: from.branchCreatedAt,
        },
      },
    };
  };
  return runMerge(ports, table, { options: input, plan }, context);
}

const isSame = (a: PinnedRef, b: PinnedRef): boolean => a.branch === b.branch && a.version === b.version;
