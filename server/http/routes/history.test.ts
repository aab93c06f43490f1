import { expect, test } from 'vitest';
import { serveAnimals, set } from '../../testing/animals.ts';

const animals = serveAnimals();

test('the graph of a table over HTTP, in pages', async () => {
  await animals.edit('exp', set('ant', { legs: 6 }));
  await animals.ok('merge', { from: 'exp' });
  const first = await animals.ok<{ versions: Record<string, unknown>[]; cursor: string }>('graph', {
    limit: 2,
  });
  expect(first).toMatchObject({
    versions: [
      { branch: 'main', kind: 'merge', mergedFrom: { branch: 'exp' }, isSourceThere: true, review: null },
      { branch: 'exp', kind: 'edit', author: 'you', rows: { updated: 1 } },
    ],
    branches: [{ name: 'main' }, { name: 'exp' }],
    cursor: expect.any(String),
  });
  const second = await animals.ok('graph', { cursor: first.cursor });
  expect(second).toMatchObject({
    branches: [],
    cursor: null,
    versions: [{ kind: 'index' }, { kind: 'create' }],
  });
});

test('the history of a row and of a cell over HTTP, through the merge', async () => {
  await animals.edit('exp', set('ant', { legs: 6 }));
  await animals.ok('merge', { from: 'exp', message: 'Counted' });
  const body = await animals.ok('rows/history', { key: 'ant', column: 'legs' });
  expect(body).toMatchObject({
    key: 'ant',
    isThere: true,
    end: 'begin',
    events: [
      {
        kind: 'merge',
        message: 'Counted',
        cells: [{ column: 'legs', type: 'int64', before: '4', after: '6' }],
        origin: [{ kind: 'edit', ref: { branch: 'exp' }, author: 'you' }],
      },
      { kind: 'create', change: 'added', cells: [{ column: 'legs', before: null, after: '4' }] },
    ],
  });
  const { rowId } = (body as { events: { after: { rowId: string } }[] }).events[0]!.after;
  expect(await animals.ok('rows/history', { rowId, limit: 1 })).toMatchObject({
    end: 'more',
    events: [{ kind: 'merge' }],
  });
});

test.each([
  ['rows/history', {}, 400, 'BAD_REQUEST'],
  ['rows/history', { key: 'ant', rowId: 1 }, 400, 'BAD_REQUEST'],
  ['rows/history', { key: ['ant', 'bee'] }, 400, 'BAD_REQUEST'],
  ['rows/history', { key: 'ant', column: 'leg' }, 404, 'NOT_FOUND'],
  ['rows/history', { key: 'ant', ref: 'nowhere' }, 404, 'NOT_FOUND'],
  ['rows/history', { rowId: 12_345 }, 404, 'NOT_FOUND'],
  ['rows/history', { key: 'ant', limit: 0 }, 400, 'BAD_REQUEST'],
  ['rows/history', { key: 'ant', cursor: '../../etc' }, 400, 'BAD_REQUEST'],
  ['graph', { limit: 5000 }, 400, 'BAD_REQUEST'],
  ['graph', { cursor: 'e30' }, 400, 'BAD_REQUEST'],
  ['graph', { branches: ['exp', 'nowhere'] }, 404, 'NOT_FOUND'],
  ['graph', { branches: [] }, 400, 'BAD_REQUEST'],
])('%s %j is answered with %i %s', async (route, body, status, code) => {
  expect(await animals.problem(route, body)).toMatchObject({ status, code });
});

test('a cursor cannot name what is not a branch', async () => {
  await animals.edit('exp', set('ant', { legs: 6 }));
  const first = { ref: 'exp', key: 'ant', limit: 1 };
  const { cursor } = await animals.ok<{ cursor: string }>('rows/history', first);
  const parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  const forged = { ...parsed, at: { branch: '../../other', version: 1 } };
  expect(
    await animals.problem('rows/history', {
      key: 'ant',
      cursor: Buffer.from(JSON.stringify(forged)).toString('base64url'),
    }),
  ).toMatchObject({ status: 400 });
});
