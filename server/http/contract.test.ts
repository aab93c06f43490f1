import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#shared/api/contract.ts';
import type { Route } from '#shared/api/contract-kit.ts';
import { Problem, problemStatus } from '#shared/api/problem.ts';
import { problemType } from '#shared/api/wire.ts';
import { makeTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await makeTestServer();
});
afterAll(() => server.close());

const routes = Object.entries(contract as Record<string, Route>);
const fill = (path: string): string =>
  path.replace(/:(\w+)/g, (_all, name: string) => (name === 'rowId' ? '0' : 'nowhere'));

async function ask(route: Route, body?: string): Promise<Problem> {
  const response = await server.get(fill(route.path), {
    method: route.method,
    ...(body === undefined ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
  });
  expect(response.headers.get('content-type')).toContain(problemType);
  const problem = Problem.parse(await response.json());
  expect([response.status, problem.status]).toEqual([
    problemStatus[problem.code],
    problemStatus[problem.code],
  ]);
  expect(problem).toMatchObject({ hint: expect.stringMatching(/./), requestId: expect.stringMatching(/./) });
  return problem;
}

describe('every route', () => {
  test.each(routes.filter(([, route]) => route.body))(
    '%s refuses a body that is not as the contract says',
    async (_id, route) => {
      expect((await ask(route, '{"no such field":1}')).code).toBe('BAD_REQUEST');
      expect((await ask(route, '[1]')).code).toBe('BAD_REQUEST');
      expect((await ask(route, '{"cut')).code).toBe('BAD_REQUEST');
    },
  );

  test.each(routes.filter(([, route]) => route.path.includes(':') && !route.body))(
    '%s of what does not exist is NOT_FOUND',
    async (_id, route) => {
      expect((await ask(route)).code).toBe('NOT_FOUND');
    },
  );

  test('the document for machines names each of them', async () => {
    const { paths } = (await (await server.get('/api/v1/openapi.json')).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const named = Object.values(paths).flatMap((path) =>
      Object.values(path).map((entry) => (entry as { operationId: string }).operationId),
    );
    expect(named.sort()).toEqual(routes.map(([id]) => id).sort());
  });

  test('what is no route is a problem, too', async () => {
    const response = await server.get('/api/v1/nothing');
    expect(Problem.parse(await response.json())).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.any(String),
    });
  });
});
