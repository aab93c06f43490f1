import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrow } from '../../../arrow/arrow.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import { openArrowSource } from './arrow-source.ts';

const testdata = new URL('../testdata/', import.meta.url).pathname;
const never = new AbortController().signal;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'curio-arrow-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(path: string, label = 'a.arrow') {
  const source = await openArrowSource({ path, label }, never);
  const columns: Record<string, unknown[]> = Object.fromEntries(
    source.schema.fields.map(({ name }) => [name, []]),
  );
  let rows = 0;
  for await (const batch of source.batches(never)) {
    rows += batch.numRows;
    batch.schema.fields.forEach(({ name }, at) => {
      for (let row = 0; row < batch.numRows; row += 1)
        columns[name]!.push(dataCellToJson(batch.data.children[at]!, row));
    });
  }
  const types = Object.fromEntries(source.schema.fields.map(({ name, type }) => [name, String(type)]));
  expect(source.rowCount).toBe(rows);
  return { types, columns };
}

async function made(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const message = (path: string): Promise<unknown> =>
  read(path).then(
    () => 'no error',
    (error) => ({ code: error.code, message: error.message }),
  );

describe('openArrowSource', () => {
  it('reads the same from a plain file, LZ4 and Zstandard', async () => {
    const plain = await read(`${testdata}pyarrow-plain.arrow`);
    expect(plain.columns).toMatchObject({
      i64: ['9007199254740993', null, '-9223372036854775808', '9223372036854775807', '0'],
      u64: ['18446744073709551615', null, '0', '1', '2'],
      s: ['a', null, '', 'ü🎈', 'x'.repeat(30)],
      dec: ['12345678901234567890.12', null, '-0.01', '1.00', '2.00'],
      lli: [['1', '2'], null, [], ['3', null], ['4']].map(
        (list) => list?.map((item) => (item === null ? null : Number(item))) ?? null,
      ),
      dict8: ['a', 'b', null, 'a', 'c'],
    });
    expect(await read(`${testdata}pyarrow-lz4.arrow`)).toEqual(plain);
    expect(await read(`${testdata}pyarrow-zstd.arrows`)).toEqual(plain);
  });

  it('makes views and large lists plain', async () => {
    expect(await read(`${testdata}views.arrows`)).toEqual({
      types: { sv: 'Utf8', bv: 'Binary', lv: 'List<Int32>', ll: 'List<Int32>' },
      columns: {
        sv: ['a', null, 'long string over twelve bytes'],
        bv: ['YQ==', null, 'Yw=='],
        lv: [[1], null, [2, 3]],
        ll: [[1], null, [2]],
      },
    });
  });

  it('reads a file of Polars, whose schema has no length before it', async () => {
    const { columns } = await read(`${testdata}polars.arrow`);
    expect(columns).toMatchObject({
      s: ['a', null, 'long string over twelve bytes'],
      l: [['1', '2'], null, []],
      c: ['a', 'b', null],
      arr: [[1, 2], [3, 4], null],
      bin: ['YQ==', null, ''],
    });
  });

  it('follows dictionaries that are replaced from batch to batch', async () => {
    expect((await read(`${testdata}dictionaries.arrows`)).columns.d).toEqual(['a', 'b', 'c', 'a', 'c', 'd']);
  });

  it('reads an empty table', async () => {
    const table = new arrow.Table(new arrow.Schema([new arrow.Field('a', new arrow.Int32(), true)]));
    expect((await read(await made('empty.arrow', arrow.tableToIPC(table, 'file')))).columns).toEqual({
      a: [],
    });
  });

  it('names the column that no table can hold', async () => {
    expect(await message(`${testdata}run-end.arrows`)).toEqual({
      code: 'UNSUPPORTED',
      message: 'The column “ree” is run-end encoded, which tables cannot hold.',
    });
  });

  it('says where a file stops being whole', async () => {
    const stream = arrow.tableToIPC(
      arrow.tableFromArrays({ a: Int32Array.from({ length: 100 }, (_, index) => index) }),
      'stream',
    );
    const file = await readFile(`${testdata}pyarrow-plain.arrow`);
    const facts = await Promise.all([
      message(await made('no-end.arrows', stream.subarray(0, stream.length - 8))),
      message(await made('cut.arrows', stream.subarray(0, stream.length - 100))),
      message(await made('cut.arrow', file.subarray(0, file.length - 50))),
      message(
        await made(
          'noise.arrows',
          Uint8Array.from({ length: 64 }, (_, index) => index * 7),
        ),
      ),
      message(await made('short.arrows', Uint8Array.of(255, 255, 255, 255))),
    ]);
    expect(facts).toEqual([
      {
        code: 'INVALID_FILE',
        message: expect.stringMatching(/^a.arrow: the file ends after message 2 without Arrow’s end marker/),
      },
      {
        code: 'INVALID_FILE',
        message: expect.stringMatching(/^a.arrow: the file ends at byte \d+, within message 2\.$/),
      },
      { code: 'INVALID_FILE', message: expect.stringMatching(/^a.arrow: the file has no end/) },
      {
        code: 'INVALID_FILE',
        message: expect.stringMatching(/^a.arrow: at byte \d+ there is no Arrow message/),
      },
      {
        code: 'INVALID_FILE',
        message: expect.stringMatching(/^a.arrow: the file ends at byte 4, within message 1/),
      },
    ]);
  });

  it('survives any damage to a file with an AppError or the rows', async () => {
    const whole = await readFile(`${testdata}pyarrow-lz4.arrow`);
    for (let at = 8; at < whole.length; at += 97) {
      const damaged = Buffer.from(whole);
      damaged[at] = damaged[at]! ^ 0xff;
      const outcome = await openArrowSource(
        { path: await made('flip.arrow', damaged), label: 'flip.arrow' },
        never,
      )
        .then(async (source) => {
          for await (const _batch of source.batches(never));
          return 'rows';
        })
        .catch((error) => error.code ?? String(error));
      expect(['rows', 'INVALID_FILE', 'UNSUPPORTED']).toContain(outcome);
    }
  });
});
