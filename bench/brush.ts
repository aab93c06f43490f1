import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { FacetsAnswer } from '#shared/api/facets.ts';
import { brushCube, type CodeRun } from '#shared/domain/facets/cube.ts';
import { arrow } from '../server/arrow/arrow.ts';
import { decodeArrowRows } from '../web/api/arrow-rows.ts';
import { completeStream } from '../web/engine/reframe.ts';
import { openBlockingDatabase } from '../web/engine/testing/blocking-database.ts';
import { comparePairs, createRandom, type Result } from './harness.ts';
import { readRaw, startBenchServer } from './server.ts';
import { connectBench } from './tables.ts';

const rows = 10_000_000;
const batchRows = 500_000;

/** Three whole numbers per row, alike in JavaScript and in SQL: bent, even and steep. */
const formulas = {
  a: (i: number) => Math.floor(((i % 1000) * (i % 1000)) / 1000),
  b: (i: number) => (i * 7919) % 5000,
  c: (i: number) => Math.floor(i / 3) % 97,
};
const inSql = `SELECT CAST((i % 1000) * (i % 1000) // 1000 AS INTEGER) AS a, CAST((i * 7919) % 5000 AS INTEGER) AS b, CAST((i // 3) % 97 AS INTEGER) AS c FROM range(${rows}) t(i)`;

async function makeTable(home: string): Promise<void> {
  const db = await connectBench(home);
  for (let from = 0; from < rows; from += batchRows) {
    const column = (formula: (i: number) => number) =>
      arrow.makeVector(Int32Array.from({ length: batchRows }, (_none, i) => formula(from + i)));
    const batch = new arrow.Table({
      a: column(formulas.a),
      b: column(formulas.b),
      c: column(formulas.c),
    });
    if (from === 0) await db.createTable('brushed', batch);
    else await (await db.openTable('brushed')).add(batch);
  }
  await (await db.openTable('brushed')).optimize();
}

type Counts = Record<string, number[]>;

/** DuckDB in WebAssembly with pre-aggregated tables of the brushed column's pixels against the bars of the others. */
async function openPeer(answer: FacetsAnswer) {
  const connection = await (await openBlockingDatabase()).connect();
  await connection.execute(`CREATE TABLE t AS ${inSql}`);
  const widthOf = (column: string, isBar: boolean): number => {
    const { edges, bars } = answer.facets.find((facet) => facet.column === column)!.bins;
    return isBar ? edges[bars[1]!]! - edges[bars[0]!]! : edges[1]! - edges[0]!;
  };
  const pixel = widthOf('a', false);
  const others = ['b', 'c'] as const;
  const query = async (sql: string) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of connection.stream(sql, new AbortController().signal)) pieces.push(piece);
    return decodeArrowRows(completeStream(pieces)).table;
  };
  return {
    async build() {
      for (const other of others)
        await connection.execute(
          `CREATE OR REPLACE TEMP TABLE cube_${other} AS SELECT a // ${pixel} AS px, ${other} // ${widthOf(other, true)} AS bin, count(*) AS n FROM t GROUP BY 1, 2`,
        );
    },
    async brush(from: number, to: number): Promise<Counts> {
      const parts = others.map(
        (other) =>
          `SELECT '${other}' AS name, CAST(bin AS INTEGER) AS bin, CAST(sum(n) AS INTEGER) AS n FROM cube_${other} WHERE px >= ${from} AND px < ${to} GROUP BY 2`,
      );
      const table = await query(parts.join(' UNION ALL '));
      const counts: Counts = { b: [], c: [] };
      for (const { name, bin, n } of table.toArray() as { name: string; bin: number; n: number }[])
        counts[name]![bin] = n;
      return counts;
    },
  };
}

