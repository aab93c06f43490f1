import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTablePorts, type TablePorts } from '../testing/table-ports.ts';
import { makeTable } from '../testing/tables.ts';
import { recoverGroups } from './recover-groups.ts';
import { withScratchBranch } from './scratch-branches.ts';

const context = { signal: new AbortController().signal };
const from = { branch: 'main', version: 1 };
let ports: TablePorts;

beforeEach(async () => {
  ports = await makeTablePorts();
  await makeTable(ports.home, 'pets', {
    id: { type: 'int64', values: [1n, 2n], nullable: false, metadata: { 'curio:key': '1' } },
  });
});
afterEach(() => ports.close());

/** All that Lance has, also what no list shows. */
const branches = async () => {
  const table = await ports.home.connection.openTable('pets');
  return Object.keys(await (await table.branches()).list()).sort();
};

test('a scratch branch is gone when the work has ended, however it ends', async () => {
  const name = await withScratchBranch(
    ports,
    { table: 'pets', from },
    async (branch) => {
      expect(await branches()).toEqual([branch]);
      return branch;
    },
    context,
  );
  expect(name).toMatch(/^curio-pin\/pick-/);
  const failing = withScratchBranch(
    ports,
    { table: 'pets', from },
    () => Promise.reject(new Error('no')),
    context,
  );
  await expect(failing).rejects.toThrow('no');
  expect(await branches()).toEqual([]);
});

test('who leaves while it is made leaves nothing', async () => {
  const { createBranch } = ports.writer;
  const leaving = new AbortController();
  let later: Promise<void> | null = null;
  ports.writer.createBranch = (input, { signal }) => {
    leaving.abort();
    const made = createBranch(input, context);
    if (!signal.aborted) return made;
    later = made;
    return Promise.reject(new Error('left'));
  };
  let hasWorked = false;
  const work = async () => {
    hasWorked = true;
  };
  await expect(
    withScratchBranch(ports, { table: 'pets', from }, work, { signal: leaving.signal }),
  ).rejects.toThrow();
  await later;
  expect([hasWorked, await branches()]).toEqual([false, []]);
});

test('one that a crash left is removed at the next start, and others are not', async () => {
  await ports.writer.createBranch({ table: 'pets', name: 'curio-pin/at-1', from }, context);
  const { deleteBranch } = ports.writer;
  ports.writer.deleteBranch = () => Promise.reject(new Error('killed'));
  const killed = withScratchBranch(ports, { table: 'pets', from }, async () => undefined, context);
  await expect(killed).rejects.toThrow('killed');
  await recoverGroups(ports, context);
  expect(await branches()).toHaveLength(2);
  ports.reopenStore();
  ports.writer.deleteBranch = deleteBranch;
  await recoverGroups(ports, context);
  expect(await branches()).toEqual(['curio-pin/at-1']);
  expect(ports.store.facts.get('scratch.branches')).toBe(null);
});

test('one that was never made, or whose table is gone, is forgotten', async () => {
  const never = withScratchBranch(ports, { table: 'nope', from }, async () => undefined, context);
  await expect(never).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(ports.store.facts.get('scratch.branches')).toBe(null);
});
