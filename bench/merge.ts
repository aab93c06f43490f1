import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchCurio, openCurio } from './curio.ts';
import { DoltSession, findDoltLite } from './doltlite.ts';
import { makeAntiJoin } from './duckdb-peer.ts';
import { changeCounts, makeDoltTable, makeEditedTable } from './edited-table.ts';
import { comparePairs, judge, type Result } from './harness.ts';
import { benchWide } from './merge-wide.ts';

const million = 1_000_000;
const sizes = process.env.CURIO_BENCH_SMALL === '1' ? [million] : [million, 10 * million];
const pairsFor = (changes: number): number => (changes <= 100 ? 9 : changes <= 10_000 ? 5 : 3);
const sizeName = (rows: number): string => `${rows / million} M rows`;
const countName = (changes: number): string => (changes === 1 ? '1 change' : `${changes} changes`);

interface Bench {
  curio: BenchCurio;
  table: string;
  rows: number;
  base: number;
  dolt: DoltSession | null;
}

/** Comparing and merging k scattered changes among N rows, against DoltLite and DuckDB's full comparison. */
export async function benchMerge(home: string): Promise<Result[]> {
  const { command, reason } = await findDoltLite();
  if (command === null) process.stdout.write(`– DoltLite is left out: ${reason}\n`);
  const curio = await openCurio(home);
  const benches: Bench[] = [];
  const results: Result[] = [];
  const keep = (result: Result): number => results.push(result);
  try {
    await mkdir(join(home, '.dolt'), { recursive: true });
    for (const rows of sizes) {
      const table = `edited${rows / million}`;
      const base = await makeEditedTable(home, table, rows);
      const dolt = command && new DoltSession(command, join(home, '.dolt', `${table}.db`));
      if (dolt) await makeDoltTable(dolt, rows);
      benches.push({ curio, table, rows, base, dolt });
    }
    await warmUp(benches[0]!);
    for (const bench of benches)
      for (const changes of changeCounts) for (const result of await benchSize(bench, changes)) keep(result);
    for (const result of await benchGrowth(benches)) keep(result);
    for (const bench of benches) keep(await benchFullScan(bench));
    for (const result of await benchWide(home, curio)) keep(result);
  } finally {
    for (const { dolt } of benches) await dolt?.close();
    curio.close();
  }
  return results;
}

const warmUps = 20;

/** A server has long been running when somebody compares; DoltLite is compiled ahead. */
async function warmUp(bench: Bench): Promise<void> {
  for (let run = 0; run < warmUps; run++) await diffOnce(bench, 100);
  for (let run = 0; run < 3; run++) await mergeOnce(bench, 100);
}

const branchName = (changes: number): string => `changed-${changes}`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function diffOnce({ curio, table, base }: Bench, changes: number): Promise<number> {
  const from = await curio.head(table, branchName(changes));
  return timed(async () => {
    const { rows } = await curio.diff({ table, base: { branch: 'main', version: base }, from });
    if (rows.added + rows.removed + rows.modified !== changes) throw new Error('The diff is wrong.');
  });
}

let made = 0;

async function mergeOnce({ curio, table }: Bench, changes: number): Promise<number> {
  const into = `into-${made++}`;
  await curio.createBranch(table, into);
  return timed(async () => {
    const { status } = await curio.merge(table, branchName(changes), into);
    if (status !== 'merged') throw new Error(`The merge ended with ${status}.`);
  });
}

/** What a summary says too: rows by kind, and changed cells by column. */
const sums = [
  ...['added', 'removed', 'modified'].map((kind) => `sum(diff_type = '${kind}')`),
  ...['label', 'score', 'n'].map(
    (column) => `sum(diff_type = 'modified' and from_${column} is not to_${column})`,
  ),
];

async function doltDiff(dolt: DoltSession, changes: number): Promise<number> {
  const { rows, ms } = await dolt.ask(
    `select count(*), ${sums.join(', ')} from dolt_diff_t('base', '${branchName(changes)}');`,
  );
  if (Number(rows[0]?.split('|')[0]) !== changes) throw new Error(`DoltLite found ${rows[0]} changes.`);
  return ms;
}

