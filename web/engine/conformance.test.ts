import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as F from '@uwdata/flechette';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SqlPlan } from '#shared/api/sql.ts';
import { callJson } from '../api/index.ts';
import { BrowserEngine } from './browser-engine.ts';
import { fetchColumns } from './fetch-columns.ts';
import { openBlockingDatabase } from './testing/blocking-database.ts';
import { conformStatements, serverStatements } from './testing/conformance-statements.ts';

const root = new URL('../../', import.meta.url).pathname;
const bundledNode = join(root, 'node_modules', 'node', 'bin', 'node');
const plainFetch = globalThis.fetch;

let home: string;
let server: ChildProcess;
let url: string;
let engine: BrowserEngine;

const rows = Array.from({ length: 400 }, (_, row) => row);
const every = <T>(make: (row: number) => T): (T | null)[] =>
  rows.map((row) => (row % 7 === 3 ? null : make(row)));
const words = ['', 'cat', 'Cat', 'ßtraße 🐈', 'a text that is longer than twelve bytes', "it's"];

/** One column for every type that both engines take. */
const columns: Record<string, { values: unknown[]; type: F.DataType }> = {
  id: { values: rows.map((row) => BigInt(row)), type: F.int64() },
  b: { values: every((row) => row % 2 === 0), type: F.bool() },
  i8: { values: every((row) => (row % 256) - 128), type: F.int8() },
  i16: { values: every((row) => row * 100 - 20_000), type: F.int16() },
  i32: { values: every((row) => row * 1_000_003 - 200_000_000), type: F.int32() },
  i64: {
    values: every((row) => BigInt(row) * 40_000_000_000_000_001n - 9_000_000_000_000_000_000n),
    type: F.int64(),
  },
  u8: { values: every((row) => row % 256), type: F.uint8() },
  u16: { values: every((row) => row * 150), type: F.uint16() },
  u32: { values: every((row) => row * 10_000_000), type: F.uint32() },
  u64: { values: every((row) => BigInt(row) * 46_000_000_000_000_000n), type: F.uint64() },
  f32: { values: every((row) => (row === 5 ? Number.NaN : row / 4)), type: F.float32() },
  f64: { values: every((row) => (row === 6 ? Number.POSITIVE_INFINITY : row / 3)), type: F.float64() },
  s: { values: every((row) => `${words[row % words.length]}${row % 5}`), type: F.utf8() },
  label: { values: every((row) => ['cat', 'dog', 'fish'][row % 3]), type: F.dictionary(F.utf8()) },
  dec: { values: every((row) => row * 1.125 - 100), type: F.decimal(20, 3) },
  day: { values: every((row) => new Date(row * 86_400_000 * 31)), type: F.dateDay() },
  ts: { values: every((row) => row * 86_400_123), type: F.timestamp(F.TimeUnit.MICROSECOND) },
  ns: { values: every((row) => row * 1_000), type: F.timestamp(F.TimeUnit.NANOSECOND) },
  ms: { values: every((row) => row * 86_400_000), type: F.timestamp(F.TimeUnit.MILLISECOND) },
  tags: { values: every((row) => [`t${row % 4}`, row % 2 ? null : 'even']), type: F.list(F.utf8()) },
  grid: { values: every((row) => [[row, 1], []]), type: F.list(F.list(F.int32())) },
  box: {
    values: every((row) => ({ x: row, name: `box ${row % 9}` })),
    type: F.struct({ x: F.int32(), name: F.utf8() }),
  },
  marks: {
    values: every((row) => [{ label: `m${row % 3}`, score: row / 8 }]),
    type: F.list(F.struct({ label: F.utf8(), score: F.float64() })),
  },
  clock: { values: every((row) => BigInt(row) * 200_000_123n), type: F.time(F.TimeUnit.MICROSECOND) },
  parts: { values: every((row) => new Map([[`k${row % 3}`, row]])), type: F.map(F.utf8(), F.int32()) },
  raw: { values: every((row) => Uint8Array.of(row % 256, 1, 2)), type: F.binary() },
  v: { values: every((row) => [row, 1, 0, -row]), type: F.fixedSizeList(F.float32(), 4) },
};

const send = (path: string, body: unknown): Promise<Response> =>
  plainFetch(url + path, {
    method: 'POST',
    body: body instanceof FormData ? body : JSON.stringify(body),
    headers: body instanceof FormData ? {} : { 'Content-Type': 'application/json' },
  });

