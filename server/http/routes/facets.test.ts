import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FacetsAnswer, FacetsEvent } from '#shared/api/facets.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let s: TestServer;
const rows = 300;

beforeAll(async () => {
  s = await makeTestServer();
  await makeTable(s.home, 'clips', {
    label: { type: 'utf8', values: Array.from({ length: rows }, (_none, i) => ['cat', 'dog', 'yak'][i % 3]) },
    score: { type: 'float64', values: Float64Array.from({ length: rows }, (_none, i) => i / 7) },
  });
});
afterAll(() => s.close());

const ask = async (body: object, path = '/api/v1/tables/clips/facets') => {
  const response = await s.post(path, body);
  return { status: response.status, body: (await response.json()) as FacetsAnswer & { code?: string } };
};

describe('facets over HTTP', () => {
  it('are linked distributions with the cube of the active one', async () => {
    const { status, body } = await ask({ conditions: ["label = 'cat'"], active: 'score' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ref: { branch: 'main' },
      rows,
      counted: rows,
      matching: 100,
      isSample: false,
      facets: [
        {
          column: 'label',
          kind: 'text',
          all: [100, 100, 100, 0, 0, 0, 0],
          kept: [100, 100, 100, 0, 0, 0, 0],
        },
        { column: 'score', kind: 'number' },
      ],
      cube: { column: 'score', others: [{ column: 'label', width: 7 }] },
    });
    expect(body.cube?.totals.at(-1)).toBe(100);
  });

  it('agree with the count of the rows', async () => {
    const where = 'score >= 10 and score < 20';
    const { body } = await ask({ conditions: [where] });
    const counted = await s.post('/api/v1/tables/clips/count', { where });
    expect(await counted.json()).toMatchObject({ rows: body.matching });
  });

  it('refuse what cannot be read', async () => {
    expect(await ask({ columns: ['nope'] })).toMatchObject({ status: 400, body: { code: 'SQL_BIND' } });
    expect(await ask({ active: 'nope' })).toMatchObject({ status: 400, body: { code: 'SQL_BIND' } });
    expect(await ask({ conditions: ['score >'] })).toMatchObject({
      status: 400,
      body: { code: 'SQL_SYNTAX' },
    });
    expect(await ask({ conditions: ['1 = 1; drop table x'] })).toMatchObject({ status: 400 });
    expect(await ask({ sample: 0 })).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    expect(await ask({}, '/api/v1/tables/none/facets')).toMatchObject({ status: 404 });
  });
});

describe('facets as events', () => {
  const path = '/api/v1/tables/clips/facets/live';
  const eventsOf = async (body: object): Promise<FacetsEvent[]> => {
    const response = await s.post(path, body);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line.replace(/^data: /, '')));
  };

  it('say how far they are, and end with the answer that one call gives', async () => {
    const asked = { conditions: ['score * 2 > 7'] };
    const events = await eventsOf(asked);
    const last = events.pop() as { answer: FacetsAnswer };
    const { body } = await ask(asked);
    expect({ ...last.answer, elapsedMs: 0 }).toEqual({ ...body, elapsedMs: 0 });
    for (const event of events) expect(event).toMatchObject({ progress: { message: expect.any(String) } });
  });

  it.each<[object, number, string]>([
    [{ columns: ['nope'] }, 400, 'SQL_BIND'],
    [{ conditions: ['score ='] }, 400, 'SQL_SYNTAX'],
    [{ ref: 'main:99' }, 404, 'NOT_FOUND'],
  ])('do not begin where the question is wrong: %j', async (body, status, code) => {
    const response = await s.post(path, body);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await response.json()).toMatchObject({ code });
  });
});

describe('associations over HTTP', () => {
  it('say how far columns go together', async () => {
    const response = await s.post('/api/v1/tables/clips/associations', {});
    expect(await response.json()).toMatchObject({
      rows,
      counted: rows,
      isSample: false,
      columns: ['label', 'score'],
      pairs: [{ a: 'label', b: 'score', measure: 'eta', rows }],
    });
  });
});

describe('details over HTTP', () => {
  it('are facts of a kind, over a filter', async () => {
    const path = '/api/v1/tables/clips/profile/details';
    const response = await s.post(path, { where: "label = 'cat'" });
    expect(await response.json()).toMatchObject({
      columns: [
        {
          kind: 'text',
          column: 'label',
          rows: 100,
          duplicates: 99,
          words: [{ value: 'cat', rows: 100 }],
          scope: 'all 100 rows that match the filter',
        },
      ],
    });
    expect((await s.post(path, { where: 'nope = 1' })).status).toBe(400);
  });
});
