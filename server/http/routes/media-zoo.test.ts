import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#shared/api/problem.ts';
import { mediaZoo } from '../../testing/media-zoo.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

/** What one engine of media may ever have had in memory. */
const maxEngineBytes = 1.2e9;

let server: TestServer;
let sizes: number[] = [];

beforeAll(async () => {
  server = await makeTestServer();
  const files = await Promise.all(mediaZoo.map(async ({ make }) => Buffer.from(await make())));
  sizes = files.map(({ length }) => length);
  await makeTable(server.home, 'zoo', {
    id: { type: 'int64', values: files.map((_none, at) => BigInt(at)), metadata: { 'curio:key': '1' } },
    file: { type: 'blob', values: files.map((data) => ({ data, uri: null })) },
  });
}, 60_000);
afterAll(() => server.close());

const get = (kind: 'blobs' | 'thumbs', index: number, query = '') =>
  server.get(`/api/v1/tables/zoo/${kind}/file/${index}${query}`);

/** The most that a process has had in memory so far. */
const peakBytesOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

describe('every specimen', () => {
  test.each(mediaZoo.map((specimen, index) => ({ ...specimen, index })))(
    '$index: $contentType $name',
    async ({ contentType, shows, index }) => {
      const blob = await get('blobs', index);
      const thumb = await get('thumbs', index, '?size=128');
      expect(blob.headers.get('content-type')?.split(';')[0]).toBe(contentType);
      expect(blob.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect((await blob.arrayBuffer()).byteLength).toBe(sizes[index]);
      if (shows === 'thumb') {
        const bytes = Buffer.from(await thumb.arrayBuffer());
        expect(thumb.status, bytes.toString().slice(0, 300)).toBe(200);
        const { format, width, height } = await sharp(bytes).metadata();
        expect([format, Math.max(width, height) <= 128]).toEqual(['webp', true]);
      } else {
        const problem = Problem.parse(await thumb.json());
        expect(problem.detail).toMatch(shows);
        expect(`${problem.detail} ${problem.hint}`).toMatch(/ bytes?| kB| MB/);
        expect(problem.hint).toMatch(/Download|download/);
        expect(JSON.stringify(problem)).not.toMatch(/node_modules|\/tmp\//);
      }
    },
    25_000,
  );
});

test.skipIf(!existsSync('/proc/self/status'))('no engine took more than its share of memory', () => {
  const peaks = server.ports.pools.media.pids().map(peakBytesOf);
  expect(peaks.length).toBeGreaterThan(0);
  expect(Math.max(...peaks)).toBeLessThan(maxEngineBytes);
});

test('orientations are shown upright: the green corner is where it was drawn', async () => {
  const corners: number[][] = [];
  for (let index = 0; index < 8; index++) {
    const bytes = Buffer.from(await (await get('thumbs', index, '?size=64')).arrayBuffer());
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const greens = Array.from({ length: info.width * info.height }, (_none, at) => at).filter(
      (at) => data[at * info.channels + 1]! > 150,
    );
    const mean = (of: (at: number) => number) => greens.reduce((sum, at) => sum + of(at), 0) / greens.length;
    const isRight = mean((at) => at % info.width) > info.width / 2;
    const isLow = mean((at) => Math.floor(at / info.width)) > info.height / 2;
    corners.push([Number(info.width > info.height), Number(isRight), Number(isLow)]);
  }
  expect(corners).toEqual([
    [1, 0, 0],
    [1, 1, 0],
    [1, 1, 1],
    [1, 0, 1],
    [0, 0, 0],
    [0, 1, 0],
    [0, 1, 1],
    [0, 0, 1],
  ]);
});
