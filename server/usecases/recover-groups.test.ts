import { serialize } from 'node:v8';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import { makeTablePorts, type TablePorts } from '../testing/table-ports.ts';
import { makeTable } from '../testing/tables.ts';
import { recoverGroups } from './recover-groups.ts';
import { resolveRef } from './resolve-ref.ts';

const { signal } = new AbortController();
const context = { signal };
let ports: TablePorts;

beforeEach(async () => {
  ports = await makeTablePorts();
  await makeTable(ports.home, 'pets', {
    id: { type: 'int64', values: [1n, 2n], nullable: false, metadata: { 'curio:key': '1' } },
    label: { type: 'utf8', values: ['cat', 'dog'] },
  });
  await ports.writer.createBranch(
    { table: 'pets', name: 'exp', from: { branch: 'main', version: 1 } },
    context,
  );
});
afterEach(() => ports.close());

/** Two commits: an empty column, then its values. */
const ops: EditOp[] = [
  { op: 'addColumn', name: 'score', type: 'int32' },
  { op: 'set', rows: { keys: [1] }, values: { score: 7 } },
];

/** Leaves a change as a crash would, after so many commits. */
async function crashAfter(commits: number): Promise<void> {
  const target = await resolveRef(ports, 'pets', 'exp', context);
  const { changeset } = await ports.writer.planEdit({ table: 'pets', head: target.ref, ops }, context);
  await ports.store.keepRedo('g', serialize(changeset), signal);
  ports.store.openGroup({
    id: 'g',
    table: 'pets',
    tableUuid: target.uuid,
    branch: 'exp',
    branchCreatedAt: target.branchCreatedAt,
    fromVersion: target.ref.version,
    kind: 'edit',
    plan: { kind: 'edit', author: 'ann', message: 'Scored' },
    at: '2024-05-01T10:00:00.000Z',
  });
  const onProgress = ({ done }: { done: number }) => {
    if (done === commits) throw new Error('killed');
  };
  if (commits > 0)
    await ports.writer
      .apply({ table: 'pets', head: target.ref, changeset }, { signal, onProgress })
      .catch(() => undefined);
  ports.reopenStore();
}

const head = async () => (await resolveRef(ports, 'pets', 'exp', context)).ref.version;
const records = async () => {
  const { uuid, branchCreatedAt } = await resolveRef(ports, 'pets', 'exp', context);
  return ports.store.listEdits({ tableUuid: uuid, branch: 'exp', branchCreatedAt });
};

describe('at the start', () => {
  test('a change that had begun is finished, with its record', async () => {
    await crashAfter(1);
    expect(await head()).toBe(1);
    expect(await recoverGroups(ports, context)).toEqual({ finished: ['g'], dropped: [], left: [] });
    expect(await head()).toBe(3);
    expect(await records()).toMatchObject([
      {
        id: 'g',
        author: 'ann',
        message: 'Scored',
        fromVersion: 1,
        toVersion: 3,
        changed: { inserted: 0, updated: 1, deleted: 0 },
      },
    ]);
    const branch = await ports.home.connection.openTable('pets', [], { branch: 'exp' });
    expect((await branch.query().toArray()).map(({ id, score }) => [Number(id), score]).sort()).toEqual([
      [1, 7],
      [2, null],
    ]);
    expect(await recoverGroups(ports, context)).toEqual({ finished: [], dropped: [], left: [] });
  });

  test('a change that was whole but not sealed gets its record', async () => {
    await crashAfter(2);
    expect(await recoverGroups(ports, context)).toMatchObject({ finished: ['g'] });
    expect(await records()).toMatchObject([{ toVersion: 3 }]);
  });

  test('a change that had not begun is forgotten', async () => {
    await crashAfter(0);
    expect(await recoverGroups(ports, context)).toEqual({ finished: [], dropped: ['g'], left: [] });
    expect(await head()).toBe(1);
    expect(await records()).toEqual([]);
  });

  test('a change of a branch that is gone, or was made again, is forgotten', async () => {
    await crashAfter(1);
    await ports.writer.deleteBranch({ table: 'pets', name: 'exp' }, context);
    await ports.writer.createBranch(
      { table: 'pets', name: 'exp', from: { branch: 'main', version: 1 } },
      context,
    );
    expect(await recoverGroups(ports, context)).toMatchObject({ dropped: ['g'] });
    expect(await head()).toBe(1);
  });

  test('a change of a table that is gone is forgotten', async () => {
    await crashAfter(1);
    await ports.home.connection.dropTable('pets');
    expect(await recoverGroups(ports, context)).toMatchObject({ dropped: ['g'] });
    expect(ports.store.listOpenGroups()).toEqual([]);
  });

  test('a change that cannot be finished now is left for later, and everything else goes on', async () => {
    await crashAfter(1);
    const { settle } = ports.writer;
    ports.writer.settle = () => Promise.reject(new Error('The disk is full.'));
    ports.writer.mend = () => Promise.reject(new Error('No mending.'));
    expect(await recoverGroups(ports, context)).toEqual({
      finished: [],
      dropped: [],
      left: [{ id: 'g', table: 'pets', branch: 'exp', reason: 'The disk is full.' }],
    });
    expect(await head()).toBe(1);
    ports.writer.settle = settle;
    expect(await recoverGroups(ports, context)).toMatchObject({ finished: ['g'] });
  });
});
