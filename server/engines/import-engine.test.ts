import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ImportOptions } from '#shared/api/jobs.ts';
import { openArrowSource } from '../adapters/import/arrow/arrow-source.ts';
import { EnginePool } from '../adapters/process/engine-pool.ts';
import { createRemote } from '../adapters/process/remote.ts';
import { arrow, type RecordBatch, type Table } from '../arrow/arrow.ts';
import { dataCellToJson } from '../arrow/cell-json.ts';
import type { Progress } from '../ports/call.ts';
import type { TableImporter } from '../ports/table-importer.ts';
import { makeArrowTable } from '../testing/columns.ts';
import { everyType, makeTestHome, type TestHome } from '../testing/tables.ts';

const testdata = new URL('../adapters/import/testdata/', import.meta.url).pathname;
const never = new AbortController().signal;
let home: TestHome;
let pool: EnginePool;
let importer: TableImporter;
let files = '';
let count = 0;

beforeAll(async () => {
  home = await makeTestHome();
  files = join(home.path, '.files');
  await mkdir(files);
  pool = new EnginePool({
    name: 'import',
    module: new URL('./import-engine.ts', import.meta.url),
    settings: { home: home.path, cache: join(home.path, '.cache') },
    size: 1,
    callsPerProcess: 2,
  });
  importer = createRemote<TableImporter>(() => pool);
});
afterAll(async () => {
  await pool.close();
  await home.remove();
});
afterEach(async () => {
  await rm(files, { recursive: true, force: true });
  await mkdir(files);
});

async function put(name: string, content: string | Uint8Array): Promise<string> {
  await mkdir(join(files, name, '..'), { recursive: true });
  await writeFile(join(files, name), content);
  return name;
}

interface Wanted {
  sources: string[];
  key?: string[];
  options?: ImportOptions;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  name?: string;
}

async function importFiles({ sources, key, options, signal = never, onProgress, name }: Wanted) {
  count += 1;
  const table = name ?? `t${count}`;
  const made = await importer.importTable(
    {
      name: table,
      key: key ?? null,
      options: options ?? {},
      stagingId: `s${count}`,
      sources: sources.map((source) => ({
        path: source.startsWith('/') ? source : join(files, source),
        label: source.split('/').at(-1)!,
      })),
    },
    { signal, onProgress },
  );
  return { table, ...made };
}

const failure = (wanted: Wanted) =>
  importFiles(wanted).then(
    () => 'no error',
    (error) => `${error.code} ${error.message}`,
  );

const leftovers = async () => (await readdir(home.path)).filter((name) => name.startsWith('.importing'));

async function readBack(
  table: string,
): Promise<{ types: Record<string, string>; columns: Record<string, unknown[]> }> {
  const handle = await home.connection.openTable(table);
  const columns: Record<string, unknown[]> = {};
  const types: Record<string, string> = {};
  const result: Table = await handle.query().toArrow();
  for (const field of result.schema.fields) {
    types[field.name] = String(field.type);
    columns[field.name] = [];
  }
  for (const batch of result.batches as RecordBatch[]) {
    batch.schema.fields.forEach(({ name }, at) => {
      for (let row = 0; row < batch.numRows; row += 1)
        columns[name]!.push(dataCellToJson(batch.data.children[at]!, row));
    });
  }
  return { types, columns };
}