async function startServer(): Promise<void> {
  home = await mkdtemp(join(tmpdir(), 'curio-conform-'));
  server = spawn(
    existsSync(bundledNode) ? bundledNode : process.execPath,
    ['--disable-warning=ExperimentalWarning', 'server/main.ts'],
    {
      cwd: root,
      env: { ...process.env, CURIO_HOME: home, CURIO_DEMO: '0', CURIO_OPEN: '0', PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  url = await new Promise<string>((resolve, reject) => {
    server.stdout?.on('data', (text: Buffer) => {
      const found = /http:\/\/\S+/.exec(String(text))?.[0];
      if (found) resolve(found);
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/** Through the importer, as any table comes in. */
async function importTable(): Promise<void> {
  const values = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.values]));
  const types = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.type]));
  const bytes = F.tableToIPC(F.tableFromArrays(values, { types }), {
    format: 'file',
  }) as Uint8Array<ArrayBuffer>;
  const form = new FormData();
  form.set('name', 'data');
  form.set('key', 'id');
  form.append('file', new Blob([bytes]), 'data.arrow');
  const { job } = (await (await send('/api/v1/tables', form)).json()) as { job: { id: string } };
  const events = await plainFetch(`${url}/api/v1/jobs/${job.id}/events`);
  const last = (await events.text()).trim().split('\n\n').at(-1) ?? '';
  expect(JSON.parse(last.replace(/^data: /, ''))).toMatchObject({ state: 'done' });
}

beforeAll(async () => {
  await startServer();
  await importTable();
  globalThis.fetch = (input, init) => plainFetch(new URL(String(input), url), init);
  engine = new BrowserEngine({ open: openBlockingDatabase, fetchColumns });
  await callJson('session', {});
}, 90_000);

afterAll(async () => {
  globalThis.fetch = plainFetch;
  server?.kill('SIGTERM');
  await new Promise((resolve) => (server?.exitCode === null ? server.once('exit', resolve) : resolve(null)));
  await rm(home, { recursive: true, force: true });
});

interface Outcome {
  columns: string[];
  rows: unknown[];
}

const typeName = (type: F.DataType): string => {
  const plain = (type.typeId === F.Type.Dictionary ? type.dictionary : type) as F.DataType & {
    children?: { name: string; type: F.DataType }[];
  };
  const children =
    plain.children?.map(
      (child) => `${plain.typeId === F.Type.Struct ? child.name : ''}:${typeName(child.type)}`,
    ) ?? [];
  const { typeId, bitWidth, precision, scale, unit, stride } = plain as unknown as Record<string, unknown>;
  return `${typeId}/${bitWidth ?? ''}/${precision ?? ''}/${scale ?? ''}/${unit ?? ''}/${stride ?? ''}(${children})`;
};

/** Values that can be compared: floats to twelve digits, since sums are added up in another order. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? Number(value.toPrecision(12)) : String(value);
  if (value === null || value === undefined || typeof value !== 'object') return value ?? null;
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, plain);
  if (value instanceof Map) return [...value].map(([key, item]) => [plain(key), plain(item)]);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

function outcomeOf(bytes: Uint8Array): Outcome {
  const table = F.tableFromIPC(bytes, {
    useBigInt: true,
    useDecimalInt: true,
    useBigIntTimestamp: true,
    useDate: false,
  });
  return {
    columns: table.schema.fields.map(({ name, type }) => `${name} ${typeName(type)}`),
    rows: table.toArray().map(plain),
  };
}

async function onServer(sql: string): Promise<Outcome> {
  const response = await send('/api/v1/sql', { sql });
  if (!response.ok) throw new Error(`${sql}: ${await response.text()}`);
  return outcomeOf(new Uint8Array(await response.arrayBuffer()));
}

const planOf = async (sql: string): Promise<SqlPlan> =>
  (await (await send('/api/v1/sql/plan', { sql })).json()) as SqlPlan;

async function inBrowser(sql: string, plan: SqlPlan): Promise<Outcome> {
  expect([sql, plan.serverOnlyBecause]).toEqual([sql, null]);
  const { bytes } = await engine.run({ sql, plan, maxRows: 1_000_000, signal: new AbortController().signal });
  return outcomeOf(bytes);
}

/** Statements in one test: each test costs its own turn of the runner. */
const batchSize = 25;
const batches = Array.from({ length: Math.ceil(conformStatements.length / batchSize) }, (_, at) =>
  conformStatements.slice(at * batchSize, (at + 1) * batchSize),
);

describe('the browser and the server give the same rows', () => {
  test.each(batches.map((batch, at) => [at * batchSize, batch] as const))(
    'statements from %i',
    async (_from, batch) => {
      const answers = await Promise.all(batch.map((sql) => Promise.all([onServer(sql), planOf(sql)])));
      for (const [at, sql] of batch.entries()) {
        const [server, plan] = answers[at] as [Outcome, SqlPlan];
        const browser = await inBrowser(sql, plan).catch((error: unknown) => ({ failed: String(error) }));
        expect({ sql, ...browser }).toEqual({ sql, ...server });
        expect([sql, server.rows.length > 0]).toEqual([sql, true]);
      }
    },
    60_000,
  );

  test('there are enough statements, and every column of the table is in one', () => {
    expect(new Set(conformStatements).size).toBeGreaterThanOrEqual(400);
    const all = conformStatements.join('\n');
    for (const name of Object.keys(columns)) expect(all).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('where the engines differ, the server answers by plan', () => {
  test.each(serverStatements)('%s', async (sql, reason) => {
    const plan = await planOf(sql);
    expect([plan.engine, plan.serverOnlyBecause]).toEqual(['server', expect.stringMatching(reason)]);
    expect((await onServer(sql)).rows.length).toBeGreaterThan(0);
  });
});
