import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EditRecord } from '../ports/studio-store.ts';
import { makeTablePorts, type TablePorts } from '../testing/table-ports.ts';
import { makeTable } from '../testing/tables.ts';
import { readHistory } from './history.ts';

const context = { signal: new AbortController().signal };
let ports: TablePorts;

beforeEach(async () => {
  ports = await makeTablePorts();
  const table = await makeTable(ports.home, 't', {
    id: { type: 'int64', values: Array.from({ length: 9 }, (_, i) => BigInt(i)) },
  });
  for (const id of [1, 2, 3, 4, 5]) await table.delete(`id = ${id}`);
});
afterEach(() => ports.close());

const uuid = async () => (await ports.reader.readHeads({ table: 't' }, context)).uuid;

const record = async (part: Partial<EditRecord>): Promise<EditRecord> => ({
  id: 'e1',
  tableUuid: await uuid(),
  branch: 'main',
  branchCreatedAt: '',
  kind: 'merge',
  fromVersion: 2,
  toVersion: 5,
  author: 'ann',
  message: 'Three in one',
  changed: { inserted: 0, updated: 0, deleted: 3 },
  at: new Date(0).toISOString(),
  undoes: null,
  mergedFrom: { branch: 'exp', version: 7 },
  mergeBase: null,
  detail: null,
  ...part,
});

const lines = async (input: { ref?: string; limit?: number; before?: number } = {}) => {
  const { versions, isComplete } = await readHistory(
    ports,
    { table: 't', ref: 'main', limit: 10, ...input },
    context,
  );
  return [
    ...versions.map(({ branch, version, kind, rows, message }) =>
      `${branch}:${version} ${kind} -${rows.deleted} ${message ?? ''}`.trim(),
    ),
    ...(isComplete ? [] : ['…']),
  ];
};

it('shows one sealed edit as one step, whatever it took', async () => {
  ports.store.addEdit(await record({}));
  expect(await lines()).toEqual([
    'main:6 edit -1',
    'main:5 merge -3 Three in one',
    'main:2 edit -1',
    'main:1 create -0',
  ]);
  const { versions } = await readHistory(ports, { table: 't', ref: 'main', limit: 2 }, context);
  expect(versions[1]).toMatchObject({
    author: 'ann',
    editId: 'e1',
    mergedFrom: { branch: 'exp', version: 7 },
  });
});

it('comes in pages that leave nothing out and show nothing twice', async () => {
  ports.store.addEdit(await record({}));
  expect(await lines({ limit: 2 })).toEqual(['main:6 edit -1', 'main:5 merge -3 Three in one', '…']);
  expect(await lines({ limit: 1, before: 5 })).toEqual(['main:2 edit -1', '…']);
  expect(await lines({ limit: 5, before: 2 })).toEqual(['main:1 create -0']);
  expect(await lines({ limit: 4 })).toHaveLength(4);
});

it('begins at the ref, and does not show what an open group has written so far', async () => {
  expect(await lines({ ref: 'main:2' })).toEqual(['main:2 edit -1', 'main:1 create -0']);
  const { id, tableUuid, branch, branchCreatedAt, kind, at } = await record({});
  ports.store.openGroup({
    id,
    table: 't',
    tableUuid,
    branch,
    branchCreatedAt,
    fromVersion: 4,
    kind,
    plan: {},
    at,
  });
  expect((await lines())[0]).toBe('main:4 edit -1');
});

it('goes on through the branches that a branch was forked from', async () => {
  await ports.writer.createBranch({ table: 't', name: 'a', from: { branch: 'main', version: 3 } }, context);
  const a = await ports.home.connection.openTable('t', [], { branch: 'a' });
  await a.delete('id = 7');
  await a.delete('id = 8');
  await ports.writer.createBranch({ table: 't', name: 'a/b', from: { branch: 'a', version: 4 } }, context);
  const b = await ports.home.connection.openTable('t', [], { branch: 'a/b' });
  await b.delete('id = 6');
  expect(await lines({ ref: 'a/b' })).toEqual([
    'a/b:5 edit -1',
    'a:4 edit -1',
    'main:3 edit -1',
    'main:2 edit -1',
    'main:1 create -0',
  ]);
  expect(await lines({ ref: 'a/b', limit: 2 })).toEqual(['a/b:5 edit -1', 'a:4 edit -1', '…']);
  expect(await lines({ ref: 'a/b', limit: 2, before: 4 })).toEqual(['main:3 edit -1', 'main:2 edit -1', '…']);
});

it('does not take the edits of a branch for those of an earlier one of the same name', async () => {
  await ports.writer.createBranch({ table: 't', name: 'a', from: { branch: 'main', version: 3 } }, context);
  ports.store.addEdit(
    await record({ branch: 'a', branchCreatedAt: 'long ago', fromVersion: 3, toVersion: 4, message: 'old' }),
  );
  await (await ports.home.connection.openTable('t', [], { branch: 'a' })).delete('id = 7');
  expect((await lines({ ref: 'a' }))[0]).toBe('a:4 edit -1');
});