describe('importTable', () => {
  it('keeps every type and value of Arrow and Parquet files', async () => {
    const source = await openArrowSource({ path: `${testdata}pyarrow-plain.arrow`, label: 'a' }, never);
    const { columns } = await readBack(
      (await importFiles({ sources: [`${testdata}pyarrow-plain.arrow`] })).table,
    );
    const fromParquet = await readBack(
      (await importFiles({ sources: [`${testdata}pyarrow.parquet`] })).table,
    );
    const expected: Record<string, unknown[]> = { _key: ['0', '1', '2', '3', '4'] };
    const types: Record<string, string> = { _key: 'Int64', nul: 'Utf8', dict8: 'Dictionary<Int32, Utf8>' };
    for await (const batch of source.batches(never)) {
      batch.schema.fields.forEach(({ name, type }, at) => {
        expected[name] = Array.from({ length: batch.numRows }, (_, row) =>
          dataCellToJson(batch.data.children[at]!, row),
        );
        types[name] ??= String(type);
      });
    }
    expect(columns).toEqual(expected);
    expect(fromParquet.types).toEqual({ ...types, ts_s: 'Timestamp<MILLISECOND>' });
  });

  it('keeps every type that tables have, through Arrow and back', async () => {
    const rows = makeArrowTable(everyType);
    await put('every.arrows', arrow.tableToIPC(rows, 'stream'));
    const { table } = await importFiles({ sources: ['every.arrows'] });
    const back = await readBack(table);
    rows.schema.fields.forEach(({ name }, at) => {
      const data = rows.batches[0]!.data.children[at]!;
      const cells = Array.from({ length: rows.numRows }, (_, row) => dataCellToJson(data, row));
      if (name !== 'blob') expect([name, back.columns[name]]).toEqual([name, cells]);
    });
  });

  it('makes one version with stable row ids, and an index on the key where edits need one', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `k${row},${row}`);
    await put('many.csv', ['id,n', ...rows].join('\n'));
    const many = await importFiles({ sources: ['many.csv'], key: ['id'] });
    const handle = await home.connection.openTable(many.table);
    expect(await handle.countRows()).toBe(20_000);
    expect((await handle.listVersions()).map(({ version }) => version)).toEqual([many.version]);
    expect((await handle.listIndices()).map(({ columns }) => columns)).toEqual([['id']]);
    await (await handle.branches()).create('exp');
    expect(await (await home.connection.openTable(many.table, [], { branch: 'exp' })).countRows()).toBe(
      20_000,
    );
    const [row] = await handle.query().where("id = 'k7'").withRowId().toArray();
    await handle.update({ where: "id = 'k7'", values: { n: 8 } });
    const [after] = await handle.query().where("id = 'k7'").withRowId().toArray();
    expect(after._rowid).toBe(row._rowid);
  });

  it('takes a folder of pictures as it is, flags what is broken, and matches the metadata', async () => {
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    await put('m/a.jpg', picture);
    await put('m/deep/b.jpg', picture);
    await put('m/cut.jpg', picture.subarray(0, picture.length / 2));
    await put('m/empty.png', '');
    await put(
      'm/metadata.jsonl',
      '{"file_name":"a.jpg","label":"red","taken":"2024-01-31T10:00:00"}\n{"file_name":"gone.jpg","label":"x"}\n{"file_name":"b.jpg","label":"deep"}\n',
    );
    const { table, rows, notices } = await importFiles({ sources: ['m'] });
    expect([rows, notices]).toEqual([
      4,
      [
        '1 of the 3 rows of m/metadata.jsonl name files that are not there; they were left out.',
        '2 of the 4 files have no row in m/metadata.jsonl.',
        '2 files cannot be decoded; their rows say why in the column “problem”.',
      ],
    ]);
    const { columns } = await readBack(table);
    expect(columns).toMatchObject({
      path: ['a.jpg', 'deep/b.jpg', 'cut.jpg', 'empty.png'],
      kind: ['image', 'image', 'image', 'other'],
      size_bytes: [picture.length, picture.length, Math.floor(picture.length / 2), 0].map(String),
      content_type: ['image/jpeg', 'image/jpeg', 'image/jpeg', 'application/octet-stream'],
      problem: [null, null, expect.any(String), 'The file is empty.'],
      label: ['red', 'deep', null, null],
    });
    const handle = await home.connection.openTable(table);
    const media = (await handle.schema()).fields.find((field) => field.name === 'media')!;
    expect(media.metadata.get('curio:role')).toBe('image');
    const ids = (await handle.query().select(['path']).withRowId().toArray()).map(
      (entry) => entry._rowid as bigint,
    );
    expect((await handle.fetchBlobs('media', ids)).map((bytes) => bytes?.length ?? null)).toEqual([
      picture.length,
      picture.length,
      Math.floor(picture.length / 2),
      0,
    ]);
  });

  it('makes a clean folder the columns of the contract, and chosen ones under their names', async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await put('m/a.png', picture);
    const plain = await readBack((await importFiles({ sources: ['m'] })).table);
    expect(Object.keys(plain.columns)).toEqual([
      'path',
      'media',
      'kind',
      'size_bytes',
      'content_type',
      '_key',
    ]);
    const columns = [
      { from: 'media', name: 'picture', description: 'It.' },
      { from: 'path', name: 'id' },
      ...['kind', 'size_bytes', 'content_type'].map((from) => ({ from, drop: true })),
    ];
    const chosen = await importFiles({
      sources: ['m'],
      key: ['id'],
      options: { columns, description: 'One.' },
    });
    const { fields } = await (await home.connection.openTable(chosen.table)).schema();
    expect(fields.map(({ name, metadata }) => [name, Object.fromEntries(metadata)])).toMatchObject([
      ['picture', { 'curio:role': 'image', 'curio:description': 'It.', 'curio:table-description': 'One.' }],
      ['id', { 'curio:key': '1' }],
    ]);
  });

  it('joins files of one kind, and names the one that differs', async () => {
    const parts = [Int32Array.of(1, 2), Int32Array.of(3)].map((a) =>
      arrow.tableToIPC(arrow.tableFromArrays({ a }), 'stream'),
    );
    await put('p/1.arrows', parts[0]!);
    await put('p/2.arrows', parts[1]!);
    expect((await readBack((await importFiles({ sources: ['p'] })).table)).columns.a).toEqual([1, 2, 3]);
    await put('p/3.arrows', arrow.tableToIPC(arrow.tableFromArrays({ a: Float32Array.of(1) }), 'stream'));
    expect(await failure({ sources: ['p'] })).toBe(
      'INVALID_FILE p/3.arrows has other columns than p/1.arrows: “a” is Float32 there, and Int32 here.',
    );
    expect(await failure({ sources: ['p/1.arrows', 'p/2.arrows'], key: ['a'] })).toBe('no error');
    expect(await failure({ sources: ['p/1.arrows', 'p/1.arrows'], key: ['a'] })).toBe(
      'INVALID_FILE 1.arrows: the key “a” is not unique: “1” stands in rows 1 and 1.',
    );
  });

  it('gives up the promise of a vector when a later row breaks it', async () => {
    const list = (length: number) =>
      JSON.stringify({ v: Array.from({ length }, (_, index) => index + 0.5), pad: 'x'.repeat(20_000) });
    await put('v.jsonl', [...Array.from({ length: 2_200 }, () => list(8)), list(3)].join('\n'));
    const { table } = await importFiles({ sources: ['v.jsonl'] });
    const { types } = await readBack(table);
    expect(types.v).toBe('List<Float64>');
    await put('w.jsonl', [list(8), list(8)].join('\n'));
    expect((await readBack((await importFiles({ sources: ['w.jsonl'] })).table)).types.v).toBe(
      'FixedSizeList[8]<Float64>',
    );
  });

  it('takes an empty table that has columns', async () => {
    await put('none.csv', 'id,name\n');
    const { table, rows } = await importFiles({ sources: ['none.csv'], key: ['id'] });
    const { fields } = await (await home.connection.openTable(table)).schema();
    expect([rows, fields.map(({ name }) => name)]).toEqual([0, ['id', 'name']]);
  });

  it.each([
    [
      'a key that repeats',
      'a.csv',
      'id,x\n1,a\n2,b\n1,c\n',
      ['id'],
      'INVALID_FILE a.csv: the key “id” is not unique: “1” stands in rows 1 and 3.',
    ],
    [
      'a key that is null',
      'a.csv',
      'id,x\n1,a\n,b\n',
      ['id'],
      'INVALID_FILE a.csv, row 2: the key column “id” is null.',
    ],
    [
      'a key that is not there',
      'a.csv',
      'id,x\n1,a\n',
      ['nope'],
      'INVALID_FILE a.csv: the key column “nope” is not there.',
    ],
    [
      'a wrong line',
      'a.csv',
      'id,x\n1,a\n2\n',
      undefined,
      'INVALID_FILE a.csv, line 3: 1 value where the first line has 2.',
    ],
    ['a file without bytes', 'a.parquet', '', undefined, 'INVALID_FILE a.parquet: the file is empty.'],
    [
      'a cut Parquet file',
      'a.parquet',
      'PAR1 and no end',
      undefined,
      'INVALID_FILE a.parquet: the Parquet file has no end (its footer is missing).',
    ],
    [
      'text as Parquet',
      'a.parquet',
      'id,x\n',
      undefined,
      'INVALID_FILE a.parquet: the file is no Parquet file; it is text.',
    ],
    [
      'JSON that is no array',
      'a.json',
      '{\n"a": [1]\n}\n',
      undefined,
      'INVALID_FILE a.json: the file holds one object, not rows.',
    ],
  ] as const)('refuses %s, and leaves nothing', async (_name, file, content, key, message) => {
    await put(file, content);
    const name = `refused${count}`;
    expect(await failure({ sources: [file], key: key ? [...key] : undefined, name })).toBe(message);
    expect([await leftovers(), existsSync(join(home.path, `${name}.lance`))]).toEqual([[], false]);
  });

  it('does not take a name that was taken meanwhile', async () => {
    await put('a.csv', 'id\n1\n');
    const { table } = await importFiles({ sources: ['a.csv'] });
    expect(await failure({ sources: ['a.csv'], name: table })).toBe(
      `EXISTS There is a table ${table} already.`,
    );
    expect(await leftovers()).toEqual([]);
  });

  it('takes the key that an exported table names, and gives it up where rows were copied', async () => {
    const rows = makeArrowTable({ id: { type: 'int64', values: [1n, 2n], metadata: { 'curio:key': '1' } } });
    await put('a.arrows', arrow.tableToIPC(rows, 'stream'));
    expect(
      Object.keys((await readBack((await importFiles({ sources: ['a.arrows'] })).table)).columns),
    ).toEqual(['id']);
    const twice = await importFiles({ sources: ['a.arrows', 'a.arrows'] });
    expect([Object.keys((await readBack(twice.table)).columns), twice.notices]).toEqual([
      ['id', '_key'],
      ['The key that the file names is not unique; the table has a hidden key of its own.'],
    ]);
  });
});

