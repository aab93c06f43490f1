import {
  bool,
  float64,
  int32,
  int64,
  struct,
  tableFromArrays,
  tableFromIPC,
  tableToIPC,
  uint64,
  utf8,
} from '@uwdata/flechette';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  BrowserEngine,
  type EngineProgress,
  isOnlyForServer,
  type StatementInput,
} from './browser-engine.ts';
import type { Database } from './database.ts';
import type { PlannedTable } from './resident-columns.ts';
import { openBlockingDatabase } from './testing/blocking-database.ts';

const rows = Array.from({ length: 5000 }, (_, row) => row);
const columnValues = {
  id: { values: rows.map((row) => BigInt(row)), type: int64(), sql: 'BIGINT' },
  name: { values: rows.map((row) => (row % 3 === 0 ? null : `name ${row}`)), type: utf8(), sql: 'VARCHAR' },
  score: { values: rows.map((row) => row / 2), type: float64(), sql: 'DOUBLE' },
  good: { values: rows.map((row) => row % 2 === 0), type: bool(), sql: 'BOOLEAN' },
  media: {
    values: rows.map((row) =>
      row === 1 ? null : { kind: 'image', sizeBytes: row, contentType: null, hash: null },
    ),
    type: struct({ kind: utf8(), sizeBytes: float64(), contentType: utf8(), hash: utf8() }),
    sql: 'STRUCT("kind" VARCHAR, "sizeBytes" DOUBLE, "contentType" VARCHAR, "hash" VARCHAR, "url" VARCHAR)',
  },
  n: { values: rows.map((row) => row % 7), type: int32(), sql: 'INTEGER' },
} as const;
type Name = keyof typeof columnValues;

const fetched: { key: string; columns: string[]; limit: number | null }[] = [];
let broken = false;
let opened = 0;
let database: Database | null = null;

const openShared = async (): Promise<Database> => {
  opened += 1;
  database ??= await openBlockingDatabase();
  return database;
};

function newEngine(open: () => Promise<Database> = openShared): BrowserEngine {
  return new BrowserEngine({
    open,
    async *fetchColumns(table, { columns, limit, onBytes }) {
      fetched.push({ key: table.key, columns, limit });
      const count = limit ?? rows.length;
      const names = [...columns, '_rowid'];
      const data = names.map(
        (name) =>
          [
            name,
            name === '_rowid' ? rows.map((row) => BigInt(row)) : columnValues[name as Name].values,
          ] as const,
      );
      const types = Object.fromEntries(
        names.map((name) => [name, name === '_rowid' ? uint64() : columnValues[name as Name].type]),
      );
      const step = Math.ceil(count / 2);
      for (let from = 0; from < count; from += step) {
        const cut = Object.fromEntries(
          data.map(([name, values]) => [name, values.slice(from, Math.min(count, from + step))]),
        );
        const bytes = tableToIPC(tableFromArrays(cut, { types }), { format: 'stream' }) as Uint8Array;
        onBytes(bytes.byteLength);
        if (broken && from > 0) throw new Error('the network broke');
        yield bytes;
      }
    },
  });
}

let engine: BrowserEngine;
let keys = 0;
let key = '';
beforeEach(() => {
  engine = newEngine();
  fetched.length = 0;
  broken = false;
  keys += 1;
  key = `clips/${keys}`;
});

const clips = (columns: Name[], more: Partial<PlannedTable> = {}): PlannedTable => ({
  name: 'clips',
  table: 'clips',
  ref: { branch: 'exp', version: 12 },
  key,
  columns,
  rows: rows.length,
  bytes: columns.length * 40_000,
  limit: null,
  schema: (Object.keys(columnValues) as Name[]).map((name) => ({
    name,
    source: name,
    type: columnValues[name].sql,
  })),
  ...more,
});

async function run(
  sql: string,
  tables: PlannedTable[],
  more: Partial<Pick<StatementInput, 'maxRows' | 'maxBytes' | 'signal' | 'onProgress' | 'onRows'>> = {},
) {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const result = await engine.run({
    sql,
    plan: { tables, bytes },
    maxRows: 100_000,
    signal: new AbortController().signal,
    ...more,
  });
  return { ...result, found: tableFromIPC(result.bytes, { useBigInt: true }).toArray() };
}

