import { readdirSync, readFileSync } from 'node:fs';
import { createRandom, judge, type Result } from './harness.ts';
import { readRaw, startBenchServer } from './server.ts';

const limitMb = 2048;
const everyMs = 100;
const pageRows = 100;

interface Memory {
  rssMb: number;
  /** Pages that several processes share, the native library above all, counted once. */
  sharedOnceMb: number;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

/** The server and all that it started, by its parents in /proc. */
function memoryOf(pid: number): Memory {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+ \(.*\) \S (\d+)/s.exec(/^\d+$/.test(name) ? read(`/proc/${name}/stat`) : '');
    if (found) parents.set(Number(name), Number(found[1]));
  }
  const isOurs = (one: number | undefined): boolean =>
    one === pid || (one !== undefined && one > 1 && isOurs(parents.get(one)));
  const sum = { rssMb: 0, sharedOnceMb: 0 };
  for (const one of parents.keys()) {
    if (!isOurs(one)) continue;
    const pages = read(`/proc/${one}/smaps_rollup`);
    const mb = (key: string): number =>
      Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(pages)?.[1] ?? 0) / 1024;
    sum.rssMb += mb('Rss');
    sum.sharedOnceMb += mb('Pss');
  }
  return sum;
}

/** The most that the server and its engines held together while `work` ran. */
async function peakOf(pid: number, work: () => Promise<void>): Promise<Memory> {
  const peak = memoryOf(pid);
  const timer = setInterval(() => {
    const now = memoryOf(pid);
    peak.rssMb = Math.max(peak.rssMb, now.rssMb);
    peak.sharedOnceMb = Math.max(peak.sharedOnceMb, now.sharedOnceMb);
  }, everyMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

/**
 * What a person does with a table of narrow columns (`id`, `score`, `n`, `label`), one after the other, on a server that
 * keeps what it read: so the last step holds what all before it left.
 */
export async function measureMemory(home: string, table: string, rows: number): Promise<Result[]> {
  const server = await startBenchServer(home);
  const random = createRandom(13);
  const post = async (path: string, body: object) => {
    const { status } = await readRaw(server.port, path, body);
    if (status !== 200) throw new Error(`${path} answered ${status}.`);
  };
  const at = `/api/v1/tables/${table}`;
  const page = (more: object = {}) =>
    post(`${at}/rows`, {
      ref: 'main',
      offset: Math.floor(random() * (rows - pageRows)),
      limit: pageRows,
      ...more,
    });
  const columns = ['id', 'score', 'n', 'label'];
  const facets = (more: object = {}) =>
    post(`${at}/facets`, { ref: 'main', columns, conditions: [], ...more });
  const sql = (text: string) => post('/api/v1/sql', { sql: text });
  const steps: [string, () => Promise<void>][] = [
    ['started', async () => page()],
    [
      '200 jumps',
      async () => {
        for (let i = 0; i < 200; i++) await page();
      },
    ],
    [
      'a first sort and 50 jumps in it',
      async () => {
        for (let i = 0; i < 50; i++) await page({ orderBy: [{ column: 'score' }] });
      },
    ],
    [
      'facets of all columns, a brush and its cube',
      async () => {
        await facets();
        await facets({ conditions: ['score between 100 and 200'] });
        await facets({ conditions: ['score between 100 and 200'], active: 'n' });
      },
    ],
    [
      'SQL: group by, filtered count, the first rows of an order',
      async () => {
        await sql(`select label, count(*) as rows, avg(score) from ${table} group by label`);
        await sql(`select count(*) from ${table} where n < 1000 and score > 500`);
        await sql(`select * from ${table} order by score desc limit 1000`);
      },
    ],
  ];
  const results: Result[] = [];
  try {
    for (const [name, work] of steps) {
      const { rssMb, sharedOnceMb } = await peakOf(server.pid, work);
      const ratio = rssMb / limitMb;
      results.push(
        judge(
          {
            name: `memory of server and engines, ${rows / 1e6} M rows: ${name}`,
            unit: 'MB resident at most / MB',
            limit: 1,
            direction: 'atMost',
          },
          {
            ratio,
            interval: [ratio, ratio],
            ours: rssMb,
            peer: limitMb,
            note: `${Math.round(sharedOnceMb)} MB with shared pages counted once`,
          },
        ),
      );
    }
    return results;
  } finally {
    await server.stop();
  }
}
