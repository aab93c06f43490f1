import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Facet } from '#shared/api/facets.ts';
import { binCountOf, specialCodes } from '#shared/domain/facets/bins.ts';
import { type Brush, codesOfBrush, conditionOfBrush } from '#shared/domain/facets/brush.ts';
import { brushCube, runsOf } from '#shared/domain/facets/cube.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import type { TableFacets } from '../../../ports/table-facets.ts';
import { makeTestReader, type TestReader } from '../../../testing/reader.ts';
import { makeTable, mediaColumns } from '../../../testing/tables.ts';
import { createLanceParts } from '../table-reader.ts';
import { createLanceFacets } from './lance-facets.ts';

const rows = 2000;
const each = <T>(value: (row: number) => T) => Array.from({ length: rows }, (_none, row) => value(row));

let t: TestReader;
let facets: TableFacets;
beforeAll(async () => {
  t = await makeTestReader();
  facets = createLanceFacets(createLanceParts({ home: t.home, cache: t.cache }), { budgetBytes: 64e6 });
  await makeTable(t.home, 'mixed', {
    whole: { type: 'int64', values: each((row) => (row % 11 === 0 ? null : BigInt((row * 37) % 500))) },
    float: {
      type: 'float64',
      values: each((row) => (row % 13 === 0 ? Number.NaN : row % 17 === 0 ? Infinity : (row * 0.1) % 7.3)),
    },
    single: { type: 'float32', values: each((row) => (row % 50) / 10) },
    price: { type: 'decimal128(10, 2)', values: each((row) => BigInt((row * 7) % 999)) },
    at: { type: 'timestamp[us, UTC]', values: each((row) => BigInt(row) * 3_600_000_000n - 1n) },
    fine: {
      type: 'timestamp[ns]',
      values: each((row) => 1_600_000_000_000_000_000n + BigInt(row) * 86_400_000_000_000n - 1n),
    },
    day: { type: 'date32', values: each((row) => (row % 9 === 0 ? null : row % 400)) },
    label: {
      type: 'utf8',
      values: each((row) => (row % 7 === 0 ? null : ['cat', "o'dog", 'yak', ''][row % 4])),
    },
    kind: { type: 'dictionary<int8, utf8>', values: each((row) => ['x', 'y', null][row % 3]) },
    ok: { type: 'bool', values: each((row) => [true, false, null][row % 3]) },
    tags: { type: 'list<utf8>', values: each((row) => [['a', 'b', 'a'], [], null, ['c']][row % 4]) },
    text: { type: 'utf8', values: each((row) => `ä caption ${'x'.repeat(row % 90)} ${row}`) },
    vec: { type: 'fixed_size_list<float32>[2]', values: each((row) => [row, 1]) },
  });
  await makeTable(t.home, 'none', {
    whole: { type: 'int64', values: [] },
    name: { type: 'utf8', values: [] },
  });
});
afterAll(() => t.home.remove());

async function ask(
  table: string,
  options: {
    conditions?: string[];
    columns?: string[];
    active?: string;
    sample?: number;
    marked?: string;
  } = {},
) {
  const ref = await t.head(table);
  const { columns } = await t.reader.describe({ table, ref }, t.context);
  const compile = (sql: string) => ({ sql, ...compileFilter({ text: sql, columns }) });
  const { conditions = [], marked, ...rest } = options;
  const answer = await facets.facets(
    {
      table,
      ref,
      columns: columns.map(({ name }) => name),
      ...rest,
      conditions: conditions.map(compile),
      ...(marked ? { marked: compile(marked) } : {}),
    },
    t.context,
  );
  const count = async (where: string) =>
    (await t.reader.count({ table, ref, where: compileFilter({ text: where, columns }).lance }, t.context))
      .rows;
  const byName = Object.fromEntries(answer.facets.map((facet) => [facet.column, facet]));
  return { answer, byName, count };
}

const brushOfCode = (facet: Facet, code: number): Brush | null => {
  const count = binCountOf(facet.bins);
  const special = specialCodes(count);
  if (code === special.null) return { kind: 'values', values: [], isNull: true };
  if (code === special.nan && facet.kind === 'number') return { kind: 'values', values: [], isNaN: true };
  if (code >= count) return null;
  return facet.bins.kind === 'ordered'
    ? { kind: 'range', from: facet.bins.edges[code]!, to: facet.bins.edges[code + 1]! }
    : { kind: 'values', values: [facet.bins.values[code]!] };
};