async function doltMerge(dolt: DoltSession, changes: number): Promise<number> {
  const into = `into_${made++}`;
  await dolt.ask(
    `select dolt_checkout('main'); select dolt_branch('${into}'); select dolt_checkout('${into}');`,
  );
  const { rows, ms } = await dolt.ask(`select dolt_merge('${branchName(changes)}');`);
  if (rows.some((row) => /error|conflict/i.test(row))) throw new Error(`DoltLite: ${rows.join(' ')}`);
  return ms;
}

/** Ours against DoltLite; without it only the times of ours are told, as growth. */
async function benchSize(bench: Bench, changes: number): Promise<Result[]> {
  const { dolt, rows } = bench;
  if (!dolt) return [];
  const pairs = pairsFor(changes);
  const name = `${countName(changes)} of ${sizeName(rows)}`;
  const results = [
    await comparePairs(
      {
        name: `diff, ${name}`,
        unit: 'ms / ms of DoltLite',
        limit: changes === 1 ? 5 : 0.2,
        direction: 'atMost',
      },
      { ours: () => diffOnce(bench, changes), peer: () => doltDiff(dolt, changes), pairs },
    ),
  ];
  if (changes === 1) return results;
  return [
    ...results,
    await comparePairs(
      {
        name: `merge, ${name}`,
        unit: 'ms / ms of DoltLite',
        limit: 1 / 3,
        direction: 'atMost',
      },
      { ours: () => mergeOnce(bench, changes), peer: () => doltMerge(dolt, changes), pairs },
    ),
  ];
}

/** The same changes among ten times as many rows, and ten times as many changes. */
async function benchGrowth(benches: readonly Bench[]): Promise<Result[]> {
  const [small, large] = benches;
  const results: Result[] = [];
  if (!small) return results;
  const times: { changes: number; ms: number }[] = [];
  for (const changes of changeCounts) {
    if (!large || changes > 10_000) continue;
    const pairs = pairsFor(changes);
    const name = `${countName(changes)}, t(10 M) / t(1 M)`;
    results.push(
      await comparePairs(
        { name: `diff, ${name}`, unit: 'ms / ms', limit: 1.3, direction: 'atMost' },
        { ours: () => diffOnce(large, changes), peer: () => diffOnce(small, changes), pairs },
      ),
      await comparePairs(
        { name: `merge, ${name}`, unit: 'ms / ms', limit: 1.5, direction: 'atMost' },
        { ours: () => mergeOnce(large, changes), peer: () => mergeOnce(small, changes), pairs },
      ),
    );
  }
  const bench = large ?? small;
  for (const changes of changeCounts.filter((count) => count >= 100)) {
    const runs = [
      await diffOnce(bench, changes),
      await diffOnce(bench, changes),
      await diffOnce(bench, changes),
    ];
    times.push({ changes, ms: Math.min(...runs) });
  }
  const fit = linearFit(times.map(({ changes, ms }) => [changes, ms]));
  results.push(
    judge(
      {
        name: `diff is linear in the changes, ${sizeName(bench.rows)}`,
        unit: 'R²',
        limit: 0.98,
        direction: 'atLeast',
      },
      { ratio: fit, interval: [fit, fit], ours: times.at(-1)!.ms, peer: times[0]!.ms },
    ),
  );
  return results;
}

/** How much of the spread a straight line explains. */
function linearFit(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [meanX, meanY] = [mean(([x]) => x), mean(([, y]) => y)];
  const xy = mean(([x, y]) => (x - meanX) * (y - meanY));
  return xy ** 2 / (mean(([x]) => (x - meanX) ** 2) * mean(([, y]) => (y - meanY) ** 2));
}

async function benchFullScan(bench: Bench): Promise<Result> {
  const changes = 100;
  const antiJoin = await makeAntiJoin(bench.rows, changes);
  try {
    return await comparePairs(
      {
        name: `diff, ${countName(changes)} of ${sizeName(bench.rows)}`,
        unit: 'ms / ms of DuckDB comparing all rows',
        limit: 1,
        direction: 'atMost',
      },
      {
        ours: () => diffOnce(bench, changes),
        peer: () =>
          timed(async () => {
            if ((await antiJoin.count()) !== changes) throw new Error('DuckDB found something else.');
          }),
        pairs: 5,
      },
    );
  } finally {
    antiJoin.close();
  }
}
