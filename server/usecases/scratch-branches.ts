import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { isAppError } from '#shared/api/problem.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';

type ScratchPorts = Pick<Ports, 'writer' | 'store'>;

const Scratch = z.object({ table: z.string(), branch: z.string() });
type Scratch = z.infer<typeof Scratch>;

const openFact = 'scratch.branches';

/** Those that are in use, or that a crash left. */
function listOpen({ store }: Pick<Ports, 'store'>): Scratch[] {
  return z.array(Scratch).parse(JSON.parse(store.facts.get(openFact) ?? '[]'));
}

function keepOpen({ store }: Pick<Ports, 'store'>, open: readonly Scratch[]): void {
  store.facts.set(openFact, open.length === 0 ? null : JSON.stringify(open));
}

const withoutBranch = (open: readonly Scratch[], branch: string): Scratch[] =>
  open.filter((each) => each.branch !== branch);

/** Works on a branch that no list shows and that is gone afterwards, also after a crash: it is written down first. */
export async function withScratchBranch<T>(
  ports: ScratchPorts,
  { table, from }: { table: string; from: PinnedRef },
  work: (branch: string) => Promise<T>,
  context: CallContext,
): Promise<T> {
  const branch = `curio-pin/pick-${randomUUID()}`;
  keepOpen(ports, [...listOpen(ports), { table, branch }]);
  try {
    context.signal.throwIfAborted();
    // An engine that is left goes on: it would make the branch after it was dropped.
    await ports.writer.createBranch({ table, name: branch, from }, { signal: new AbortController().signal });
    context.signal.throwIfAborted();
    return await work(branch);
  } finally {
    await drop(ports, { table, branch });
  }
}

/** At the start: removes what a crash left. What cannot be removed is tried again at the next start. */
export async function sweepScratchBranches(ports: ScratchPorts): Promise<Scratch[]> {
  const left = listOpen(ports);
  for (const scratch of left) await drop(ports, scratch).catch(() => undefined);
  return left;
}

async function drop(ports: ScratchPorts, { table, branch }: Scratch): Promise<void> {
  try {
    await ports.writer.deleteBranch({ table, name: branch }, { signal: new AbortController().signal });
  } catch (error) {
    if (!isAppError(error) || (error.code !== 'NOT_FOUND' && error.code !== 'GONE')) throw error;
  }
  keepOpen(ports, withoutBranch(listOpen(ports), branch));
}
