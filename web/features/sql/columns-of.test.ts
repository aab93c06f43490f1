// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeServer } from '../../testing/fake-server.ts';
import { fakeDetail, fakeSession } from '../../testing/fixtures.ts';
import { columnsOf } from './queries.ts';

afterEach(() => vi.unstubAllGlobals());

test('columns of a ref that is still being typed are not asked for; those of one that is there are', async () => {
  const server = fakeServer({ session: () => fakeSession(), describeTable: () => fakeDetail() });
  const client = new QueryClient();
  const namesOf = async (name: string) => (await columnsOf(name, {}, client)).map((column) => column.name);
  for (const name of ['wonder', 'wonders@f', 'wonders@fix:99999', 'wonders@fix:x'])
    expect(await namesOf(name)).toEqual([]);
  expect(server.callsOf('describeTable')).toEqual([]);
  for (const name of ['wonders', 'Wonders@fix', 'wonders@fix:2'])
    expect(await namesOf(name)).toContain('gloss');
  expect(await namesOf('wonders@tag:gone')).toEqual([]);
  expect(server.callsOf('describeTable').map(({ query }) => query.ref)).toEqual(['main', 'fix', 'fix:2']);
});
