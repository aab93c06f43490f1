import { expect, test } from 'vitest';
import { abortedError } from '#shared/api/problem.ts';
import { type WouldBeInput, withWouldBeResult } from './would-be-result.ts';

type Ports = Parameters<typeof withWouldBeResult>[0];

const at = (branch: string, version: number) => ({ branch, version });
const input = {
  record: { table: 'pets', into: { createdAt: '' }, from: { createdAt: '' } },
  live: { base: at('main', 1), from: at('exp', 2), into: at('main', 3) },
} as WouldBeInput;

/** Engines as they are: who leaves gets an answer at once, and the work goes on. */
function makeEngine(leaving: AbortController, leavesAt: 'createBranch' | 'apply') {
  const branches = new Set<string>();
  const written: string[] = [];
  const late: (() => void)[] = [];
  const run = (name: string, signal: AbortSignal, work: () => void): Promise<void> => {
    if (name === leavesAt) leaving.abort();
    if (signal.aborted) {
      late.push(work);
      return Promise.reject(abortedError());
    }
    work();
    return Promise.resolve();
  };
  const ports = {
    diff: { planMerge: async () => ({ status: 'merged', changeset: { upserts: { rows: 1 } } }) },
    store: { reviews: { addScratch: () => undefined, removeScratch: () => undefined } },
    writer: {
      createBranch: ({ name }: { name: string }, { signal }: { signal: AbortSignal }) =>
        run('createBranch', signal, () => void branches.add(name)),
      apply: async ({ head }: { head: { branch: string } }, { signal }: { signal: AbortSignal }) => {
        await run('apply', signal, () => void written.push(branches.has(head.branch) ? 'kept' : 'orphan'));
        return { version: 4 };
      },
      deleteBranch: async ({ name }: { name: string }) => void branches.delete(name),
    },
  } as unknown as Ports;
  const settle = () => {
    for (const work of late) work();
    return { branches: [...branches], orphans: written.filter((what) => what === 'orphan') };
  };
  return { ports, settle };
}

test.each(['createBranch', 'apply'] as const)(
  'who cancels during %s leaves no hidden branch and no files of one',
  async (leavesAt) => {
    const leaving = new AbortController();
    const { ports, settle } = makeEngine(leaving, leavesAt);
    const cancelled = withWouldBeResult(ports, input, () => Promise.reject(new Error('worked')), {
      signal: leaving.signal,
    });
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
    expect(settle()).toEqual({ branches: [], orphans: [] });
  },
);
