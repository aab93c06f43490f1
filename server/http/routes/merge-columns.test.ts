import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await makeTestServer();
});
afterAll(() => server.close());

test('another program’s new type and key name on a branch are merged, and undone, over HTTP', async () => {
  const main = await makeTable(server.home, 'counts', {
    id: { type: 'int64', values: [1n, 2n], metadata: { 'curio:key': '1' } },
    n: { type: 'utf8', values: ['1', '2'] },
  });
  await (await main.branches()).create('exp');
  const exp = await server.home.connection.openTable('counts', [], { branch: 'exp' });
  await exp.alterColumns([{ path: 'id', rename: 'number' }]);
  await exp.addColumns([{ name: 'other', valueSql: 'cast(n as bigint)' }]);
  await exp.dropColumns(['n']);
  await exp.alterColumns([{ path: 'other', rename: 'n' }]);
  await exp.update({ where: 'number = 2', values: { n: '22' } });
  const post = async (path: string, body: unknown) =>
    (await (await server.post(`/api/v1/tables/counts/${path}`, body)).json()) as Record<string, unknown>;

  expect(await post('diff', { from: 'exp' })).toMatchObject({
    rows: { added: 0, removed: 0, modified: 1 },
    cells: { n: 1 },
    columns: { added: [], removed: [], changed: [{ name: 'number' }, { name: 'n', after: 'n int64' }] },
    mergeable: true,
  });
  const merged = await post('merge', { from: 'exp' });
  expect(merged).toMatchObject({ status: 'merged', rows: { updated: 1 } });
  const { rows } = (await post('rows?format=json', { ref: 'main' })) as { rows: unknown[] };
  expect(rows).toMatchObject([
    { number: '1', n: '1' },
    { number: '2', n: '22' },
  ]);
  expect(await post('merge', { from: 'exp' })).toMatchObject({ status: 'up-to-date' });

  await post('branches', { name: 'back' });
  expect(await post('revert', { branch: 'back', versions: [merged.version] })).toMatchObject({
    status: 'merged',
  });
  const back = (await post('rows?format=json', { ref: 'back' })) as { rows: unknown[] };
  expect(back.rows).toMatchObject([
    { id: '1', n: '1' },
    { id: '2', n: '2' },
  ]);
});
