import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { SqlRun } from '../../ports/sql-engine.ts';
import { makeTestEngine } from './testing/make-test-engine.ts';

const { engine, reads, plan, run, stream } = makeTestEngine();

afterEach(() => {
  reads.length = 0;
});
afterAll(() => engine.close());

describe('what a statement reads', () => {
  test.each<[string, Record<string, string[]>]>([
    ['select id from clips', { clips: ['id'] }],
    ['select count(*) from clips', { clips: [] }],
    [
      'select * from clips',
      { clips: ['id', 'name', 'category', 'score', 'taken', 'seen', 'tags', 'box', 'vector', 'half'] },
    ],
    [
      'select * exclude (name, vector, half, seen) from clips',
      { clips: ['id', 'category', 'score', 'taken', 'tags', 'box'] },
    ],
    ['select box.x from clips where name is null', { clips: ['name', 'box'] }],
    ["select columns('^(id|sc)') from clips", { clips: ['id', 'score'] }],
    ['select ID, Clips.Score from CLIPS', { clips: ['id', 'score'] }],
    ['with c as (select * from clips) select id from c', { clips: ['id'] }],
    ['with clips as (select 1 id) select id from clips', {}],
    [
      'select a.id from clips a join "clips@exp:12" b using (id) where b.score > 1',
      { clips: ['id'], 'clips@exp:12': ['id', 'score'] },
    ],
    [
      'select id from clips where id in (select id from "clips@exp:12" where category = \'cat\')',
      { clips: ['id'], 'clips@exp:12': ['id', 'category'] },
    ],
    [
      'select (select max(score) from "clips@exp:12") from clips limit 1',
      { clips: [], 'clips@exp:12': ['score'] },
    ],
    ['select id from clips union all select id from clips where taken is null', { clips: ['id', 'taken'] }],
    ['select t, count(*) from (select unnest(tags) t from clips) group by t', { clips: ['tags'] }],
    [
      'select id, row_number() over (partition by category order by score) from clips qualify 1 = 1',
      { clips: ['id', 'category', 'score'] },
    ],
    ['select _rowid, id from clips', { clips: ['id', '_rowid'] }],
    ['select c from clips c where false', { clips: [] }],
    ['select _key from clips', { clips: ['_key'] }],
    ['select "a ""b""", "x.y" + "Select" from "odd names"', { 'odd names': ['a "b"', 'x.y', 'Select'] }],
    [
      "pivot (select category, score from clips) on category in ('cat', 'dog') using avg(score)",
      { clips: ['category', 'score'] },
    ],
    ['from clips select id order by score limit 3', { clips: ['id', 'score'] }],
    ['describe clips', { clips: [] }],
    ['explain select name from clips', { clips: ['name'] }],
    ['explain analyze select name from clips', { clips: ['name'] }],
    ['summarize select score from clips', { clips: ['score'] }],
    ['select 1', {}],
    ["values (1, 'a')", {}],
    ['select id from main.clips', { clips: ['id'] }],
  ])('%s', async (sql, expected) => {
    const { reads: found } = await plan(sql);
    expect(Object.fromEntries(found.map(({ name, columns }) => [name, columns]))).toEqual(expected);
  });

  test('estimates bytes, names types and counts rows', async () => {
    const { reads: found, resultColumns } = await plan(
      'select id, name, avg(vector[1]) a from clips group by all',
    );
    expect(resultColumns).toEqual([
      { name: 'id', type: 'BIGINT' },
      { name: 'name', type: 'VARCHAR' },
      { name: 'a', type: 'DOUBLE' },
    ]);
    expect(found[0]).toMatchObject({ name: 'clips', rows: 3000, limit: null });
    const bytes = found[0]?.bytes ?? 0;
    expect(bytes / 3000).toBeGreaterThan(8 + 12 + 4 + 12);
    expect(bytes / 3000).toBeLessThan(80);
    expect(found[0]?.schema.map(({ name }) => name)).not.toContain('_rowid');
  });

  test('parameters take part in the plan', async () => {
    const { reads: found } = await plan('select id from clips where score > $low and category = $kind', {
      params: { low: 3, kind: 'cat' },
    });
    expect(found[0]?.columns).toEqual(['id', 'category', 'score']);
  });
});

describe('what the browser cannot run', () => {
  test.each([
    ['select id, name from clips', null],
    ['select now()', 'time zones'],
    ['select seen from clips', 'times with a zone'],
    ['select count(*) from clips where seen is not null', 'times with a zone'],
    ['select half from clips', 'half floats'],
    ["select '{}'::json", 'JSON'],
    ['select taken::timestamptz from clips', 'time zones'],
    ['select taken - taken from clips', 'INTERVAL'],
    ['explain select 1', 'EXPLAIN'],
    ['describe clips', null],
  ])('%s: %s', async (sql, why) => {
    const { serverOnlyBecause } = await plan(sql);
    if (why === null) expect(serverOnlyBecause).toBeNull();
    else expect(serverOnlyBecause).toContain(why);
  });
});

