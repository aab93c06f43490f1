import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { createSqlEngine } from '../server/adapters/duckdb/sql-engine.ts';
import { planCarryOver } from '../server/adapters/lance/carry-over.ts';
import { openHome } from '../server/adapters/lance/connect.ts';
import { createLanceParts, createLanceReader } from '../server/adapters/lance/table-reader.ts';
import { createRowSource } from '../server/engines/row-source.ts';
import type { TableReader } from '../server/ports/table-reader.ts';
import { comparePairs, type Result } from './harness.ts';
import { readRaw, startBenchServer } from './server.ts';
import { connectBench, makeWideTable } from './tables.ts';

const million = 1_000_000;
const context = { signal: new AbortController().signal };

/** SQL: how fast results reach typed arrays in a browser, and what a change costs the columns that are kept. */
export async function benchSql(home: string): Promise<Result[]> {
  return [...(await benchRefresh(home)), ...(await benchTransfer(home))];
}

const statement = 'SELECT count(id), sum(c1), sum(c2), sum(c3), max(label) FROM kept';

/** One per cent of the rows are others; the columns are brought there, or read anew. */
export async function benchRefresh(path: string): Promise<Result[]> {
  const rows = 3 * million;
  await makeWideTable(path, 'kept', { rows, columns: 6, hasText: true });
  const table = await (await connectBench(path)).openTable('kept');
  const names = (await table.schema()).fields.map(({ name }) => name);
  const numbers = names.filter((name) => !['id', 'label', 'caption'].includes(name));
  const sql = statement
    .replace('c1', numbers[0] ?? 'id')
    .replace('c2', numbers[1] ?? 'id')
    .replace('c3', numbers[2] ?? 'id');
  const lance = await openHome(path);
  const newEngine = () => {
    const reader = createLanceReader(
      createLanceParts({ home: lance, cache: join(path, '.cache') }),
    ) as TableReader;
    const source = createRowSource(reader, (input) => planCarryOver(lance, input));
    return createSqlEngine({ source, memoryLimitBytes: 4e9, spillFolder: null });
  };
  const time = async (engine: ReturnType<typeof newEngine>): Promise<number> => {
    const version = await table.version();
    const relations = [
      { name: 'kept', table: 'kept', ref: { branch: 'main', version }, key: `kept//main:${version}` },
    ];
    const startedAt = performance.now();
    const { chunks } = await engine.run({ sql, relations }, context);
    for await (const _chunk of chunks);
    return performance.now() - startedAt;
  };
  const kept = newEngine();
  const fresh = async () => {
    const engine = newEngine();
    const elapsedMs = await costOf(engine);
    await engine.close();
    return elapsedMs;
  };
  /** What the columns cost: the statement, less the same statement once more. */
  const costOf = async (engine: ReturnType<typeof newEngine>): Promise<number> => {
    const first = await time(engine);
    return Math.max(0.1, first - (await time(engine)));
  };
  await time(kept);
  let step = 0;
  const half = rows / 200;
  const goal = {
    unit: 'ms to bring the columns there / to read them all anew',
    limit: 0.05,
    direction: 'atMost',
  } as const;
  const others = await comparePairs(
    { ...goal, name: 'kept columns after 1 % of 3 M rows was deleted or added' },
    {
      pairs: 5,
      ours: async () => {
        step += 1;
        await table.delete(`id >= ${step * half} AND id < ${(step + 1) * half}`);
        const added = await table.query().where(`id < ${half}`).limit(half).toArrow();
        await table.add(added);
        return costOf(kept);
      },
      peer: fresh,
    },
  );
  const moved = await comparePairs(
    { ...goal, name: 'kept columns after 1 % of 3 M rows was updated' },
    {
      pairs: 5,
      ours: async () => {
        step += 1;
        await table.update({ where: `id % 100 = ${step}`, values: { label: `step ${step}` } });
        return costOf(kept);
      },
      peer: fresh,
    },
  );
  await kept.close();
  return [others, moved];
}

const worker = `
onmessage = async ({ data: { url, body, as } }) => {
  const startedAt = performance.now();
  const response = await fetch(url, body ? { method: 'POST', body, headers: { 'Content-Type': 'application/json' } } : {});
  let rows = 0, bytes = 0;
  if (as === 'json') { const found = (await response.json()).rows; rows = found.length; bytes = rows; }
  else {
    const buffer = new Uint8Array(await response.arrayBuffer());
    bytes = buffer.byteLength;
    if (as === 'arrow') {
      const table = fl.tableFromIPC(buffer, { useBigInt: true });
      rows = table.numRows;
      for (const { name } of table.schema.fields) table.getChild(name).toArray();
    }
  }
  postMessage({ elapsedMs: performance.now() - startedAt, rows, bytes });
};`;

