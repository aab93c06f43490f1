import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem, type ProblemCode, problemStatus } from '#shared/api/problem.ts';
import { makeTable, mediaColumns, tinyPng } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

const script = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>';
const html = '<!doctype html><html><script>alert(1)</script></html>';
const bytes = Buffer.from(Array.from({ length: 1000 }, (_none, i) => i % 251));

let server: TestServer;
let photo: Buffer;

beforeAll(async () => {
  photo = await sharp({
    create: {
      width: 300,
      height: 200,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer();
  server = await makeTestServer();
  await makeTable(server.home, 'media', mediaColumns);
  await makeTable(server.home, 'files', {
    id: { type: 'int64', values: [1n, 2n, 3n, 4n, 5n], metadata: { 'curio:key': '1' } },
    file: {
      type: 'blob',
      values: [bytes, script, html, photo, photo.subarray(0, 6000)].map((data) => ({
        data: Buffer.from(data),
        uri: null,
      })),
    },
  });
});
afterAll(() => server.close());

const blob = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.get(`/api/v1/tables/${address}`, { method, headers });
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const expectProblem = async (response: Response, code: ProblemCode): Promise<void> => {
  expect(response.status).toBe(problemStatus[code]);
  expect(Problem.parse(await response.json())).toMatchObject({ code, hint: expect.any(String) });
};

describe('GET blobs', () => {
  test.each(['picture', 'raw', 'image'])(
    'the bytes of a %s column, typed by their content',
    async (column) => {
      const response = await blob(`media/blobs/${column}/0`);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(await bytesOf(response)).toEqual(tinyPng);
    },
  );

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=990-', 990, 1000],
    ['bytes=-7', 993, 1000],
    ['bytes=500-99999', 500, 1000],
  ])('a range: %s', async (range, start, end) => {
    const response = await blob('files/blobs/file/0', { Range: range });
    expect([response.status, response.headers.get('content-range')]).toEqual([
      206,
      `bytes ${start}-${end - 1}/1000`,
    ]);
    expect(await bytesOf(response)).toEqual(bytes.subarray(start, end));
  });

  test('a range outside says how large it is', async () => {
    const response = await blob('files/blobs/file/0', { Range: 'bytes=1000-' });
    expect(response.headers.get('content-range')).toBe('bytes */1000');
    await expectProblem(response, 'RANGE');
  });

  test('HEAD tells size and type without the bytes', async () => {
    const response = await blob('files/blobs/file/0', {}, 'HEAD');
    expect([
      response.status,
      response.headers.get('content-length'),
      (await bytesOf(response)).length,
    ]).toEqual([200, '1000', 0]);
  });

  test('known content is not sent again; a range of other content is sent whole', async () => {
    const etag = (await blob('files/blobs/file/0', {}, 'HEAD')).headers.get('etag') as string;
    expect((await blob('files/blobs/file/0', { 'If-None-Match': etag })).status).toBe(304);
    const other = await blob('files/blobs/file/0', { Range: 'bytes=0-9', 'If-Range': '"other"' });
    expect([other.status, (await bytesOf(other)).length]).toEqual([200, 1000]);
  });

  test('only pinned addresses are kept for ever', async () => {
    const caching = async (ref: string) =>
      (await blob(`files/blobs/file/0?ref=${ref}`, {}, 'HEAD')).headers.get('cache-control');
    expect([await caching('main:1'), await caching('main')]).toEqual([
      expect.stringContaining('immutable'),
      expect.not.stringContaining('immutable'),
    ]);
  });

  test.each([
    [1, 'image/svg+xml'],
    [2, 'text/html'],
  ])('row %i, %s, is shut in a sandbox', async (rowId, type) => {
    const { headers } = await blob(`files/blobs/file/${rowId}`);
    expect(headers.get('content-type')).toContain(type);
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    if (type === 'text/html') expect(headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('a download carries its name and nothing else into the header', async () => {
    const { headers } = await blob(
      `files/blobs/file/0?download=${encodeURIComponent('a"\r\nX-Evil: 1.bin')}`,
    );
    expect(headers.get('x-evil')).toBeNull();
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename\*=UTF-8''a%22%0D%0AX-Evil%3A%201\.bin$/,
    );
  });

  test('a long name is cut, also in the middle of an emoji', async () => {
    const { status, headers } = await blob(
      `files/blobs/file/0?download=${encodeURIComponent(`a${'\u{1F600}'.repeat(120)}`)}`,
    );
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''a(%F0%9F%98%80){99}%/);
  });

  test.each<[string, ProblemCode]>([
    ['media/blobs/picture/2', 'NOT_FOUND'],
    ['media/blobs/picture/999', 'NOT_FOUND'],
    ['media/blobs/nothing/0', 'NOT_FOUND'],
    ['nothing/blobs/picture/0', 'NOT_FOUND'],
    ['media/blobs/picture/minus-one', 'BAD_REQUEST'],
    ['media/blobs/picture/0?ref=main:99', 'NOT_FOUND'],
  ])('%s is %s', async (address, code) => expectProblem(await blob(address), code));
});

describe('GET thumbs', () => {
  test('a WebP picture no larger than asked for, the same one again from the cache', async () => {
    const first = await blob('files/thumbs/file/3?size=64');
    const picture = await bytesOf(first);
    const { format, width, height } = await sharp(picture).metadata();
    expect([first.headers.get('content-type'), format, width, height]).toEqual([
      'image/webp',
      'webp',
      64,
      43,
    ]);
    const again = await blob('files/thumbs/file/3?size=64');
    expect([again.headers.get('etag'), await bytesOf(again)]).toEqual([first.headers.get('etag'), picture]);
    expect(
      (await blob('files/thumbs/file/3?size=64', { 'If-None-Match': first.headers.get('etag') as string }))
        .status,
    ).toBe(304);
  });

  test('a truncated picture is an error of its own, every time, while others are made', async () => {
    const [broken, whole] = await Promise.all([
      blob('files/thumbs/file/4'),
      blob('files/thumbs/file/3?size=80'),
    ]);
    expect(whole.status).toBe(200);
    await expectProblem(broken, 'UNSUPPORTED_MEDIA');
    await expectProblem(await blob('files/thumbs/file/4'), 'UNSUPPORTED_MEDIA');
  });

  test.each<[string, ProblemCode]>([
    ['files/thumbs/file/0', 'UNSUPPORTED_MEDIA'],
    ['media/thumbs/picture/2', 'NOT_FOUND'],
    ['files/thumbs/file/3?size=1', 'BAD_REQUEST'],
    ['files/thumbs/file/3?size=99999', 'BAD_REQUEST'],
    ['nothing/thumbs/file/3', 'NOT_FOUND'],
  ])('%s is %s', async (address, code) => expectProblem(await blob(address), code));
});

describe('ranges and names that are used again', () => {
  test('several ranges, and units that nobody knows, are answered with everything', async () => {
    for (const range of ['bytes=0-1,5-6', 'rows=0-1']) {
      const response = await blob('files/blobs/file/0', { Range: range });
      expect([response.status, (await bytesOf(response)).length]).toEqual([200, 1000]);
    }
  });

  test('an address with an incarnation shows the table that it was made for, and the next one its own', async () => {
    const incarnation = async () => {
      const { branches } = (await (await server.get('/api/v1/tables/reused/branches')).json()) as {
        branches: { incarnation: string }[];
      };
      return branches[0]?.incarnation;
    };
    const value = (text: string) => ({
      file: { type: 'blob', values: [{ data: Buffer.from(text), uri: null }] },
    });
    const texts: string[] = [];
    for (const text of ['one', 'three']) {
      await makeTable(server.home, 'reused', value(text));
      const address = `reused/blobs/file/0?ref=main:1&of=${await incarnation()}`;
      texts.push(String(await bytesOf(await blob(address))), String(await bytesOf(await blob(address))));
      await server.home.connection.dropTable('reused');
    }
    expect(texts).toEqual(['one', 'one', 'three', 'three']);
  });
});

test('many ranges at once, some of them left half-way, each have their own bytes', async () => {
  const large = Buffer.from(Uint32Array.from({ length: 800_000 }, (_none, at) => at * 2_654_435_761).buffer);
  await makeTable(server.home, 'large', { file: { type: 'blob', values: [{ data: large, uri: null }] } });
  const readRange = async (at: number): Promise<string> => {
    const start = (at * 37_777) % 2_000_000;
    const end = Math.min(large.length, start + 1000 + at * 29_000);
    const leave = new AbortController();
    const response = await server.get('/api/v1/tables/large/blobs/file/0?ref=main:1', {
      headers: { Range: `bytes=${start}-${end - 1}` },
      signal: leave.signal,
    });
    if (at % 5 === 0) {
      leave.abort();
      return 'left';
    }
    const isSame = (await bytesOf(response)).equals(large.subarray(start, end));
    return `${response.status}, ${isSame ? 'the same' : 'other bytes'}`;
  };
  for (let round = 0; round < 4; round++) {
    const seen = await Promise.all(Array.from({ length: 40 }, (_none, at) => readRange(at)));
    expect(new Set(seen)).toEqual(new Set(['left', '206, the same']));
  }
});