describe('bins of columns', () => {
  it('have a facet for everything that rows can be chosen by, and say why others have none', async () => {
    const { answer, byName } = await ask('mixed');
    expect(answer).toMatchObject({ rows, counted: rows, matching: rows, isSample: false, cube: null });
    expect(answer.skipped.map(({ column }) => column)).toEqual(['vec']);
    expect(Object.fromEntries(answer.facets.map(({ column, kind }) => [column, kind]))).toEqual({
      whole: 'whole',
      float: 'number',
      single: 'number',
      price: 'number',
      at: 'timestamp',
      fine: 'timestamp',
      day: 'date',
      label: 'text',
      kind: 'text',
      ok: 'bool',
      tags: 'element',
      text: 'length',
    });
    for (const { kind, all } of answer.facets)
      if (kind !== 'element') expect(all.reduce((sum, one) => sum + one, 0)).toBe(rows);
    expect(byName.whole!.figures).toEqual({
      min: 0,
      max: 499,
      mean: expect.closeTo(249.5, 0),
      distinct: expect.closeTo(500, -1),
    });
    expect(byName.float!.figures).toMatchObject({ min: expect.closeTo(0, 6), max: expect.closeTo(7.2, 1) });
    expect(byName.day!.figures).toMatchObject({ min: 0, max: 399 * 86_400_000 });
    expect([byName.text!.figures, byName.label!.figures]).toEqual([null, null]);
    expect(byName.tags!.bins.values.toSorted()).toEqual(['a', 'b', 'c']);
    expect(byName.tags!.all).toEqual([500, 500, 500, 500, 0, 0, 500]);
  });

  it('count to the row what the filter of each bin finds', async () => {
    const { answer, count } = await ask('mixed');
    const checks = answer.facets.flatMap((facet) =>
      facet.all.map((inBin, code) => ({ facet, inBin, brush: brushOfCode(facet, code), code })),
    );
    const chosen = checks.filter(({ code }, at) => at % 17 === 0 || code < 3);
    for (const { facet, inBin, brush } of chosen) {
      const sql = brush && conditionOfBrush(facet, brush);
      if (sql) expect({ sql, rows: await count(sql) }).toEqual({ sql, rows: inBin });
    }
  });

  it('are none where there are no rows', async () => {
    const { answer } = await ask('none', { conditions: ['whole > 3'], active: 'whole' });
    expect(answer).toMatchObject({ rows: 0, matching: 0 });
    expect(answer.facets.map(({ all }) => all.every((one) => one === 0))).toEqual([true, true]);
  });
});

