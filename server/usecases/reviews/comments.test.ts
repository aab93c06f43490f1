import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAppError } from '#shared/api/problem.ts';
import type { Comment } from '#shared/api/review-parts.ts';
import type { CommentBody, Review } from '#shared/api/reviews.ts';
import type { MadeColumn } from '../../testing/columns.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';
import { addComment } from './comments.ts';
import { getReview } from './get-review.ts';
import { openReview } from './open-review.ts';
import type { By } from './review-ports.ts';

const by: By = { principal: { name: 'ann', kind: 'local' }, signal: new AbortController().signal };

let server: TestServer;
beforeAll(async () => {
  server = await makeTestServer();
});
afterAll(() => server.close());

/** A table with a branch `exp` and a review of it. */
async function review(table: string, columns: Record<string, MadeColumn>): Promise<string> {
  await makeTable(server.home, table, columns);
  await server.post(`/api/v1/tables/${table}/branches`, { name: 'exp' });
  const body = { table, from: 'exp', into: 'main', title: table, description: '' };
  return (await openReview(server.ports, body, by)).id;
}

const say = (id: string, body: Omit<CommentBody, 'body'>): Promise<Comment> =>
  addComment(server.ports, { id, body: 'x', ...body }, by);

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (isAppError(error) ? error.code : error),
  );

async function edit(table: string, ops: unknown[]): Promise<void> {
  const response = await server.post(`/api/v1/tables/${table}/edits`, { branch: 'exp', ops });
  expect([response.status, response.status === 200 ? null : await response.text()]).toEqual([200, null]);
}

const statesOf = ({ threads }: Review): (string | undefined)[] => threads.map(({ since }) => since?.state);

test('keys of 64 bits are found as numbers and as texts', async () => {
  const big = 9_007_199_254_740_993n;
  const id = await review('bigs', {
    id: { type: 'int64', values: [1n, big], nullable: false, metadata: { 'curio:key': '1' } },
    label: { type: 'utf8', values: ['a', 'b'] },
  });
  await say(id, { rowKey: 1, column: 'label' });
  await say(id, { rowKey: '1', column: 'label' });
  await say(id, { rowKey: String(big), column: 'label' });
  expect(await codeOf(say(id, { rowKey: 'one', column: 'label' }))).toBe('BAD_REQUEST');
  expect(await codeOf(say(id, { rowKey: 2 }))).toBe('NOT_FOUND');
  expect(await codeOf(say(id, { rowKey: null }))).toBe('NOT_FOUND');
  await edit('bigs', [{ op: 'set', rows: { keys: [String(big)] }, values: { label: 'c' } }]);
  expect(statesOf(await getReview(server.ports, { id }, by))).toEqual(['same', 'same', 'changed']);
});

test('keys of several columns take one value each', async () => {
  const id = await review('pairs', {
    scene: { type: 'utf8', values: ["o'clock", 'b'], nullable: false, metadata: { 'curio:key': '1' } },
    frame: { type: 'int32', values: [1, 2], nullable: false, metadata: { 'curio:key': '2' } },
    label: { type: 'utf8', values: ['a', 'b'] },
  });
  const said = await say(id, { rowKey: ["o'clock", 1], column: 'label' });
  expect(said.since).toMatchObject({ state: 'same', now: { preview: 'a' } });
  expect(await codeOf(say(id, { rowKey: ["o'clock", 2] }))).toBe('NOT_FOUND');
  expect(await codeOf(say(id, { rowKey: "o'clock" }))).toBe('BAD_REQUEST');
  await edit('pairs', [{ op: 'delete', rows: { where: 'frame = 1' } }]);
  expect(statesOf(await getReview(server.ports, { id }, by))).toEqual(['row-removed']);
});

test('pictures, vectors and columns that come and go', async () => {
  const id = await review('media', {
    id: { type: 'int32', values: [1, 2], nullable: false, metadata: { 'curio:key': '1' } },
    picture: {
      type: 'blob',
      values: [Buffer.alloc(300, 1), Buffer.alloc(300, 2)].map((data) => ({ data, uri: null })),
    },
    vector: {
      type: 'fixed_size_list<float32>[2]',
      values: [
        [1, 2],
        [3, 4],
      ],
    },
    label: { type: 'utf8', values: ['a', 'b'] },
  });
  await say(id, { rowKey: 1, column: 'picture' });
  await say(id, { rowKey: 1, column: 'vector' });
  await say(id, { rowKey: 1, column: 'label' });
  await say(id, { rowKey: 1 });
  await edit('media', [
    {
      op: 'set',
      rows: { keys: [1] },
      values: { picture: { base64: Buffer.alloc(300, 9).toString('base64') } },
    },
    { op: 'set', rows: { keys: [2] }, values: { vector: [0, 0] } },
    { op: 'addColumn', name: 'score', type: 'int32' },
  ]);
  const moved = await getReview(server.ports, { id }, by);
  expect(statesOf(moved)).toEqual(['changed', 'same', 'same', 'changed']);
  expect(moved.threads[3]?.since?.columns).toEqual(['picture']);
  await edit('media', [{ op: 'dropColumn', name: 'label' }]);
  expect(statesOf(await getReview(server.ports, { id }, by))).toEqual([
    'changed',
    'same',
    'column-removed',
    'changed',
  ]);
});
