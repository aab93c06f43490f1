import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AppError } from '#shared/api/problem.ts';
import { tinyPng } from '../../testing/tables.ts';
import { createMediaPlaces } from './media-places.ts';

let folder: string;
let server: Server;
let site: string;
const asked: string[] = [];
/** Ends the answers that stand still. */
const slow: (() => void)[] = [];
const context = { signal: new AbortController().signal };
const large = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_none, i) => i % 251));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-places-'));
  await mkdir(join(folder, 'set', 'deep'), { recursive: true });
  await mkdir(join(folder, 'settings'));
  await writeFile(join(folder, 'set', 'a.png'), tinyPng);
  await writeFile(join(folder, 'set', 'deep', 'large.bin'), large);
  await writeFile(join(folder, 'set', 'empty.png'), '');
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'settings', 'secret.txt'), 'secret');
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'set', 'pipe.png')]);
  await symlink(join(folder, 'secret.txt'), join(folder, 'set', 'link.txt'));
  await symlink(folder, join(folder, 'set', 'up'));
  await symlink(join(folder, 'set', 'a.png'), join(folder, 'set', 'same.png'));
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const path = request.url ?? '';
    if (path === '/set/moved.png') return void response.writeHead(302, { location: '/set/a.png' }).end();
    if (path === '/set/away.png') return void response.writeHead(302, { location: '/private/x' }).end();
    if (path === '/set/round') return void response.writeHead(302, { location: '/set/round' }).end();
    if (path === '/set/torn.bin')
      return void response
        .writeHead(200, { 'content-length': large.length })
        .write(large.subarray(0, 9), () => {
          response.destroy();
        });
    if (path === '/set/endless.png')
      return void response.writeHead(206, { 'content-range': `bytes 0-3/${'9'.repeat(400)}` }).end('abcd');
    if (path === '/set/slow.bin') {
      response.writeHead(200, { 'content-length': large.length }).write(large.subarray(0, 2_000_000));
      return void slow.push(() => response.end(large.subarray(2_000_000)));
    }
    if (path === '/set/broken') return void response.writeHead(500).end();
    if (path === '/set/plain.bin')
      return void response.writeHead(200, { 'content-length': large.length }).end(large);
    const body = path === '/set/a.png' ? tinyPng : path === '/set/large.bin' ? large : null;
    if (!body) return void response.writeHead(404).end();
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '');
    const [start, end] = [Number(range?.[1]), Math.min(Number(range?.[2]), body.length - 1)];
    response
      .writeHead(206, { 'content-range': `bytes ${start}-${end}/${body.length}`, etag: '"e"' })
      .end(body.subarray(start, end + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const places = () => createMediaPlaces([join(folder, 'set'), `${site}/set`]);

async function read(link: string, range: { start?: number; end?: number } = {}) {
  const { facts, chunks } = await places().open({ link, ...range }, context);
  const parts: Uint8Array[] = [];
  for await (const part of chunks) parts.push(part);
  return { facts, bytes: Buffer.concat(parts) };
}

const codeOf = (link: string): Promise<string> =>
  read(link).then(
    () => 'opened',
    (error: AppError) => error.code,
  );

describe('files', () => {
  it('are opened by a path in a place, from its root or from that of the machine, with their type from their bytes', async () => {
    for (const link of [
      'a.png',
      join(folder, 'set', 'a.png'),
      pathToFileURL(join(folder, 'set', 'a.png')).href,
      'deep/../a.png',
      'same.png',
    ]) {
      const { facts, bytes } = await read(link);
      expect([facts.contentType, facts.sizeBytes, facts.mayChange, bytes.equals(tinyPng)]).toEqual([
        'image/png',
        tinyPng.length,
        true,
        true,
      ]);
    }
    expect((await read('empty.png')).facts.sizeBytes).toBe(0);
  });

  it('are read in ranges', async () => {
    const { bytes, facts } = await read('deep/large.bin', { start: 1_000_003, end: 2_500_001 });
    expect([facts.sizeBytes, bytes.equals(large.subarray(1_000_003, 2_500_001))]).toEqual([
      large.length,
      true,
    ]);
    expect((await read('deep/large.bin', { start: 0, end: 0 })).bytes.length).toBe(0);
  });

  it('are left open by nobody, also where their bytes are not wanted after all', async () => {
    const openFiles = async (): Promise<string[]> => {
      const all = await readdir('/proc/self/fd');
      const paths = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return paths.filter((path) => path.startsWith(folder));
    };
    const unread = await places().open({ link: 'a.png' }, context);
    await unread.chunks[Symbol.asyncIterator]().return?.(undefined);
    const never = await places().open({ link: 'deep/large.bin' }, context);
    const begun = never.chunks[Symbol.asyncIterator]();
    await begun.next();
    if (process.platform === 'linux') expect(await openFiles()).toHaveLength(1);
    await begun.return?.(undefined);
    if (process.platform === 'linux') expect(await openFiles()).toEqual([]);
  });

  it('break off when they become others before their bytes are read', async () => {
    await writeFile(join(folder, 'set', 'fresh.txt'), 'one');
    const { chunks } = await places().open({ link: 'fresh.txt' }, context);
    await rm(join(folder, 'set', 'fresh.txt'));
    await symlink(join(folder, 'secret.txt'), join(folder, 'set', 'fresh.txt'));
    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    await rm(join(folder, 'set', 'fresh.txt'));
  });

  it('get another tag when they change', async () => {
    const before = (await read('a.png')).facts.etag;
    await utimes(join(folder, 'set', 'a.png'), 1, 1);
    expect((await read('a.png')).facts.etag).not.toBe(before);
  });

  it('outside of the places are as if they were not there, however they are named', async () => {
    const links = [
      '../secret.txt',
      'link.txt',
      'up/secret.txt',
      join(folder, 'secret.txt'),
      join(folder, 'settings', 'secret.txt'),
      pathToFileURL(join(folder, 'secret.txt')).href,
      'file://elsewhere/etc/passwd',
      '/etc/passwd',
      '/proc/self/environ',
      'a.png\0.txt',
      'deep',
      '',
      '.',
      'nothing.png',
      'pipe.png',
    ];
    expect(await Promise.all(links.map(codeOf))).toEqual(links.map(() => 'NOT_FOUND'));
  });
});

describe('addresses', () => {
  it('are opened below a place, in ranges, also from servers that know none', async () => {
    expect((await read(`${site}/set/a.png`)).facts).toMatchObject({
      contentType: 'image/png',
      mayChange: true,
    });
    const ranged = await read(`${site}/set/large.bin`, { start: 2_000_000, end: 2_999_999 });
    expect(ranged.bytes.equals(large.subarray(2_000_000, 2_999_999))).toBe(true);
    const plain = await read(`${site}/set/plain.bin`, { start: 10, end: 20 });
    expect(plain.bytes.equals(large.subarray(10, 20))).toBe(true);
    expect((await read(`${site}/set/moved.png`)).bytes.equals(tinyPng)).toBe(true);
  });

  it('elsewhere are not asked for, whatever redirects there', async () => {
    asked.length = 0;
    for (const link of [
      `${site}/private/x`,
      `${site}/settle/x`,
      `${site}/set/../private/x`,
      `${site}/set/%2e%2e/private/x`,
      `${site}/set/..%2fprivate/x`,
      site.replace('127.0.0.1', 'localhost'),
      `${site.replace('http://', 'http://user:word@')}/set/a.png`,
      'http://169.254.169.254/latest/meta-data',
    ])
      expect([link, await codeOf(link)]).toEqual([link, 'FORBIDDEN']);
    expect(asked).toEqual([]);
    expect(await codeOf(`${site}/set/away.png`)).toBe('FORBIDDEN');
    expect(asked).toEqual(['GET /set/away.png']);
  });

  it('may send for as long as they send, and no longer stand still', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const ofTime = vi.spyOn(AbortSignal, 'timeout');
      const { chunks } = await places().open({ link: `${site}/set/slow.bin` }, context);
      expect(ofTime).not.toHaveBeenCalled();
      let bytes = 0;
      for await (const chunk of chunks) {
        bytes += chunk.length;
        // Whoever looks takes his time; that is not the server's.
        vi.advanceTimersByTime(60_000);
        if (bytes === 2_000_000) slow.at(-1)?.();
      }
      expect(bytes).toBe(large.length);
      const still = await places().open({ link: `${site}/set/slow.bin` }, context);
      const reading = (async () => {
        let got = 0;
        for await (const chunk of still.chunks) {
          got += chunk.length;
          if (got === 2_000_000) queueMicrotask(() => vi.advanceTimersByTimeAsync(60_000));
        }
      })();
      await expect(reading).rejects.toMatchObject({ code: 'UPSTREAM' });
    } finally {
      for (const end of slow) end();
      vi.useRealTimers();
    }
  });

  it('that fail say so', async () => {
    expect(await codeOf(`${site}/set/torn.bin`)).toBe('UPSTREAM');
    expect(await codeOf(`${site}/set/endless.png`)).toBe('UPSTREAM');
    expect(await codeOf(`${site}/set/none.png`)).toBe('NOT_FOUND');
    expect(await codeOf(`${site}/set/broken`)).toBe('UPSTREAM');
    expect(await codeOf(`${site}/set/round`)).toBe('UPSTREAM');
  });
});

it('without places nothing can be opened', async () => {
  await expect(
    createMediaPlaces([]).open({ link: join(folder, 'set', 'a.png') }, context),
  ).rejects.toMatchObject({
    code: 'FORBIDDEN',
    hint: expect.stringContaining('CURIO_PLACES'),
  });
});
