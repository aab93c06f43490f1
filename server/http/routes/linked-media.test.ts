import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Problem } from '#shared/api/problem.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let folder: string;
let s: TestServer;
let picture: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-linked-'));
  picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c04' } })
    .jpeg()
    .toBuffer();
  await writeFile(join(folder, 'a.jpg'), picture);
  await writeFile(join(folder, 'page.html'), '<script>alert(1)</script>');
  s = await makeTestServer({ places: [folder] });
  await makeTable(s.home, 'linked', {
    id: { type: 'int64', values: [1n, 2n, 3n, 4n], metadata: { 'curio:key': '1' } },
    file: {
      type: 'utf8',
      values: ['a.jpg', '/etc/passwd', null, 'page.html'],
      metadata: { 'curio:role': 'image' },
    },
    note: { type: 'utf8', values: ['one', 'two', 'three', 'four'] },
  });
});
afterAll(async () => {
  await s.close();
  await rm(folder, { recursive: true, force: true });
});

const blob = (row: number, column = 'file', init: RequestInit = {}) =>
  s.get(`/api/v1/tables/linked/blobs/${column}/${row}?ref=main:1`, init);

it('a text with a media role gives the file that it names, in ranges, with a thumb, never kept for ever', async () => {
  const whole = await blob(0);
  expect([whole.status, whole.headers.get('content-type'), whole.headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'private, no-cache',
  ]);
  expect(Buffer.from(await whole.arrayBuffer()).equals(picture)).toBe(true);
  const part = await blob(0, 'file', { headers: { range: 'bytes=10-19' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${picture.length}`]);
  expect(Buffer.from(await part.arrayBuffer()).equals(picture.subarray(10, 20))).toBe(true);
  const thumb = await s.get('/api/v1/tables/linked/thumbs/file/0?ref=main:1&size=32');
  expect([thumb.status, thumb.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  expect((await sharp(Buffer.from(await thumb.arrayBuffer())).metadata()).width).toBe(32);
});

it('a file that changes is another one, for its bytes and its thumb', async () => {
  const before = (await blob(0)).headers.get('etag') ?? '';
  expect((await blob(0, 'file', { headers: { 'if-none-match': before } })).status).toBe(304);
  await utimes(join(folder, 'a.jpg'), 5, 5);
  expect((await blob(0, 'file', { headers: { 'if-none-match': before } })).status).toBe(200);
});

it('what lies outside, what is empty and what has no such role is not served; nothing of it may run', async () => {
  const problem = async (response: Promise<Response>) => ((await (await response).json()) as Problem).code;
  expect(await problem(blob(1))).toBe('NOT_FOUND');
  expect(await problem(blob(2))).toBe('NOT_FOUND');
  expect(await problem(blob(99))).toBe('NOT_FOUND');
  expect(await problem(blob(0, 'note'))).toBe('UNSUPPORTED');
  const page = await blob(3);
  expect(page.headers.get('content-security-policy')).toContain('sandbox');
  expect(page.headers.get('content-disposition')).toContain('attachment');
});

it('texts that name pictures of a place are recognised as such; others keep their role', async () => {
  const rows = Array.from({ length: 12 }, (_none, i) => BigInt(i));
  await makeTable(s.home, 'found', {
    id: { type: 'int64', values: rows, metadata: { 'curio:key': '1' } },
    path: { type: 'utf8', values: rows.map((i) => (i === 3n ? null : 'a.jpg')) },
    gone: { type: 'utf8', values: rows.map((i) => `gone-${i}.jpg`) },
    mixed: { type: 'utf8', values: rows.map((i) => (i % 2n === 0n ? 'a.jpg' : 'a.txt')) },
    outside: { type: 'utf8', values: rows.map(() => '/usr/share/pixmaps/x.png') },
  });
  const detail = (await (await s.get('/api/v1/tables/found')).json()) as {
    columns: { name: string; role: string }[];
  };
  expect(Object.fromEntries(detail.columns.map(({ name, role }) => [name, role]))).toMatchObject({
    path: 'image',
    gone: 'text',
    mixed: 'label',
    outside: 'label',
  });
  expect((await s.get('/api/v1/tables/found/thumbs/path/0?size=32')).status).toBe(200);
});
