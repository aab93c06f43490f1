import { compile } from 'vega-lite';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeArrowRows } from '../../../api/arrow-rows.ts';
import type { Connection } from '../../../engine/database.ts';
import { completeStream } from '../../../engine/reframe.ts';
import { openBlockingDatabase } from '../../../engine/testing/blocking-database.ts';
import { conditionsOfBrushed } from './brush-conditions.ts';
import { buildChartSql, buildRangeSql, type ChartRelation, mostPoints, planCuts } from './build-chart-sql.ts';
import { buildSpec } from './build-spec.ts';
import { type ChartChoice, chartKinds, fitChoice } from './chart-choice.ts';
import { chartRowsOf, describeDrawn, readRange } from './chart-rows.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await (await openBlockingDatabase()).connect();
  await connection.execute(`CREATE TABLE "odd ""name" AS SELECT
    i AS whole, CASE WHEN i % 7 = 0 THEN 'nan'::DOUBLE WHEN i % 11 = 0 THEN NULL WHEN i % 13 = 0 THEN 'inf'::DOUBLE ELSE i / 10 END AS number,
    TIMESTAMP '2020-01-01' + INTERVAL (i) HOUR AS at,
    CASE WHEN i % 5 = 0 THEN NULL ELSE 'v' || (i % 60) END AS "a label", i % 2 = 0 AS flag
    FROM range(6000) t(i)`);
});

async function query(sql: string) {
  const pieces: Uint8Array[] = [];
  for await (const piece of connection.stream(sql, new AbortController().signal)) pieces.push(piece);
  return decodeArrowRows(completeStream(pieces));
}

const relation: ChartRelation = {
  from: '"odd ""name"',
  columns: [
    { name: 'whole', kind: 'number', isWhole: true },
    { name: 'number', kind: 'number', isWhole: false },
    { name: 'at', kind: 'time', isWhole: false },
    { name: 'a label', kind: 'category', isWhole: false },
    { name: 'flag', kind: 'category', isWhole: false },
  ],
};
const choose = (patch: Partial<ChartChoice>): ChartChoice =>
  fitChoice(
    { kind: 'bar', x: null, y: null, color: null, measure: 'count', unit: 'auto', ...patch },
    relation.columns,
  );

async function drawn(patch: Partial<ChartChoice>, where?: string) {
  const choice = choose(patch);
  const of = { ...relation, where };
  const range = readRange(await query(buildRangeSql(of, choice)));
  const cuts = planCuts(of, choice, range);
  const rows = chartRowsOf(await query(buildChartSql(of, choice, cuts)));
  return { choice, range, cuts, rows, scope: describeDrawn(choice, rows, range) };
}
const total = (rows: readonly Record<string, unknown>[]) => rows.reduce((sum, row) => sum + Number(row.n), 0);

describe('the rows of a chart', () => {
  it.each(chartKinds)('are few for %s, and make a chart that compiles', async (kind) => {
    for (const color of kind === 'heat' || kind === 'box' ? [null] : [null, 'flag', 'a label']) {
      for (const measure of ['count', 'mean', 'median'] as const) {
        const data = await drawn({ kind, color, measure });
        expect(data.rows.length).toBeGreaterThan(0);
        expect(data.rows.length).toBeLessThanOrEqual(mostPoints);
        const spec = buildSpec({ ...data, columns: relation.columns });
        expect(compile(spec, { logger: failing }).spec.marks?.length).toBeGreaterThan(0);
      }
    }
  });

  it('of bars are the greatest, null among them, and say of how many', async () => {
    const { rows, scope } = await drawn({ x: 'a label' });
    expect(rows[0]).toMatchObject({ x: 'null', v: 1200 });
    expect(rows.length).toBe(40);
    expect(scope).toEqual(['the 40 greatest of 49 values', '5\u2009100 of 6\u2009000 rows']);
  });

  it('of histograms count every row with a finite value once, under the filter', async () => {
    const { rows, cuts, range } = await drawn(
      { kind: 'histogram', x: 'number', color: 'flag' },
      'whole < 3000',
    );
    const [{ n }] = chartRowsOf(
      await query('SELECT count(*)::DOUBLE AS n FROM "odd ""name" WHERE whole < 3000 AND isfinite(number)'),
    ) as [{ n: number }];
    expect(total(rows)).toBe(n);
    expect(range.rows).toBe(3000);
    expect(cuts.x).toEqual({ kind: 'steps', steps: { from: 0, step: 10 } });
  });

  it('of series are units of time', async () => {
    const { rows, cuts } = await drawn({ kind: 'series', measure: 'mean', y: 'whole' });
    expect(cuts.x).toEqual({ kind: 'unit', unit: 'week' });
    expect(total(rows)).toBe(6000);
    const monthly = await drawn({ kind: 'series', unit: 'month' });
    expect(monthly.rows[0]).toMatchObject({ x: Date.UTC(2020, 0, 1), v: 744 });
  });

  it('of scatters are a stated sample', async () => {
    const { rows, scope } = await drawn({ kind: 'scatter', x: 'whole', y: 'at' });
    expect(rows.length).toBe(mostPoints);
    expect(scope).toEqual(['a sample of 4\u2009000 of 6\u2009000 points']);
  });

  it('of boxes are quantiles', async () => {
    const { rows } = await drawn({ kind: 'box', x: 'flag', y: 'whole' });
    expect(rows).toMatchObject([
      { low: expect.any(Number), q1: expect.any(Number), mid: expect.any(Number), n: 3000, kinds: 2 },
      { n: 3000 },
    ]);
  });
});

describe('a brush on a chart', () => {
  it('is a filter that ends where the bars end', async () => {
    const data = { ...(await drawn({ kind: 'histogram', x: 'number' })), columns: relation.columns };
    expect(conditionsOfBrushed({ kind: 'range', x: [18, 42] }, data)).toEqual([
      'number >= 20 and number < 40',
    ]);
    const bars = { ...(await drawn({ x: 'a label' })), columns: relation.columns };
    expect(conditionsOfBrushed({ kind: 'values', values: ["it's", 'null'] }, bars)).toEqual([
      `"a label" = 'it''s' or "a label" is null`,
    ]);
    const flags = { ...(await drawn({ x: 'flag' })), columns: relation.columns };
    expect(conditionsOfBrushed({ kind: 'values', values: ['true'] }, flags)).toEqual(['flag is true']);
    const numbers = { ...(await drawn({ x: 'whole' })), columns: relation.columns };
    expect(conditionsOfBrushed({ kind: 'values', values: ['3', '5'] }, numbers)).toEqual(['whole in (3, 5)']);
  });
});

const fail = (...words: unknown[]): never => {
  throw new Error(words.join(' '));
};
const failing = {
  level: () => failing,
  warn: fail,
  error: fail,
  info: () => failing,
  debug: () => failing,
} as never;
