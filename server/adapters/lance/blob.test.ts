import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestReader, type TestReader } from '../../testing/reader.ts';
import { makeForeignTable, makeTable, mediaColumns, tinyPng } from '../../testing/tables.ts';

let t: TestReader;
const large = Buffer.alloc(3 * 1024 * 1024 + 7, 'curio ');

beforeAll(async () => {
  t = await makeTestReader();
  await makeTable(t.home, 'media', mediaColumns);
  await makeTable(t.home, 'large', {
    v: {
      type: 'blob',
      values: [
        { data: large, uri: null },
        { data: Buffer.from(large).fill('x', 2_000_000), uri: null },
      ],
    },
  });
});
afterAll(() => t.home.remove());

interface Asked {
  table: string;
  column: string;
  rowId: string;
  start?: number;
  end?: number;
}

async function read(asked: Asked) {
  const { facts, chunks } = await t.reader.blob({ ...asked, ref: await t.head(asked.table) }, t.context);
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return { facts, bytes: Buffer.concat(parts), parts: parts.length };
}

describe('the bytes of a cell', () => {
  it.each(['picture', 'raw', 'image'])('are those that were written, with their type: %s', async (column) => {
    const { facts, bytes } = await read({ table: 'media', column, rowId: '0' });
    expect(bytes).toEqual(tinyPng);
    expect(facts).toMatchObject({
      sizeBytes: tinyPng.length,
      contentType: 'image/png',
      etag: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it.each(['picture', 'raw', 'image'])('may be none: %s', async (column) => {
    const { facts, bytes } = await read({ table: 'media', column, rowId: '3' });
    expect([facts.sizeBytes, bytes.length]).toEqual([0, 0]);
  });

  it('come in parts, from any place to any place', async () => {
    const whole = await read({ table: 'large', column: 'v', rowId: '0' });
    expect(whole.bytes.equals(large)).toBe(true);
    expect(whole.parts).toBeGreaterThan(3);
    for (const [start, end] of [
      [0, 1],
      [1_048_575, 1_048_577],
      [large.length - 3, large.length],
      [0, 0],
      [large.length, large.length],
      [5, 10 * large.length],
    ] as const) {
      const { bytes, facts } = await read({ table: 'large', column: 'v', rowId: '0', start, end });
      expect(bytes.equals(large.subarray(start, end))).toBe(true);
      expect(facts.sizeBytes).toBe(large.length);
    }
  });

  it('have a tag that is the same for the same content, across versions, and another for another', async () => {
    const same = new Set<string>();
    for (const column of ['picture', 'raw', 'image'])
      same.add((await read({ table: 'media', column, rowId: '0' })).facts.etag);
    const table = await t.home.connection.openTable('media');
    await table.update({ where: 'id = 2', values: { caption: 'new' } });
    same.add((await read({ table: 'media', column: 'picture', rowId: '0' })).facts.etag);
    expect(same.size).toBe(1);
    const tags = await Promise.all(
      ['0', '1'].map(async (rowId) => (await read({ table: 'large', column: 'v', rowId })).facts.etag),
    );
    expect(new Set([...same, ...tags]).size).toBe(3);
  });

  it('of tables of other programs are served alike', async () => {
    await makeForeignTable(t.home, 'foreign', { raw: { type: 'large_binary', values: [tinyPng] } });
    expect((await read({ table: 'foreign', column: 'raw', rowId: '0' })).bytes).toEqual(tinyPng);
  });
});

describe('what is not there', () => {
  it.each<[string, Asked, string]>([
    ['a null', { table: 'media', column: 'picture', rowId: '2' }, 'NOT_FOUND'],
    ['a null of bytes', { table: 'media', column: 'raw', rowId: '2' }, 'NOT_FOUND'],
    ['a struct without bytes', { table: 'media', column: 'image', rowId: '1' }, 'NOT_FOUND'],
    ['a row that never was', { table: 'media', column: 'picture', rowId: '99' }, 'NOT_FOUND'],
    ['a row that never was, of bytes', { table: 'media', column: 'raw', rowId: '99' }, 'NOT_FOUND'],
    ['an unknown column', { table: 'media', column: 'pictures', rowId: '0' }, 'NOT_FOUND'],
    ['a column of text', { table: 'media', column: 'caption', rowId: '0' }, 'UNSUPPORTED'],
    ['a row id that is none', { table: 'media', column: 'picture', rowId: '-1' }, 'BAD_REQUEST'],
    [
      'a row id that is too large',
      { table: 'media', column: 'picture', rowId: '18446744073709551616' },
      'BAD_REQUEST',
    ],
  ])('%s', async (_what, asked, code) => {
    await expect(read(asked)).rejects.toMatchObject({ code });
  });
});
