import { afterAll, expect, test } from 'vitest';
import { makeTestEngine } from './testing/make-test-engine.ts';

const { engine, reads, run } = makeTestEngine();
afterAll(() => engine.close());

const rowsOf = async (sql: string) => (await run(sql)).rows;

test('columns that were read one after the other are put together, and mean the same', async () => {
  const both = 'select name, score, "tags", box from clips where score > 2.5';
  const counted = 'select count(*) n, sum(score) s, count(name) k from clips where id % 3 = 1';
  const fresh = makeTestEngine();
  const expected = [await fresh.run(both), await fresh.run(counted)].map(({ rows }) => rows);
  await fresh.engine.close();

  await run('select sum(score) from clips');
  await run('select name from clips where name is not null');
  await run('select count(tags), count(box) from clips');
  for (let time = 0; time < 3; time += 1) {
    expect(await rowsOf(both)).toEqual(expected[0]);
    expect(await rowsOf(counted)).toEqual(expected[1]);
  }
  reads.length = 0;
  expect(await rowsOf(both)).toEqual(expected[0]);
  expect(reads).toEqual([]);
});

test('columns of one table under two names stay where they are while both are read', async () => {
  await run('select sum(id) from more');
  await run('select count(name) from more');
  const sql = 'select count(*) n from more a join more b using (id) where a.name = b.name';
  const first = await rowsOf(sql);
  expect([await rowsOf(sql), await rowsOf(sql)]).toEqual([first, first]);
});

test('another column of the same rows can still come beside', async () => {
  const sql = 'select count(*) n from rest where id >= 3000 and name is not null';
  await run('select sum(id) from rest');
  await run('select count(name) from rest');
  const answers = [await rowsOf(sql), await rowsOf(sql), await rowsOf(sql)];
  expect(answers[1]).toEqual(answers[0]);
  expect(await rowsOf('select max(score) m, max(id) i, count(name) n from rest')).toEqual([
    { m: 599.9, i: '5999', n: '5400' },
  ]);
});
