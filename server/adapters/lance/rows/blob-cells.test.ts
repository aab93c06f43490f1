import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestReader, type TestReader } from '../../../testing/reader.ts';
import { makeTable, mediaColumns, tinyPng } from '../../../testing/tables.ts';

let t: TestReader;

beforeAll(async () => {
  t = await makeTestReader();
  await makeTable(t.home, 'media', mediaColumns);
});
afterAll(() => t.home.remove());

describe('media', () => {
  const png = {
    kind: 'image',
    sizeBytes: tinyPng.length,
    contentType: 'image/png',
    hash: expect.stringMatching(/^[0-9a-f]{32}$/),
  };
  const empty = {
    kind: 'other',
    sizeBytes: 0,
    contentType: 'application/octet-stream',
    hash: expect.any(String),
  };

  it('travel as kind, size, type and hash, whatever their layout', async () => {
    const { rows } = await t.rows({ table: 'media' });
    expect(rows.map(({ picture, raw, image }) => [picture, raw, image])).toEqual([
      [png, png, png],
      [
        { ...png, kind: 'pdf', sizeBytes: 10, contentType: 'application/pdf' },
        { ...png, kind: 'audio', sizeBytes: 16, contentType: 'audio/wav' },
        null,
      ],
      [null, null, null],
      [empty, empty, empty],
    ]);
    const hashes = rows
      .slice(0, 1)
      .flatMap(({ picture, raw, image }) =>
        [picture, raw, image].map((cell) => (cell as { hash: string }).hash),
      );
    expect(new Set(hashes).size).toBe(1);
  });

  it('carry their address when it is asked for, pinned', async () => {
    const { rows } = await t.rows({ table: 'media', columns: ['picture'], limit: 1, withBlobUrls: true });
    expect(rows[0]!.picture).toEqual({
      ...png,
      url: expect.stringMatching(
        /^\/api\/v1\/tables\/media\/blobs\/picture\/0\?ref=main%3A1&of=[0-9a-f]{10}$/,
      ),
    });
  });

  it('are not looked at in large results: the size is known, the kind is that of the column', async () => {
    await makeTable(t.home, 'many', {
      raw: { type: 'binary', values: Array.from({ length: 2_001 }, () => tinyPng) },
    });
    const { rows } = await t.rows({ table: 'many' });
    expect(rows[2_000]!.raw).toEqual({
      kind: 'image',
      sizeBytes: tinyPng.length,
      contentType: null,
      hash: null,
    });
  });
});
