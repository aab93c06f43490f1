import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MediaFacts } from '#shared/api/annotations.ts';
import { Problem } from '#shared/api/problem.ts';
import { makePdf } from '../../testing/media-zoo-pictures.ts';
import { makeTable, tinyPng } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

const files = [
  makePdf(['1 0 0', '0 1 0', '0 0 1']),
  makePdf(['1 0 0', null, '0 0 1']),
  tinyPng,
  makePdf(['1 0 0']).subarray(0, 40),
];

let server: TestServer;

beforeAll(async () => {
  server = await makeTestServer();
  await makeTable(server.home, 'papers', {
    id: { type: 'int64', values: files.map((_none, at) => BigInt(at)), metadata: { 'curio:key': '1' } },
    file: { type: 'blob', values: files.map((data) => ({ data: Buffer.from(data), uri: null })) },
  });
});
afterAll(() => server.close());

const thumb = (row: number, query: string, headers: Record<string, string> = {}) =>
  server.get(`/api/v1/tables/papers/thumbs/file/${row}?size=64${query}`, { headers });
const problemOf = async (response: Response): Promise<Problem> => Problem.parse(await response.json());
const factsOf = async (row: number): Promise<MediaFacts> =>
  MediaFacts.parse(await (await server.get(`/api/v1/tables/papers/media-facts/file/${row}`)).json());

/** Which of red, green and blue the page is of. */
async function colourOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString().slice(0, 300)).toBe(200);
  const { channels } = await sharp(bytes).stats();
  return ['red', 'green', 'blue'].filter((_none, at) => channels[at]!.mean > 150).join(' ');
}

test('each page of a PDF has a thumb of its own, with its own ETag; the first one is that without a page', async () => {
  const pages = await Promise.all(['', '&page=1', '&page=2', '&page=3'].map((query) => thumb(0, query)));
  const tags = pages.map(({ headers }) => headers.get('etag'));
  expect(await Promise.all(pages.map(colourOf))).toEqual(['red', 'red', 'green', 'blue']);
  expect([tags[0] === tags[1], new Set(tags).size]).toEqual([true, 3]);
  const again = await thumb(0, '&page=2', { 'If-None-Match': tags[2]! });
  expect(again.status).toBe(304);
  expect(await colourOf(await thumb(0, '&page=2', { 'If-None-Match': tags[0]! }))).toBe('green');
});

test('a page that a PDF does not have, and a further page of something else, say so', async () => {
  const beyond = await thumb(0, '&page=4');
  expect(beyond.status).toBe(416);
  expect(await problemOf(beyond)).toMatchObject({
    code: 'RANGE',
    detail: 'The PDF has 3 pages; there is no page 4.',
    hint: 'Ask for a page from 1 to 3.',
  });
  expect(await problemOf(await thumb(2, '&page=2'))).toMatchObject({
    code: 'RANGE',
    detail: 'Only a PDF has further pages; this is image/png.',
  });
  expect((await thumb(2, '&page=1')).status).toBe(200);
  expect(await colourOf(await thumb(0, '&page=3'))).toBe('blue');
});

test.each(['0', '-1', '1.5', 'two', '100001'])('page %s is no page', async (page) => {
  const response = await thumb(0, `&page=${page}`);
  expect([response.status, (await problemOf(response)).code]).toEqual([400, 'BAD_REQUEST']);
});

test('a damaged page does not take the others along', async () => {
  const damaged = await thumb(1, '&page=2');
  expect(await problemOf(damaged)).toMatchObject({
    code: 'UNSUPPORTED_MEDIA',
    detail: expect.stringMatching(/PDF cannot be drawn.* It has .*application\/pdf/),
  });
  expect(await colourOf(await thumb(1, '&page=3'))).toBe('blue');
  expect(await colourOf(await thumb(1, ''))).toBe('red');
});

test('the facts of a PDF say how many pages it has, or why nobody knows', async () => {
  expect(await factsOf(0)).toMatchObject({ contentType: 'application/pdf', pages: 3, facts: [] });
  expect((await factsOf(2)).pages).toBeUndefined();
  const broken = await factsOf(3);
  expect([broken.pages, broken.facts]).toEqual([
    undefined,
    [{ name: 'note', value: expect.stringContaining('PDF cannot be drawn') }],
  ]);
});