describe('conditions', () => {
  it('narrow every distribution but their own column’s', async () => {
    const { answer, byName, count } = await ask('mixed', {
      conditions: ["label = 'cat'", 'whole between 100 and 199', 'float > 1.23 or ok is true'],
    });
    const both = "whole between 100 and 199 and (float > 1.23 or ok is true) and label = 'cat'";
    expect(answer.matching).toBe(await count(both));
    const yak = byName.label!.bins.values.indexOf('yak');
    expect(byName.label!.kept[yak]).toBe(
      await count("whole between 100 and 199 and (float > 1.23 or ok is true) and label = 'yak'"),
    );
    expect(byName.label!.inside[yak]).toBe(0);
    expect(byName.ok!.kept[byName.ok!.bins.values.indexOf(true)]).toBe(await count(`${both} and ok is true`));
  });

  it('may name row ids, and mark rows', async () => {
    const { answer, byName } = await ask('mixed', {
      marked: '_rowid in (0, 1, 2)',
      conditions: ['_rowid <> 1'],
    });
    expect(answer).toMatchObject({ matching: rows - 1, marked: 2 });
    expect(byName.whole!.marked!.reduce((sum, one) => sum + one, 0)).toBe(2);
  });

  it('are counted for one who waits when another who waited gave up', async () => {
    const fresh = createLanceFacets(createLanceParts({ home: t.home, cache: t.cache }), {
      budgetBytes: 64e6,
    });
    const ref = await t.head('mixed');
    const input = { table: 'mixed', ref, columns: ['whole', 'label'], conditions: [] };
    const first = new AbortController();
    const given = fresh.facets(input, { signal: first.signal });
    const kept = fresh.facets(input, t.context);
    setImmediate(() => first.abort());
    const [one, two] = await Promise.allSettled([given, kept]);
    expect(two).toMatchObject({ status: 'fulfilled', value: { matching: rows } });
    if (one.status === 'rejected') expect(String(one.reason)).toMatch(/abort|cancel/i);
  });

  it('stop when they are given up', async () => {
    const ref = await t.head('mixed');
    const given = facets.facets(
      { table: 'mixed', ref, columns: ['whole'], conditions: [] },
      { signal: AbortSignal.abort() },
    );
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the cube of a column', () => {
  it('gives for any brush what conditions give', async () => {
    const { answer, byName } = await ask('mixed', {
      active: 'single',
      conditions: ["label in ('cat', 'yak')", 'single < 2'],
    });
    const active = byName.single!;
    await fc.assert(
      fc.asyncProperty(fc.nat(binCountOf(active.bins) - 1), fc.nat(20), async (from, by) => {
        const { edges } = active.bins;
        const brush: Brush = {
          kind: 'range',
          from: edges[from]!,
          to: edges[Math.min(edges.length - 1, from + by + 1)]!,
        };
        const runs = runsOf(codesOfBrush(brush, active.bins)!);
        const sql = conditionOfBrush(active, brush)!;
        const direct = await ask('mixed', { conditions: ["label in ('cat', 'yak')", sql] });
        const other = answer.cube!.others.find(({ column }) => column === 'tags')!;
        expect(brushCube(other, runs)).toEqual(direct.byName.tags!.kept);
        const own = answer.cube!.others.find(({ column }) => column === 'label')!;
        expect(brushCube(own, runs)).toEqual(direct.byName.label!.kept);
        const { totals } = answer.cube!;
        expect(runs.reduce((sum, [a, b]) => sum + totals[b]! - totals[a]!, 0)).toBe(direct.answer.matching);
      }),
      { numRuns: 12 },
    );
  });
});

describe('tables with too many rows for memory', () => {
  it('have the same distributions, cubes and associations', async () => {
    const places = createLanceParts({ home: t.home, cache: t.cache });
    const inFiles = createLanceFacets(places, { budgetBytes: 64e6, rowsInMemory: 10 });
    const { answer } = await ask('mixed', {
      active: 'at',
      conditions: ["label = 'cat'", 'whole < 200', 'float > 1 or ok is true', "array_has(tags, 'a')"],
      marked: '_rowid < 900',
    });
    const ref = await t.head('mixed');
    const { columns } = await t.reader.describe({ table: 'mixed', ref }, t.context);
    const compile = (sql: string) => ({ sql, ...compileFilter({ text: sql, columns }) });
    const input = {
      table: 'mixed',
      ref,
      columns: columns.map(({ name }) => name),
      conditions: ["label = 'cat'", 'whole < 200', 'float > 1 or ok is true', "array_has(tags, 'a')"].map(
        compile,
      ),
      marked: compile('_rowid < 900'),
      active: 'at',
    };
    const seen: number[] = [];
    const onProgress = ({ done, total }: { done: number; total: number | null }) => {
      seen.push(done / (total ?? 0));
    };
    const found = await inFiles.facets(input, { ...t.context, onProgress });
    expect({ ...found, elapsedMs: 0 }).toEqual({ ...answer, elapsedMs: 0 });
    expect(found.matching).toBeGreaterThan(0);
    expect(seen.at(-1)).toBe(1);
    const [some, same] = await Promise.all(
      [facets, inFiles].map((one) => one.associations(input, t.context)),
    );
    expect(same).toEqual(some);
  });
});

describe('a sample', () => {
  it('says how many rows it looked at', async () => {
    const { answer } = await ask('mixed', { sample: 600, conditions: ['whole > 250'] });
    expect(answer).toMatchObject({ rows, counted: 600, isSample: true });
    expect(answer.facets[0]!.all.reduce((sum, one) => sum + one, 0)).toBe(600);
  });
});

describe('details of columns', () => {
  it('are what only a kind has', async () => {
    const ref = await t.head('mixed');
    const columns = ['vec', 'tags', 'at', 'label', 'whole'];
    const { columns: found } = await facets.details({ table: 'mixed', ref, columns }, t.context);
    const byName = Object.fromEntries(found.map((detail) => [detail.column, detail]));
    expect(Object.keys(byName)).toEqual(['vec', 'tags', 'at', 'label']);
    expect(byName.vec).toMatchObject({
      kind: 'vector',
      dimension: 2,
      rows,
      zeros: 0,
      notFinite: 0,
      duplicates: 0,
    });
    expect(byName.tags).toMatchObject({
      kind: 'list',
      nulls: 500,
      empties: 500,
      lengths: { min: 0, max: 3 },
    });
    expect(byName.label).toMatchObject({
      kind: 'text',
      words: [{ value: "o'dog" }, {}, {}],
    });
    expect(byName.at).toMatchObject({ kind: 'time', weekdays: expect.any(Array), hours: expect.any(Array) });
    const { weekdays } = byName.at as { weekdays: number[] };
    expect(weekdays.reduce((sum, one) => sum + one, 0)).toBe(rows);
  });

  it('know media by their bytes', async () => {
    await makeTable(t.home, 'media', mediaColumns);
    const ref = await t.head('media');
    const name = Object.keys(mediaColumns).find((column) => /blob|binary/.test(mediaColumns[column]!.type))!;
    const { columns } = await facets.details({ table: 'media', ref, columns: [name] }, t.context);
    expect(columns).toMatchObject([
      { kind: 'media', column: name, scope: expect.stringMatching(/^all \d+ rows$/) },
    ]);
  });
});

describe('associations', () => {
  it('cover the rows that pass', async () => {
    const ref = await t.head('mixed');
    const columns = ['whole', 'single', 'label', 'tags', 'vec'];
    const found = await facets.associations({ table: 'mixed', ref, columns, conditions: [] }, t.context);
    expect(found).toMatchObject({ counted: rows, isSample: false, columns: ['whole', 'single', 'label'] });
    expect(found.pairs.map(({ measure }) => measure)).toEqual(['spearman', 'eta', 'eta']);
  });
});
