import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#shared/api/problem.ts';
import { makeLargeBlob } from '../../testing/large-blob.ts';
import { mp4, remux } from '../../testing/media-zoo-moving.ts';
import { blackPng } from '../../testing/media-zoo-pictures.ts';
import { writeSparse, writeSparseFilm, writeSparseWav } from '../../testing/sparse-media.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

const gib = 2 ** 30;
/** Just so many bytes, with marks on both sides of 2³¹ and of 2³². */
const plainBytes = 5 * gib;
const marks = [0, 2 ** 31 - 3, 2 ** 32 - 3, plainBytes - 6].map((at) => ({ at, text: `mark ${at % 10}` }));

let folder: string;
let server: TestServer;
let filmBytes = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-large-'));
  await writeSparse(
    join(folder, 'plain.bin'),
    plainBytes,
    marks.map(({ at, text }) => ({ at, bytes: Buffer.from(text) })),
  );
  filmBytes = await writeSparseFilm(join(folder, 'film.mp4'), await remux(mp4(false)), 5 * gib);
  await writeSparseWav(join(folder, 'long.wav'), 5 * gib);
  const png = blackPng(3000, 2000);
  await writeSparse(join(folder, 'large.png'), 208 * 2 ** 20, [{ at: 0, bytes: png }]);
  await writeSparse(join(folder, 'huge.png'), 3 * gib, [{ at: 0, bytes: png }]);
  server = await makeTestServer({ places: [folder] });
  await makeTable(server.home, 'large', {
    id: { type: 'int64', values: [0n, 1n, 2n, 3n, 4n], metadata: { 'curio:key': '1' } },
    file: {
      type: 'utf8',
      values: ['plain.bin', 'film.mp4', 'long.wav', 'large.png', 'huge.png'],
      metadata: { 'curio:role': 'blob' },
    },
  });
}, 60_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (kind: 'blobs' | 'thumbs', row: number, init: RequestInit = {}, query = '') =>
  server.get(`/api/v1/tables/large/${kind}/file/${row}?ref=main:1${query}`, init);
const range = (row: number, text: string, more: Record<string, string> = {}) =>
  get('blobs', row, { headers: { range: text, ...more } });

describe('ranges of a value of 5 GiB', () => {
  test.each(marks)('$text at $at', async ({ at, text }) => {
    const response = await range(0, `bytes=${at}-${at + 5}`);
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([
      206,
      `bytes ${at}-${at + 5}/${plainBytes}`,
      text,
    ]);
  });

  test('from the end, to the end, under a tag, and beyond', async () => {
    const suffix = await range(0, 'bytes=-6');
    const open = await range(0, `bytes=${plainBytes - 6}-`);
    expect([await suffix.text(), await open.text()]).toEqual([marks[3]?.text, marks[3]?.text]);
    const etag = suffix.headers.get('etag') ?? '';
    const same = await range(0, `bytes=${2 ** 32 - 3}-${2 ** 32 + 2}`, { 'if-range': etag });
    expect([same.status, await same.text()]).toEqual([206, marks[2]?.text]);
    const head = await get('blobs', 0, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(plainBytes));
    const beyond = await range(0, `bytes=${plainBytes}-`);
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${plainBytes}`]);
  });

  test('a suffix longer than the value and a number beyond all numbers are what they say', async () => {
    const leave = new AbortController();
    const whole = await get('blobs', 0, {
      headers: { range: `bytes=-${10 ** 18}` },
      signal: leave.signal,
    });
    expect([whole.status, whole.headers.get('content-range')]).toEqual([
      206,
      `bytes 0-${plainBytes - 1}/${plainBytes}`,
    ]);
    leave.abort();
    expect((await range(0, `bytes=${'9'.repeat(30)}-`)).status).toBe(416);
  });

  test('readers that stand still hold little, and the server sends no more than they take', async () => {
    const readers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const leave = new AbortController();
        const response = await get('blobs', 0, { signal: leave.signal });
        const reader = response.body?.getReader();
        await reader?.read();
        return { leave, reader };
      }),
    );
    const before = process.memoryUsage().arrayBuffers;
    let bytes = 0;
    const [first] = readers;
    while (bytes < 200e6) bytes += (await first?.reader?.read())?.value?.byteLength ?? 0;
    const grown = process.memoryUsage().arrayBuffers - before;
    for (const { leave } of readers) leave.abort();
    expect(grown).toBeLessThan(100e6);
  });
});

describe('a value of a blob column of 5 GiB', () => {
  const address = (kind: 'blobs' | 'thumbs', query = '') =>
    `/api/v1/tables/stored/${kind}/file/0?ref=main:1${query}`;
  let film = 0;
  beforeAll(() =>
    makeLargeBlob(server.home, 'stored', async (path) => {
      film = await writeSparseFilm(path, await remux(mp4(false)), 5 * gib);
      return film;
    }),
  );

  test('is read by Lance and by Curio alike, beyond 4 GiB', async () => {
    const table = await server.home.connection.openTable('stored');
    const [file] = await table.fetchBlobFiles('file', [0n]);
    expect(Number(file?.size())).toBe(film);
    const theirs = Buffer.from((await file?.readRange(BigInt(film - 900), BigInt(film))) ?? []);
    const ours = await server.get(address('blobs'), { headers: { range: 'bytes=-900' } });
    expect(ours.headers.get('content-range')).toBe(`bytes ${film - 900}-${film - 1}/${film}`);
    expect(Buffer.from(await ours.arrayBuffer())).toEqual(theirs);
    expect(ours.headers.get('content-type')).toBe('video/mp4');
  });

  test('has a poster, for which next to nothing of it is read', async () => {
    const response = await server.get(address('thumbs', '&size=128'));
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status, bytes.toString().slice(0, 300)).toBe(200);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 128, height: 96 });
  });
});

describe('small pictures of large media', () => {
  test('a film with its index behind 5 GiB has a poster', async () => {
    expect(filmBytes).toBeGreaterThan(5 * gib);
    const response = await get('thumbs', 1, {}, '&size=128');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status, bytes.toString().slice(0, 300)).toBe(200);
    const { width, height } = await sharp(bytes).metadata();
    expect([width, height]).toEqual([128, 96]);
    expect((await sharp(bytes).stats()).entropy).toBeGreaterThan(3);
  }, 25_000);

  test('seven hours of sound have a waveform: silent, and loud at the end', async () => {
    const response = await get('thumbs', 2, {}, '&size=256');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status, bytes.toString().slice(0, 300)).toBe(200);
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const tall = (x: number) =>
      Array.from({ length: info.height }, (_none, y) => data[(y * info.width + x) * 4 + 3] ?? 0).filter(
        (alpha) => alpha > 100,
      ).length;
    expect({ first: tall(1) < 8, middle: tall(129) < 8, last: tall(info.width - 3) > 64 }).toEqual({
      first: true,
      middle: true,
      last: true,
    });
  }, 25_000);

  test('a picture of more bytes than are held in memory is decoded from a file, which is gone afterwards', async () => {
    const response = await get('thumbs', 3, {}, '&size=64');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status, bytes.toString().slice(0, 300)).toBe(200);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 64, height: 43 });
  }, 25_000);

  test('a picture beyond that says so, with its size and first bytes', async () => {
    const problem = Problem.parse(await (await get('thumbs', 4)).json());
    expect(problem.detail).toMatch(/3221 MB it is too large/);
  });
});
