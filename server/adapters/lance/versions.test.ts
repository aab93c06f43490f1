import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeArrowTable } from '../../testing/columns.ts';
import { makeForeignTable, makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';
import { listVersions } from './versions.ts';

const context = { signal: new AbortController().signal };
let home: TestHome;
beforeAll(async () => {
  home = await makeTestHome();
});
afterAll(() => home.remove());

const rows = (from: number, count: number, value = 0) => ({
  id: { type: 'int64', values: BigInt64Array.from({ length: count }, (_, i) => BigInt(from + i)) },
  value: { type: 'float64', values: new Float64Array(count).fill(value) },
});
const list = (table: string, options: { branch?: string; before?: number; limit?: number } = {}) =>
  listVersions(home, { table, branch: 'main', limit: 100, ...options }, context);
const short = async (table: string, branch = 'main') =>
  (await list(table, { branch })).versions.map(
    ({ version, kind, rows: { inserted, updated, deleted } }) =>
      `${version} ${kind} +${inserted} ~${updated} -${deleted}`,
  );

async function change(table: Awaited<ReturnType<typeof makeTable>>) {
  await table.add(makeArrowTable(rows(10, 5)));
  await table.update({ where: 'id < 3', values: { value: '1' } });
  await table.delete('id = 4 or id = 12');
  await table
    .mergeInsert('id')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(makeArrowTable(rows(13, 4, 7)));
  await table.delete('false');
}

describe('versions', () => {
  it('say what each did, newest first', async () => {
    const table = await makeTable(home, 'steps', rows(0, 10));
    await change(table);
    await table.createIndex('id');
    await table
      .mergeInsert('id')
      .whenMatchedUpdateAll()
      .execute(makeArrowTable({ id: rows(0, 2).id, value: { type: 'float64', values: [5, 5] } }));
    await table
      .mergeInsert('id')
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .whenNotMatchedBySourceDelete({ where: 'id in (6, 7)' })
      .execute(
        makeArrowTable({
          id: { type: 'int64', values: [5n, 77n] },
          value: { type: 'float64', values: [5, 5] },
        }),
      );
    await table.addColumns([{ name: 'twice', valueSql: 'value * 2' }]);
    await table.updateFieldMetadata([{ path: 'id', metadata: { 'curio:key': '1' } }]);
    await table.checkout(2);
    await table.restore();
    await table.optimize();
    const all = await short('steps');
    expect(all.slice(-12)).toEqual([
      '12 restore +1 ~0 -0',
      '11 schema +0 ~0 -0',
      '10 schema +0 ~0 -0',
      '9 edit +1 ~1 -2',
      '8 edit +0 ~2 -0',
      '7 index +0 ~0 -0',
      '6 edit +0 ~0 -0',
      '5 edit +2 ~2 -0',
      '4 edit +0 ~0 -2',
      '3 edit +0 ~3 -0',
      '2 edit +5 ~0 -0',
      '1 create +10 ~0 -0',
    ]);
    expect(new Set(all.slice(0, -12).map((line) => line.split(' ')[1]))).toEqual(new Set(['compaction']));
    const { versions } = await list('steps');
    expect(Math.abs(Date.now() - Date.parse(versions[0]!.at))).toBeLessThan(120_000);
  });

  it('count changed values of a part of the columns', async () => {
    const table = await makeTable(home, 'partial', {
      ...rows(0, 10),
      other: { type: 'int32', values: new Int32Array(10) },
    });
    await table.createIndex('id');
    await table
      .mergeInsert('id')
      .whenMatchedUpdateAll()
      .execute(makeArrowTable(rows(2, 3, 9)));
    expect((await short('partial'))[0]).toBe('3 edit +0 ~3 -0');
  });

  it('of tables without stable row ids count what can be told', async () => {
    await change(await makeForeignTable(home, 'foreign', rows(0, 10)));
    expect(await short('foreign')).toEqual([
      '6 edit +0 ~0 -0',
      '5 edit +2 ~2 -0',
      '4 edit +0 ~0 -2',
      '3 edit +0 ~3 -0',
      '2 edit +5 ~0 -0',
      '1 create +10 ~0 -0',
    ]);
  });

  it('of a branch begin after the one that it was forked at', async () => {
    const table = await makeTable(home, 'forked', rows(0, 10));
    await table.delete('id = 1');
    const branch = await (await table.branches()).create('team/exp');
    expect(await list('forked', { branch: 'team/exp' })).toEqual({ versions: [], isComplete: true });
    await branch.delete('id = 2');
    await branch.add(makeArrowTable(rows(20, 1)));
    expect(await short('forked', 'team/exp')).toEqual(['4 edit +1 ~0 -0', '3 edit +0 ~0 -1']);
    expect(await list('forked', { branch: 'team/exp', limit: 2 })).toMatchObject({
      isComplete: true,
      versions: [{ version: 4 }, { version: 3 }],
    });
    expect(await list('forked', { branch: 'team/exp', limit: 1 })).toMatchObject({ isComplete: false });
  });

  it('come in pages', async () => {
    expect(await list('steps', { limit: 3, before: 4 })).toMatchObject({
      isComplete: true,
      versions: [{ version: 3 }, { version: 2 }, { version: 1 }],
    });
    const first = await list('steps', { limit: 2, before: 12 });
    expect(first).toMatchObject({ isComplete: false, versions: [{ version: 11 }, { version: 10 }] });
    expect(await list('steps', { limit: 5, before: 1 })).toEqual({ versions: [], isComplete: true });
    await expect(list('steps', { branch: 'nope' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that were cleaned up are gone from the list', async () => {
    const table = await makeTable(home, 'cleaned', rows(0, 10));
    for (const id of [1, 2, 3]) await table.delete(`id = ${id}`);
    await table.optimize({ cleanupOlderThan: new Date(Date.now() + 1000), deleteUnverified: true });
    const { versions, isComplete } = await list('cleaned');
    expect(isComplete).toBe(true);
    expect(versions[0]!.version).toBe(await table.version());
    expect(versions.map(({ version }) => version)).not.toContain(1);
  });
});
