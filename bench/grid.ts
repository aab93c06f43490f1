import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { measureFirstPaint } from './first-paint.ts';
import { comparePairs, createRandom, judge, type Result } from './harness.ts';
import { readIpcBytes } from './lance-peer.ts';
import { measureMemory } from './memory.ts';
import { makeNarrowTable } from './narrow-table.ts';
import { openConnection, startBenchServer } from './server.ts';
import { connectBench } from './tables.ts';

const million = 1_000_000;
const most = 100 * million;
const pageRows = 100;

/** The same shape in DuckDB: as Parquet for pages, in memory for its own sort. */
async function makeDuck(home: string) {
  const file = join(home, 'narrow.parquet');
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  const isKept = process.env.CURIO_BENCH_HOME !== undefined;
  if (!existsSync(file))
    await connection.run(
      `copy (select range as id, random() * 1000 as score, (random() * 1e6)::integer as n, (random() * 10)::integer as label from range(${most})) to '${file}' (format parquet, compression zstd)`,
    );
  return {
    async page(offset: number) {
      await connection.runAndReadAll(`select * from '${file}' limit ${pageRows} offset ${offset}`);
    },
    /** Its own sort of one column to row numbers, from the file. */
    async sort(column: string, rows: number) {
      await connection.run(
        `create or replace temp table sorted as select id from (select id, ${column} from '${file}' limit ${rows}) order by ${column}`,
      );
    },
    close() {
      connection.closeSync();
      instance.closeSync();
      if (!isKept) rmSync(file, { force: true });
    },
  };
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Jumps to any row, orders, the first page and the memory, with tables of 1 M, 10 M and 100 M rows. */
export async function benchGrid(home: string): Promise<Result[]> {
  await makeNarrowTable(home, 'small', million);
  await makeNarrowTable(home, 'middle', 10 * million);
  await makeNarrowTable(home, 'large', most);
  const painted = await measureFirstPaint(home, 'large', 'small');
  const memory = await measureMemory(home, 'middle', 10 * million);
  return [...painted, ...memory, ...(await benchJumps(home))];
}

/** At the HTTP socket, over a connection that stays open as a browser's does. */
export async function benchJumps(home: string): Promise<Result[]> {
  const duck = await makeDuck(home);
  const server = await startBenchServer(home);
  const connection = await openConnection(server.port);
  const db = await connectBench(home);
  const random = createRandom(9);
  const somewhere = (rows: number) => Math.floor(random() * (rows - pageRows));
  const page = async (table: string, offset: number, more: object = {}) => {
    const body = { ref: 'main', offset, limit: pageRows, ...more };
    const status = await connection.post(`/api/v1/tables/${table}/rows`, body);
    if (status !== 200) throw new Error(`The server answered ${status}.`);
  };
  const orderBy = [{ column: 'score' }];
  try {
    const jump = (table: string, rows: number, more: object = {}) =>
      timed(() => page(table, somewhere(rows), more));
    const take = async () => {
      const first = somewhere(most);
      const offsets = Array.from({ length: pageRows }, (_none, i) => first + i);
      const table = await db.openTable('large');
      return timed(() => readIpcBytes(table.takeOffsets(offsets).withRowId(), pageRows));
    };
    const firstSort = async (table: string, column: string, rows: number): Promise<Result> => {
      const ours = await timed(() => page(table, somewhere(rows), { orderBy: [{ column }] }));
      const peer = await timed(() => duck.sort(column, rows));
      const ratio = ours / peer;
      return judge(
        {
          name: `first sort of ${rows / million} M rows by ${column}`,
          unit: 'ms until a page in the middle / ms of DuckDB’s own sort from Parquet',
          limit: 3,
          direction: 'atMost',
        },
        { ratio, interval: [ratio, ratio], ours, peer, note: 'one pair: the second time it is kept' },
      );
    };
    const smallSort = await firstSort('small', 'score', million);
    const largeSort = await firstSort('large', 'score', most);
    const jumpOptions = { pairs: 51 };
    return [
      await comparePairs(
        {
          name: 'jump to a random row, 100 M rows',
          unit: 'ms / ms of the same at 1 M',
          limit: 1.3,
          direction: 'atMost',
        },
        { ours: () => jump('large', most), peer: () => jump('small', million), ...jumpOptions },
      ),
      await comparePairs(
        {
          name: 'jump to a random row, 100 M rows',
          unit: 'ms over HTTP / ms of takeOffsets in process',
          limit: 1.5,
          direction: 'atMost',
        },
        { ours: () => jump('large', most), peer: take, ...jumpOptions },
      ),
      await comparePairs(
        {
          name: 'jump to a random row, 100 M rows',
          unit: 'ms / ms of DuckDB on Parquet',
          limit: 1 / 8,
          direction: 'atMost',
        },
        {
          ours: () => jump('large', most),
          peer: () => timed(() => duck.page(somewhere(most))),
          ...jumpOptions,
        },
      ),
      await comparePairs(
        {
          name: 'jump in a kept order, 100 M rows',
          unit: 'ms / ms of the same at 1 M',
          limit: 1.3,
          direction: 'atMost',
        },
        {
          ours: () => jump('large', most, { orderBy }),
          peer: () => jump('small', million, { orderBy }),
          ...jumpOptions,
        },
      ),
      smallSort,
      largeSort,
    ];
  } finally {
    connection.close();
    await server.stop();
    duck.close();
  }
}
