import { randomUUID } from 'node:crypto';
import type { MergeChoice } from '#shared/api/edits.ts';
import { AppError, isAppError } from '#shared/api/problem.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ReviewRecord } from '../../ports/review-store.ts';
import { isEmptyChangeset } from '../apply-changeset.ts';
import { withTableTurn } from '../table-turns.ts';
import type { StandingRefs } from './live-refs.ts';
import type { ReviewPorts } from './review-ports.ts';

export interface WouldBeInput {
  record: ReviewRecord;
  live: StandingRefs;
  take?: 'from' | 'into';
  choices?: MergeChoice[];
}

export interface WouldBe {
  ref: PinnedRef;
  /** Of the branch that the rows are on; empty for a hidden one, whose name is used once. */
  branchCreatedAt: string;
}

const isSame = (a: PinnedRef | null, b: PinnedRef): boolean =>
  a?.branch === b.branch && a.version === b.version;

/**
 * Gives work the rows that a merge would give, at a cost that grows with the changes: on a hidden branch that is made
 * where `into` stands and is removed afterwards; or, where only one side changed since the base, that side itself.
 * CONFLICT when the choices leave conflicts open. Writing that has begun is waited for, also when nobody wants it any
 * more: an engine that is left goes on, and would write after the branch was removed.
 */
export async function withWouldBeResult<T>(
  ports: Pick<ReviewPorts, 'writer' | 'diff' | 'store'>,
  { record, live, take, choices }: WouldBeInput,
  work: (result: WouldBe) => Promise<T>,
  context: CallContext,
): Promise<T> {
  const { base, from, into } = live;
  const { table } = record;
  if (isSame(base, from)) return work({ ref: into, branchCreatedAt: record.into.createdAt });
  if (isOnIntosLine(live)) return work({ ref: from, branchCreatedAt: record.from.createdAt });
  const plan = await ports.diff.planMerge({ table, base, from, into, take, choices }, context);
  if (plan.status === 'conflicts')
    throw new AppError({
      code: 'CONFLICT',
      message: `The checks cannot run until ${plan.conflictCount} ${plan.conflictCount === 1 ? 'conflict is' : 'conflicts are'} settled: before that there is no result to check.`,
      hint: 'Settle them in the comparison, then run the checks with these choices.',
    });
  const { changeset } = plan;
  if (!changeset || isEmptyChangeset(changeset))
    return work({ ref: into, branchCreatedAt: record.into.createdAt });
  const branch = `curio-pin/check-${randomUUID()}`;
  const scratch = { table, branch };
  const begun: CallContext = { signal: new AbortController().signal };
  ports.store.reviews.addScratch(scratch);
  try {
    await withTableTurn(table, context.signal, () =>
      ports.writer.createBranch({ table, name: branch, from: into }, begun),
    );
    context.signal.throwIfAborted();
    const head = { branch, version: into.version };
    const { version } = await ports.writer.apply({ table, head, changeset }, begun);
    context.signal.throwIfAborted();
    return await work({ ref: { branch, version }, branchCreatedAt: '' });
  } finally {
    await removeScratch(ports, scratch);
  }
}

/** Nothing has happened on `into` since the base: the merge gives what `from` is. */
const isOnIntosLine = ({ base, into }: StandingRefs): boolean => isSame(base, into);

/** What cannot be removed now is removed at the next start. */
async function removeScratch(
  { writer, store }: Pick<ReviewPorts, 'writer' | 'store'>,
  scratch: { table: string; branch: string },
): Promise<void> {
  const { signal } = new AbortController();
  try {
    await withTableTurn(scratch.table, signal, () =>
      writer.deleteBranch({ table: scratch.table, name: scratch.branch }, { signal }),
    );
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code !== 'NOT_FOUND') return;
  }
  store.reviews.removeScratch(scratch);
}