describe('an import that stops', () => {
  /** Enough rows for many writes. */
  async function putMany(): Promise<void> {
    const table = arrow.tableFromArrays({ a: new Float64Array(4_000_000), b: new Float64Array(4_000_000) });
    await put('many.arrow', arrow.tableToIPC(table, 'file'));
    for (const part of [2, 3, 4]) await cp(join(files, 'many.arrow'), join(files, `many${part}.arrow`));
  }

  const untilStaged = async () => {
    while ((await leftovers()).length === 0) await turn();
  };

  it('leaves nothing when it is cancelled', async () => {
    await putMany();
    const controller = new AbortController();
    const running = failure({
      sources: ['many.arrow', 'many2.arrow', 'many3.arrow', 'many4.arrow'],
      signal: controller.signal,
      name: 'cancelled',
    });
    await untilStaged();
    controller.abort();
    expect(await running).toMatch(/^ABORTED/);
    await importer.discard({ stagingId: `s${count}` }, { signal: never });
    expect([await leftovers(), existsSync(join(home.path, 'cancelled.lance'))]).toEqual([[], false]);
  });

  it('leaves only what the next start sweeps when its process is killed', async () => {
    await putMany();
    const running = failure({
      sources: ['many.arrow', 'many2.arrow', 'many3.arrow', 'many4.arrow'],
      name: 'killed',
    });
    await untilStaged();
    for (const pid of pool.pids()) process.kill(pid, 'SIGKILL');
    expect(await running).toMatch(/^ENGINE_CRASHED/);
    expect(existsSync(join(home.path, 'killed.lance'))).toBe(false);
    expect(await leftovers()).toHaveLength(1);
    const { removed } = await importer.sweep({}, { signal: never });
    expect([removed.length, await leftovers()]).toEqual([1, []]);
    await put('a.csv', 'id\n1\n');
    expect((await importFiles({ sources: ['a.csv'], name: 'killed' })).rows).toBe(1);
  });
});
