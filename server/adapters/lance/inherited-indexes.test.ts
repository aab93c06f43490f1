import { Index } from '@lancedb/lancedb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';
import { createBranch } from './branches.ts';

let home: TestHome;
beforeAll(async () => {
  home = await makeTestHome();
});
afterAll(() => home.remove());

const context = { signal: new AbortController().signal };

async function idsOn(branch: string): Promise<number[]> {
  const handle = await home.connection.openTable('birds', [], { branch });
  const rows = await handle.query().where('id in (2, 3)').select(['id']).toArray();
  return rows.map(({ id }) => Number(id)).sort();
}

test('an index of main answers on branches of branches, whatever index each has of its own', async () => {
  const main = await makeTable(home, 'birds', { id: { type: 'int64', values: [1n, 2n, 3n] } });
  await main.createIndex('id', { config: Index.btree() });
  const branch = async (name: string, from: PinnedRef) => {
    await createBranch(home, { table: 'birds', name, from }, context);
    const handle = await home.connection.openTable('birds', [], { branch: name });
    return { branch: name, version: await handle.version() };
  };
  const exp = await branch('exp', { branch: 'main', version: await main.version() });
  const deep = await branch('exp/deep', exp);
  const deeper = await branch('deeper', deep);
  const handle = await home.connection.openTable('birds', [], { branch: 'deeper' });
  await handle.createIndex('id', { config: Index.btree(), replace: true });
  const last = await branch('last', { branch: deeper.branch, version: await handle.version() });
  for (const name of [exp, deep, deeper, last].map((ref) => ref.branch))
    expect([name, await idsOn(name)]).toEqual([name, [2, 3]]);
});