const timed = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Linked histograms of 10 M rows: cubes and brushes beside DuckDB in WebAssembly, SQL beside native DuckDB on Parquet. */
export async function benchBrush(home: string): Promise<Result[]> {
  mkdirSync(home, { recursive: true });
  await makeTable(home);
  const server = await startBenchServer(home);
  try {
    const ask = async (body: object): Promise<FacetsAnswer> => {
      const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/tables/brushed/facets`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as FacetsAnswer;
    };
    const firstMs = await timed(() => ask({}));
    const answer = await ask({ active: 'a' });
    const cube = answer.cube!;
    const peer = await openPeer(answer);
    await peer.build();
    const bins = answer.facets.find(({ column }) => column === 'a')!.bins.edges.length - 1;
    const random = createRandom(3);
    const anyBrush = (): CodeRun => {
      const from = Math.floor(random() * bins);
      return [from, Math.min(bins, from + 1 + Math.floor(random() * 60))];
    };
    for (let at = 0; at < 20; at++) {
      const [from, to] = anyBrush();
      const theirs = await peer.brush(from, to);
      for (const { column, width, prefix } of cube.others) {
        const ours = brushCube({ prefix, width }, [[from, to]]);
        const same = ours.slice(0, width - 4).every((count, bin) => count === (theirs[column]![bin] ?? 0));
        if (!same) throw new Error(`The counts of ${column} differ for ${from} to ${to}.`);
      }
    }
    const into = cube.others.map(({ width }) => new Array<number>(width));
    const brushes = 2000;
    const ourBrush = () => {
      for (let at = 0; at < brushes; at++) {
        const run = anyBrush();
        for (const [index, other] of cube.others.entries()) brushCube(other, [run], into[index]);
      }
    };
    const peerBrushes = 10;
    const brush = await comparePairs(
      {
        name: 'brush over 3 linked histograms of 10 M rows, counts equal to the row',
        unit: 'ms per brush / ms of DuckDB-WASM over pre-aggregated tables',
        limit: 0.01,
        direction: 'atMost',
      },
      {
        ours: async () => (await timed(ourBrush)) / brushes,
        peer: async () =>
          (await timed(async () => {
            for (let at = 0; at < peerBrushes; at++) await peer.brush(...(anyBrush() as [number, number]));
          })) / peerBrushes,
      },
    );
    const build = await comparePairs(
      {
        name: 'cube of 10 M rows over HTTP, columns resident in both',
        unit: 'ms / ms of DuckDB-WASM’s pre-aggregation',
        limit: 0.2,
        direction: 'atMost',
      },
      { ours: () => timed(() => ask({ active: 'a' })), peer: () => timed(() => peer.build()), pairs: 5 },
    );
    const sql = await benchSql(home, server.port);
    return [
      brush,
      { ...build, note: `the first answer, which reads the columns, took ${firstMs.toFixed(0)} ms` },
      ...sql,
    ];
  } finally {
    await server.stop();
  }
}

const statements = {
  'group by of 10 M rows': 'SELECT c, count(*) AS n, avg(b) AS mean FROM brushed GROUP BY c',
  'filtered count of 10 M rows': 'SELECT count(*) AS n FROM brushed WHERE a BETWEEN 100 AND 400 AND b < 2500',
};

async function benchSql(home: string, port: number): Promise<Result[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const path = join(home, 'brushed.parquet');
  await connection.run(`COPY (${inSql}) TO '${path}' (FORMAT parquet)`);
  await connection.run(`CREATE VIEW brushed AS SELECT * FROM read_parquet('${path}')`);
  const results: Result[] = [];
  for (const [name, sql] of Object.entries(statements))
    results.push(
      await comparePairs(
        {
          name: `${name} in SQL over HTTP`,
          unit: 'ms / ms of native DuckDB on Parquet',
          limit: 1.2,
          direction: 'atMost',
        },
        {
          ours: () =>
            timed(async () => {
              const { status } = await readRaw(port, '/api/v1/sql', { sql });
              if (status !== 200) throw new Error(`The server answered ${status}.`);
            }),
          peer: () => timed(async () => (await connection.runAndReadAll(sql)).getRows()),
        },
      ),
    );
  connection.closeSync();
  return results;
}
