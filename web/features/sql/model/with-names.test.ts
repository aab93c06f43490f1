import { expect, test } from 'vitest';
import { withNamesIn } from './with-names.ts';

test('names whose bracket is closed, each with a statement that has its columns', () => {
  const sql = 'WITH a AS (SELECT (1) AS x), "B b"(y) AS NOT MATERIALIZED (SELECT x FROM a) SELECT y, | FROM';
  expect(withNamesIn(sql)).toEqual([
    { name: 'a', sql: 'WITH a AS (SELECT (1) AS x) SELECT * FROM "a"' },
    {
      name: 'B b',
      sql: 'WITH a AS (SELECT (1) AS x), "B b"(y) AS NOT MATERIALIZED (SELECT x FROM a) SELECT * FROM "B b"',
    },
  ]);
});

test('what is half written has no columns yet', () => {
  expect(withNamesIn('WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM ').map(({ name }) => name)).toEqual([
    'a',
  ]);
  expect(['', 'WITH', 'WITH a', 'WITH a AS', 'WITH a(', 'SELECT 1'].map(withNamesIn)).toEqual([
    [],
    [],
    [],
    [],
    [],
    [],
  ]);
  expect(withNamesIn('WITH RECURSIVE r AS (SELECT 1) FROM r').map(({ name }) => name)).toEqual(['r']);
});
