import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawConnection } from '../../testing/raw-answers.ts';
import { makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

const largeBytes = 24 * 1024 * 1024;
const large = Buffer.from(
  Uint32Array.from({ length: largeBytes / 4 }, (_none, at) => Math.imul(at, 2_654_435_761)).buffer,
);
const path = '/api/v1/tables/large/blobs/file/0?ref=main:1';

let server: TestServer;
let etag = '';
beforeAll(async () => {
  server = await makeTestServer();
  await makeTable(server.home, 'large', { file: { type: 'blob', values: [{ data: large, uri: null }] } });
  etag = (await server.get(path, { method: 'HEAD' })).headers.get('etag') as string;
});
afterAll(() => server.close());

/** Of all sizes, from one byte to many pieces. */
const rangeAt = (at: number): { start: number; end: number; header: string } => {
  const sizes = [1, 900, 32_768, 65_537, 1_048_576, 1_048_577, 3_000_000];
  const start = (at * 3_777_779) % (largeBytes - 3_000_000);
  const end = start + (sizes[at % sizes.length] as number);
  return { start, end, header: `bytes=${start}-${end - 1}` };
};

test('requests that are sent at once on one connection are answered in order, each with its own bytes', async () => {
  const connection = await RawConnection.open(server.url);
  const expected: string[] = [];
  const send = (method: string, at: number, more: Record<string, string>, answer: string): void => {
    expected.push(`${method} ${answer}`);
    connection.send(method, path, { Range: rangeAt(at).header, ...more });
  };
  for (let at = 0; at < 21; at++) {
    const { start, end } = rangeAt(at);
    send('GET', at, {}, `206 ${start} ${end}`);
    send('HEAD', at, {}, `206 ${start} ${start} of ${end - start}`);
    send('GET', at, { 'If-Range': etag }, `206 ${start} ${end}`);
    send('GET', at, { 'If-None-Match': etag }, '304 0 0');
  }
  send('GET', 0, { Range: `bytes=${largeBytes}-` }, '416');
  send('GET', 0, { 'If-Range': '"other"' }, `200 0 ${largeBytes}`);
  const seen: string[] = [];
  for (const entry of expected) {
    const [method = ''] = entry.split(' ');
    const { status, headers, body } = await connection.receive(method);
    if (status === 416) {
      seen.push(`${method} 416`);
      continue;
    }
    const start = Number(/bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? 0);
    const isSame = body.equals(large.subarray(start, start + body.length));
    const told = method === 'HEAD' ? ` of ${headers['content-length']}` : '';
    seen.push(`${method} ${status} ${start} ${isSame ? start + body.length : 'other bytes'}${told}`);
  }
  expect(seen).toEqual(expected);
  connection.socket.destroy();
});

test('answers that are left half-way, before, in and between their pieces, never change those of others', async () => {
  const leave = async (at: number): Promise<'left'> => {
    const connection = await RawConnection.open(server.url);
    connection.send('GET', path, at % 2 === 0 ? {} : { Range: rangeAt(at).header });
    if (at % 3 > 0) await connection.begin(at % 3 === 1 ? 1 : 700_000 * (at % 2 === 0 ? 1 : 0));
    if (at % 4 === 0) connection.socket.resetAndDestroy();
    else connection.socket.destroy();
    return 'left';
  };
  const stay = async (at: number): Promise<string> => {
    const connection = await RawConnection.open(server.url);
    const seen: boolean[] = [];
    for (let round = 0; round < 12; round++) {
      const { start, end, header } = rangeAt(at * 12 + round);
      connection.send('GET', path, { Range: header });
      const { status, body } = await connection.receive();
      seen.push(status === 206 && body.equals(large.subarray(start, end)));
    }
    connection.socket.destroy();
    return seen.every(Boolean) ? 'the same' : `other bytes: ${seen.join(' ')}`;
  };
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      Array.from({ length: 36 }, (_none, at) => (at % 3 === 2 ? stay(at + round) : leave(at + round))),
    );
    expect(new Set(answers)).toEqual(new Set(['left', 'the same']));
  }
});

test('readers that stop keep a piece each, hold nobody up, and get all of it when they go on', async () => {
  const held = (): number => process.memoryUsage().arrayBuffers;
  const slow = await Promise.all(Array.from({ length: 16 }, () => RawConnection.open(server.url)));
  const before = held();
  await Promise.all(
    slow.map(async (connection) => {
      connection.send('GET', path);
      await connection.begin();
      connection.socket.pause();
    }),
  );
  const other = await RawConnection.open(server.url);
  for (let at = 0; at < 60; at++) {
    const { start, end, header } = rangeAt(at);
    other.send('GET', path, { Range: header });
    expect((await other.receive()).body.equals(large.subarray(start, end))).toBe(true);
  }
  expect((held() - before) / slow.length).toBeLessThan(4 * 1024 * 1024);
  const [first, ...rest] = slow as [RawConnection, ...RawConnection[]];
  for (const { socket } of rest) socket.destroy();
  first.socket.resume();
  expect((await first.receive()).body.equals(large)).toBe(true);
  first.socket.destroy();
  other.socket.destroy();
});

test.each<[string, Record<string, string>]>([
  ['of another host', { Host: 'evil.example' }],
  ['of a page of another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }],
])('a request %s for media is refused as any other', async (_name, headers) => {
  const connection = await RawConnection.open(server.url);
  for (const method of ['GET', 'HEAD']) {
    connection.send(method, path, headers);
    const answer = await connection.receive(method);
    expect([answer.status, answer.headers['content-type'], answer.headers['x-request-id']]).toEqual([
      403,
      'application/problem+json; charset=utf-8',
      expect.any(String),
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
  connection.socket.destroy();
});

test('media carry the headers that every answer carries, however their address is written', async () => {
  const names = [
    'x-content-type-options',
    'x-frame-options',
    'referrer-policy',
    'cross-origin-resource-policy',
    'cross-origin-opener-policy',
  ];
  const headersOf = async (address: string): Promise<(string | null)[]> => {
    const { status, headers } = await server.get(address, { method: 'HEAD' });
    expect([address, status, headers.get('x-request-id')]).toEqual([address, 200, expect.any(String)]);
    return names.map((name) => headers.get(name));
  };
  const usual = await headersOf('/healthz');
  expect(usual).not.toContain(null);
  for (const address of [path, '/api/v1/tables/large/blobs/file/0/', '/api/v1/tables/l%61rge/blobs/%66ile/0'])
    expect(await headersOf(address)).toEqual(usual);
});

test.each([
  ['/api/v1/tables/large/blobs/%E0%A4%A/0', 400],
  ['/api/v1/tables/large/blobs/file/x', 400],
  ['/api/v1/tables/large/blobs/file/0?ref=main:1&ref=main', 400],
  ['/api/v1/tables/large/blobs/file/0?ref=main:7', 404],
  ['/api/v1/tables/large/thumbs/file/0?size=7', 400],
])('%s is a problem with status %i', async (address, status) => {
  const answer = await server.get(address);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
});
