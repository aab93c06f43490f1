import { isAppError } from '#shared/api/problem.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { OpenGroup } from '../ports/studio-store.ts';
import { settleGroup } from './apply-changeset.ts';
import { sweepScratchBranches } from './scratch-branches.ts';
import { withTableTurn } from './table-turns.ts';

type RecoverPorts = Pick<Ports, 'reader' | 'writer' | 'store' | 'now'>;

export interface Recovered {
  /** Changes that were finished now. */
  finished: string[];
  /** Changes of which nothing had landed, or whose branch is gone. */
  dropped: string[];
  /** Changes that could not be finished: their branches are shown as they were before them. */
  left: { id: string; table: string; branch: string; reason: string }[];
}

/** At the start: mends what crashes left in the tables, and finishes or forgets every change that was under way. */
export async function recoverGroups(ports: RecoverPorts, context: CallContext): Promise<Recovered> {
  const recovered: Recovered = { finished: [], dropped: [], left: [] };
  await ports.writer
    .mend({}, context)
    .catch((error: unknown) => warn(`The tables could not be mended: ${reasonOf(error)}`, context));
  await sweepScratchBranches(ports);
  for (const group of ports.store.listOpenGroups()) {
    const { id, table, branch } = group;
    try {
      const isThere = await hasBranch(ports, group, context);
      const settled = isThere
        ? await withTableTurn(table, context.signal, () => settleGroup(ports, group, context))
        : null;
      if (!isThere) ports.store.dropGroup(id);
      (settled ? recovered.finished : recovered.dropped).push(id);
    } catch (error) {
      const reason = reasonOf(error);
      recovered.left.push({ id, table, branch, reason });
      warn(`The last change of ${branch} of ${table} could not be finished: ${reason}`, context);
    }
  }
  return recovered;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One table that cannot be helped does not keep the others from being served. */
function warn(line: string, { signal }: CallContext): void {
  signal.throwIfAborted();
  process.stderr.write(`${line}\n`);
}

/** False when the table or the branch is gone, or another has taken its name. */
async function hasBranch(
  { reader }: RecoverPorts,
  { table, tableUuid, branch, branchCreatedAt }: OpenGroup,
  context: CallContext,
): Promise<boolean> {
  try {
    const heads = await reader.readHeads({ table }, context);
    return (
      heads.uuid === tableUuid &&
      heads.branches.some(({ name, createdAt }) => name === branch && (createdAt ?? '') === branchCreatedAt)
    );
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}