describe('run', () => {
  test('rows with their facts', async () => {
    const result = await run(
      "select category, count(*)::int n, min(id) m from clips where name like 'clip%' group by category order by category",
    );
    expect(result).toMatchObject({
      ref: 'main:5',
      total: 3,
      scope: 'all',
      engine: 'duckdb',
      rows: [
        { category: 'cat', n: 900, m: '0' },
        { category: 'dog', n: 900, m: '1' },
        { category: 'fish', n: 900, m: '2' },
      ],
    });
  });

  test('a join of two refs of one table', async () => {
    const result = await run(
      'select count(*)::int n from clips a join "clips@exp:12" b using (id) where a.name <> b.name',
    );
    expect(result.rows).toEqual([{ n: 2700 }]);
    expect(JSON.parse(String(result.ref))).toEqual({ clips: 'main:5', 'clips@exp:12': 'exp:12' });
  });

  test('* and set operations do not see the row id or a hidden key', async () => {
    const { rows: found } = await run('select * from clips limit 1');
    expect(Object.keys(found[0] ?? {})).toEqual([
      'id',
      'name',
      'category',
      'score',
      'taken',
      'seen',
      'tags',
      'box',
      'vector',
      'half',
    ]);
    expect((await run('select _rowid, _key from clips where id = 2')).rows).toEqual([
      { _rowid: '2', _key: '14' },
    ]);
    expect(
      (await run('select * exclude (name) from clips except select * exclude (name) from "clips@exp:12"'))
        .rows,
    ).toEqual([]);
  });

  test('columns are read once, and only what is missing', async () => {
    await run('select avg(score) from more');
    await run('select avg(score), max(taken) from more');
    await run('select count(*) from more where score > 1 and taken is not null');
    expect(reads).toEqual([
      { key: 'more@main:1', columns: ['score'] },
      { key: 'more@main:1', columns: ['taken'] },
    ]);
    const sums = await run(
      'select sum(score)::int s, sum(epoch(taken))::bigint t from more where score * 10 = epoch(taken) // 86400',
    );
    expect(sums.rows).toEqual([{ s: 449_850, t: String((2999 * 3000 * 86_400) / 2) }]);
  });

  test('the first rows of a table are read and no more', async () => {
    const { rows: found } = await run('select vector, box from more limit 5 offset 2');
    expect(reads).toEqual([{ key: 'more@main:1', columns: ['box', 'vector'], limit: 7 }]);
    expect(found[0]).toEqual({ vector: [2, 0, 1], box: { x: 2, y: 4 } });
    expect(found).toHaveLength(5);
  });

  test('a result over the limit is cut and says so, with the number of all rows', async () => {
    const facts = async (sql: string, maxRows: number) => {
      const { scope, total, rows: found } = await run(sql, { maxRows });
      return [scope, total, found.length];
    };
    expect(await facts('select id from clips', 100)).toEqual(['first 100', 3000, 100]);
    expect(await facts('select id from clips limit 500 offset 2900', 10)).toEqual(['first 10', 100, 10]);
    expect(await facts("select id from clips where category = 'cat' order by score", 100)).toEqual([
      'first 100',
      1000,
      100,
    ]);
    expect(await facts('select id from clips', 3000)).toEqual(['all', 3000, 3000]);
    expect(await facts('select id from clips where false', 1)).toEqual(['all', 0, 0]);
  });

  test('what is not shown is not read', async () => {
    const { rows: found, scope } = await run('select score + 1 s, name from "rest"', { maxRows: 10 });
    expect(reads).toEqual([{ key: 'rest@main:1', columns: ['name', 'score'], limit: 4106 }]);
    expect({ scope, first: found[0], count: found.length }).toEqual({
      scope: 'first 10',
      first: { s: 1, name: 'clip number 0' },
      count: 10,
    });
    const limited = await run('select id from "rest" limit 5000', { maxRows: 10 });
    expect(limited.scope).toBe('first 10');
    expect(reads.at(-1)).toMatchObject({ limit: 4106 });
    const sorted = await run('select id from "rest" order by score desc', { maxRows: 2 });
    expect(sorted.rows).toEqual([{ id: '5999' }, { id: '5998' }]);
    expect(reads.at(-1)?.limit).toBeUndefined();
  });

  test.each<[string, unknown, unknown]>([
    ['select $1 + 1 a', [41], '42'],
    ['select ? a', ['it’s'], 'it’s'],
    ['select $x a', { x: 1.5 }, 1.5],
    ['select $x a', { $x: null }, null],
    ['select len($list) a', { list: ['a', 'b'] }, '2'],
    ['select list_sum($1) a', [[1, 2.5]], 3.5],
    ['select $s.b a', { s: { b: true } }, true],
    ['select count(*)::int a from clips where taken < $1', ['1970-01-05'], 4],
    ['select count(*)::int a from clips where id in (select unnest($ids))', { ids: [1, 2, 9999] }, 2],
    ['select id::int a from clips order by id limit $1 offset 3', [1], 3],
  ])('%s with %j', async (sql, params, expected) => {
    expect((await run(sql, { params: params as SqlRun['params'] })).rows).toEqual([{ a: expected }]);
  });

  test('EXPLAIN ANALYZE, DESCRIBE and SUMMARIZE', async () => {
    expect(JSON.stringify((await run('explain analyze select max(score) from clips')).rows)).toContain(
      'Total Time',
    );
    expect(
      (await run('describe select id, tags from clips')).rows.map(({ column_name, column_type }) => [
        column_name,
        column_type,
      ]),
    ).toEqual([
      ['id', 'BIGINT'],
      ['tags', 'VARCHAR[]'],
    ]);
    expect((await run('summarize select score from clips')).rows[0]).toMatchObject({
      column_name: 'score',
      max: '299.9',
      count: '3000',
    });
  });

  test('a long result streams, and leaving it half-way frees the engine', async () => {
    const { chunks } = await stream('select a.id, b.id, a.name from clips a, clips b');
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > 1e6) break;
    }
    expect((await run('select 1 a')).rows).toEqual([{ a: 1 }]);
  });

  test('a stream that nobody begins frees the engine when it is returned', async () => {
    const { chunks } = await stream('select 1');
    await chunks[Symbol.asyncIterator]().return?.();
    expect((await run('select 2 a')).rows).toEqual([{ a: 2 }]);
  });
});
