import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { download } from './download.ts';
import { isPublicAddress } from './public-address.ts';

const never = new AbortController().signal;
let folder = '';
let server: Server;
let base = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-download-'));
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/moved') response.writeHead(302, { location: '/rows.csv?x=1' }).end();
    else if (pathname === '/around') response.writeHead(302, { location: '/around' }).end();
    else if (pathname === '/inside')
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    else if (pathname === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    else if (pathname === '/short')
      response.writeHead(200, { 'content-length': '100' }).write('abc', () => response.destroy());
    else if (pathname.endsWith('.csv')) response.end('a,b\n1,2\n');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const isHere = (address: string): boolean => address === '127.0.0.1' || isPublicAddress(address);
const fetchHere = (path: string) =>
  download(base + path, folder, { onBytes: () => undefined, signal: never, isAllowed: isHere });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error) => `${error.code} ${error.message}`,
  );

describe('isPublicAddress', () => {
  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'ff02::1',
    'localhost',
    '',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111'])('allows %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('download', () => {
  it('fetches a file under its own name, also where it was moved', async () => {
    const path = await fetchHere('/data/rows.csv?key=1');
    expect([basename(path), await readFile(path, 'utf8')]).toEqual(['rows.csv', 'a,b\n1,2\n']);
    expect(basename(await fetchHere('/moved'))).toBe('rows.csv');
    expect(basename(await fetchHere('/%2e%2e%2fup.csv'))).toBe('up.csv');
  });

  it('refuses this machine and private networks, by address and by name, also after a redirect', async () => {
    const plain = (url: string) =>
      failure(download(url, folder, { onBytes: () => undefined, signal: never }));
    expect(await plain(`${base}/rows.csv`)).toBe(
      'FORBIDDEN 127.0.0.1 is not on the public internet, so Curio does not fetch from it.',
    );
    expect(await plain(base.replace('127.0.0.1', 'localhost'))).toMatch(
      /^FORBIDDEN localhost is not on the public internet/,
    );
    expect(await plain('http://[::1]:1/')).toMatch(/^FORBIDDEN/);
    expect(await plain('http://2130706433/')).toMatch(/^FORBIDDEN/);
    expect(await failure(fetchHere('/inside'))).toMatch(/^FORBIDDEN 169\.254\.169\.254/);
  });

  it('refuses other schemes and names in the address', async () => {
    expect(
      await failure(download('file:///etc/passwd', folder, { onBytes: () => undefined, signal: never })),
    ).toMatch(/^BAD_REQUEST .*file: is not allowed/);
    expect(
      await failure(
        download('https://a:b@example.com/x', folder, { onBytes: () => undefined, signal: never }),
      ),
    ).toMatch(/^BAD_REQUEST/);
    expect(await failure(fetchHere('/file'))).toMatch(/^BAD_REQUEST .*file: is not allowed/);
  });

  it('says what the other side did', async () => {
    expect(await failure(fetchHere('/nothing'))).toMatch(
      /^UPSTREAM 127\.0\.0\.1:\d+ answered with the status 404\.$/,
    );
    expect(await failure(fetchHere('/around'))).toMatch(/^UPSTREAM .* without an end\.$/);
    expect(await failure(fetchHere('/short'))).toMatch(/^UPSTREAM .* broke off\.$/);
  });
});
