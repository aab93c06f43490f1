import { createRandom, judge, type Result } from './harness.ts';
import { type Memory, peakOf } from './process-memory.ts';
import { readRaw, startBenchServer } from './server.ts';

const limitMb = 2048;
const pageRows = 100;
const namedProcesses = 4;

/** What a person does with a table of narrow columns (`id`, `score`, `n`, `label`), one after the other. */
function stepsOf(port: number, table: string, rows: number): [string, () => Promise<void>][] {
  const random = createRandom(13);
  const post = async (path: string, body: object) => {
    const { status } = await readRaw(port, path, body);
    if (status !== 200) throw new Error(`${path} answered ${status}.`);
  };
  const at = `/api/v1/tables/${table}`;
  const page = (more: object = {}, of = rows) =>
    post(`${at}/rows`, {
      ref: 'main',
      offset: Math.floor(random() * (of - pageRows)),
      limit: pageRows,
      ...more,
    });
  const pages = (count: number, more?: object, of?: number) => async () => {
    for (let i = 0; i < count; i++) await page(more, of);
  };
  const columns = ['id', 'score', 'n', 'label'];
  const facets = (more: object = {}) =>
    post(`${at}/facets`, { ref: 'main', columns, conditions: [], ...more });
  const sql = (text: string) => post('/api/v1/sql', { sql: text });
  return [
    ['started', pages(1)],
    ['200 jumps', pages(200)],
    ['a first sort and 50 jumps in it', pages(50, { orderBy: [{ column: 'score' }] })],
    ['a filter of a tenth and 50 jumps in it', pages(50, { where: 'score < 100' }, rows / 11)],
    ['groups by a column', () => post(`${at}/groups`, { ref: 'main', orderBy: [{ column: 'label' }] })],
    [
      'facets of all columns, a brush and its cube',
      async () => {
        await facets();
        await facets({ conditions: ['score between 100 and 200'] });
        await facets({ conditions: ['score between 100 and 200'], active: 'n' });
      },
    ],
    ['SQL: group by', () => sql(`select label, count(*) as rows, avg(score) from ${table} group by label`)],
    ['SQL: filtered count', () => sql(`select count(*) from ${table} where n < 1000 and score > 500`)],
    ['SQL: the first rows of an order', () => sql(`select * from ${table} order by score desc limit 1000`)],
    ['a second sort', pages(1, { orderBy: [{ column: 'n' }] })],
  ];
}

const largest = ({ byProcess }: Memory): string =>
  [...byProcess]
    .sort((a, b) => b[1] - a[1])
    .slice(0, namedProcesses)
    .map(([name, mb]) => `${name} ${Math.round(mb)}`)
    .join(', ');

/** On one server that keeps what it read: so each step holds what all before it left. */
export async function measureMemory(home: string, table: string, rows: number): Promise<Result[]> {
  const server = await startBenchServer(home);
  const results: Result[] = [];
  try {
    for (const [name, work] of stepsOf(server.port, table, rows)) {
      const startedAt = performance.now();
      const peak = await peakOf(server.pid, work);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const ratio = peak.sharedOnceMb / limitMb;
      results.push(
        judge(
          {
            name: `memory of server and engines, ${rows / 1e6} M rows: ${name}`,
            unit: 'MB at most, shared pages once / MB',
            limit: 1,
            direction: 'atMost',
          },
          {
            ratio,
            interval: [ratio, ratio],
            ours: peak.sharedOnceMb,
            peer: limitMb,
            note: `${seconds} s; sum of resident sizes ${Math.round(peak.rssMb)} MB; most in ${largest(peak)}`,
          },
        ),
      );
    }
    return results;
  } finally {
    await server.stop();
  }
}