interface Fetched {
  elapsedMs: number;
  rows: number;
  bytes: number;
}

/** A result of 1 M rows × 8 numbers, in a worker of a real browser: as typed arrays, as plain bytes, as JSON. */
export async function benchTransfer(home: string): Promise<Result[]> {
  await makeWideTable(home, 'sent', { rows: million, columns: 8, hasText: false });
  const server = await startBenchServer(home);
  const browser = await chromium.launch({
    executablePath: process.env.CURIO_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const flechette = await readFile(
    new URL('../node_modules/@uwdata/flechette/dist/flechette.min.js', import.meta.url),
    'utf8',
  );
  const origin = `http://127.0.0.1:${server.port}`;
  const body = (maxRows?: number) => JSON.stringify({ sql: 'SELECT * FROM sent', maxRows });
  let raw: Buffer | null = null;
  const plain = createServer((_request, response) => {
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Length': raw?.byteLength ?? 0 });
    response.end(raw);
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const plainUrl = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
  try {
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    await page.goto(`${origin}/healthz`);
    await startWorker(page, `${flechette}\n${worker}`);
    const ask = (url: string, body: string | null, as: string) => fetchIn(page, { url, body, as });
    const arrow = `${origin}/api/v1/sql`;
    /** Without what it takes until the first row is there: planning and the hop there and back. */
    const askRows = async (url: string, rows: number | undefined, as: string): Promise<Fetched> => {
      const all = await ask(url, body(rows), as);
      const first = await ask(url, body(1), as);
      return { ...all, elapsedMs: Math.max(1, all.elapsedMs - first.elapsedMs) };
    };
    raw = Buffer.alloc((await ask(arrow, body(), 'arrow')).bytes);
    const rate = ({ bytes, elapsedMs }: Fetched) => bytes / 1e3 / elapsedMs;
    const perRow = ({ rows, elapsedMs }: Fetched) => rows / elapsedMs;
    const arrays = () => askRows(arrow, undefined, 'arrow');
    const goal = {
      name: 'a result of 1 M rows × 8 numbers from its first row to typed arrays in a worker',
      limit: 0.5,
      direction: 'atLeast',
    } as const;
    const ofRaw = await comparePairs(
      { ...goal, unit: 'MB/s / MB/s of the same bytes from a bare Node server into the same worker' },
      {
        ours: async () => rate(await arrays()),
        peer: async () => rate(await ask(plainUrl, null, 'bytes')),
        pairs: 7,
      },
    );
    const port = (plain.address() as AddressInfo).port;
    const ofLoopback = await comparePairs(
      { ...goal, unit: 'MB/s / MB/s of the same bytes from a bare Node server into a bare socket' },
      {
        ours: async () => rate(await arrays()),
        peer: async () => {
          const startedAt = performance.now();
          const { bytes } = await readRaw(port, '/', {});
          return rate({ bytes, rows: 0, elapsedMs: performance.now() - startedAt });
        },
        pairs: 7,
      },
    );
    const ofJson = await comparePairs(
      { ...goal, unit: 'rows/ms / rows/ms of 10,000 rows as JSON, from its first row', limit: 20 },
      {
        ours: async () => perRow(await arrays()),
        peer: async () => perRow(await askRows(`${arrow}?format=json`, 10_000, 'json')),
        pairs: 7,
      },
    );
    return [ofRaw, ofLoopback, ofJson];
  } finally {
    await browser.close();
    plain.close();
    await server.stop();
  }
}

const startWorker = (page: Page, source: string): Promise<void> =>
  page.evaluate((text) => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    (globalThis as unknown as { bench: Worker }).bench = new Worker(url);
  }, source);

const fetchIn = (page: Page, asked: { url: string; body: string | null; as: string }): Promise<Fetched> =>
  page.evaluate(
    (input) =>
      new Promise((resolve) => {
        const { bench } = globalThis as unknown as { bench: Worker };
        bench.onmessage = ({ data }) => resolve(data);
        bench.postMessage(input);
      }),
    asked,
  ) as Promise<Fetched>;