describe('the engine in the browser', () => {
  test('fetches columns once, then only what is missing', async () => {
    const progress: EngineProgress[] = [];
    const first = await run(
      'select count(*)::int n, sum(score) s from clips where good',
      [clips(['score', 'good'])],
      { onProgress: (part) => progress.push(part) },
    );
    expect(first.found).toEqual([{ n: 2500, s: 3_123_750 }]);
    expect(progress.map(({ phase }) => phase)).toEqual(['starting', 'fetching', 'fetching', 'running']);
    await run('select max(score) from clips', [clips(['score'])]);
    const both = await run(
      'select id::int id, score, name from clips where score > 2498 and name is not null order by id',
      [clips(['id', 'score', 'name'])],
    );
    expect(both.found).toEqual([
      { id: 4997, score: 2498.5, name: 'name 4997' },
      { id: 4999, score: 2499.5, name: 'name 4999' },
    ]);
    expect(fetched).toEqual([
      { key, columns: ['score', 'good'], limit: null },
      { key, columns: ['id', 'name'], limit: null },
    ]);
    expect(engine.residentBytesOf([clips(['id', 'score'])])).toBe(80_000);
    expect(engine.residentBytesOf([clips(['id', 'n'])])).toBe(0);
  });

  test('columns that do not matter are there by name only', async () => {
    const { found } = await run('select count(*)::int n from clips', [clips([])]);
    expect(found).toEqual([{ n: 5000 }]);
    expect(fetched).toEqual([]);
    const described = await run('describe clips', [clips([])]);
    expect(described.found.map((row) => (row as { column_name: string }).column_name)).toEqual(
      Object.keys(columnValues),
    );
  });

  test('first rows are fetched alone and not kept', async () => {
    const { found } = await run('select id::int id from clips limit 2 offset 1', [
      clips(['id'], { limit: 3 }),
    ]);
    expect(found).toEqual([{ id: 1 }, { id: 2 }]);
    expect(fetched).toEqual([{ key, columns: ['id'], limit: 3 }]);
    expect(engine.residentBytesOf([clips(['id'])])).toBe(0);
  });

  test('blob cells carry the address of their bytes', async () => {
    const { found } = await run(
      'select media from clips order by media is null desc, media.sizeBytes limit 2',
      [clips(['media'])],
    );
    expect(found).toEqual([
      { media: null },
      {
        media: {
          kind: 'image',
          sizeBytes: 0,
          contentType: null,
          hash: null,
          url: '/api/v1/tables/clips/blobs/media/0?ref=exp%3A12',
        },
      },
    ]);
  });

  test('a result over the limit is cut', async () => {
    const cut = await run('select id from clips', [clips(['id'])], { maxRows: 100 });
    expect(cut.isCut).toBe(true);
    expect(cut.rows).toBe(cut.found.length);
    expect(cut.rows).toBeGreaterThanOrEqual(100);
    expect(cut.rows).toBeLessThan(5000);
    expect(await run('select id from clips', [clips(['id'])], { maxRows: 5000 })).toMatchObject({
      isCut: false,
      rows: 5000,
    });
    expect(await run('select id from clips where false', [clips([])], { maxRows: 1 })).toMatchObject({
      isCut: false,
      rows: 0,
    });
  });

  test('errors say what and where', async () => {
    await expect(run("select 1,\n  'x'::int", [])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      at: { line: 2, column: 6 },
    });
    await expect(run('select idd from clips', [clips(['id'])])).rejects.toMatchObject({
      code: 'SQL_BIND',
      hint: 'Did you mean “id”?',
    });
    await expect(run("from read_csv('x.csv')", [])).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await run('select 1 a', [])).found).toEqual([{ a: 1 }]);
  });

  test.each([
    "select '{}'::json",
    'select current_date',
    "select date_trunc('day', now())",
    "select json_extract('{}', '$.a')",
    'select 1::variant',
  ])('%s is for the server only', async (sql) => {
    const error = await run(sql, []).catch((reason: unknown) => reason);
    expect(isOnlyForServer(error)).toBe(true);
  });

  test('a fetch that breaks leaves nothing behind', async () => {
    broken = true;
    await expect(run('select sum(n) from clips', [clips(['n'])])).rejects.toThrow();
    broken = false;
    const { found } = await run('select sum(n)::int s from clips', [clips(['n'])]);
    expect(found).toEqual([{ s: rows.reduce((sum, row) => sum + (row % 7), 0) }]);
  });

  test('a statement that was cancelled before its turn does not run', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(run('select 1', [], { signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  test('one that waits for another says so, and is cancelled at once', async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const held = new BrowserEngine({
      open: async () => {
        await gate;
        return openShared();
      },
      fetchColumns: async function* () {},
    });
    const plan = { tables: [], bytes: 0 };
    const said: string[] = [];
    const controller = new AbortController();
    const first = held.run({ sql: 'select 1', plan, maxRows: 1, signal: new AbortController().signal });
    const second = held.run({
      sql: 'select 2',
      plan,
      maxRows: 1,
      signal: controller.signal,
      onProgress: (progress) =>
        said.push(progress.phase === 'waiting' ? `${progress.ahead} ahead` : progress.phase),
    });
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
    expect(said).toEqual(['1 ahead']);
    go();
    expect(await first).toMatchObject({ rows: 1 });
  });

  test('a result is cut at so many bytes, and shown as it grows', async () => {
    const parts: number[] = [];
    const cut = await run('select range as i from range(10000000)', [], {
      maxRows: 10_000_000,
      maxBytes: 4_000_000,
      onRows: (bytes) => parts.push(bytes.byteLength),
    });
    expect(cut.isCut).toBe(true);
    expect(cut.rows).toBeLessThan(1_000_000);
  });

  test('a WebAssembly that dies is started again and its columns are fetched anew', async () => {
    await run('select max(id) from clips', [clips(['id'])]);
    let isDying = true;
    const dying = newEngine(async () => {
      const real = await openShared();
      return {
        terminate() {},
        async connect() {
          const connection = await real.connect();
          const stream: typeof connection.stream = (sql, signal) => {
            if (!isDying) return connection.stream(sql, signal);
            isDying = false;
            throw new Error('RuntimeError: memory access out of bounds');
          };
          return { ...connection, stream };
        },
      };
    });
    engine = dying;
    const before = opened;
    key = `${key}/dying`;
    await expect(run('select max(n) from clips', [clips(['n'])])).rejects.toMatchObject({
      code: 'ENGINE_CRASHED',
    });
    await expect(run('select max(n) m from clips', [clips(['n'])])).resolves.toMatchObject({
      found: [{ m: 6 }],
    });
    expect(opened).toBe(before + 2);
    expect(fetched.filter(({ key: of }) => of === key)).toHaveLength(2);
  });
});
