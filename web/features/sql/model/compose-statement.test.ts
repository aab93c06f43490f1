import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { parseCells } from '#shared/sql/cells.ts';
import { splitStatements } from '#shared/sql/split-statements.ts';
import { composeStatement, errorInSource, offsetOf, paramsIn, placeOf } from './compose-statement.ts';

const compose = (text: string, params: Parameters<typeof composeStatement>[0]['params'] = []) => {
  const cells = parseCells(text);
  const cell = cells.length - 1;
  const { body = '', start = 0 } = cells[cell] ?? {};
  const span = splitStatements(body).at(-1);
  return composeStatement({ cells, cell, text: span?.text ?? '', start: start + (span?.start ?? 0), params });
};
const sqlOf = (...args: Parameters<typeof compose>) => compose(...args).sql.replaceAll('\n', ' ');

describe('statements that read earlier cells', () => {
  test.each([
    ['SELECT 1', 'SELECT 1'],
    ['-- %% a\nSELECT 1 AS x\n-- %% b\nSELECT 2', 'SELECT 2'],
    ['-- %% a\nSELECT 1 AS x\n-- %% b\nFROM a', 'WITH "a" AS (SELECT 1 AS x ) FROM a'],
    ['-- %% a\nSELECT 0; SELECT 1 AS x;\n-- %% b\nFROM A', 'WITH "a" AS (SELECT 1 AS x ) FROM A'],
    [
      '-- %% a\nSELECT 1 AS x\n-- %% b\nFROM a -- all\n-- %% c\nFROM b',
      'WITH "a" AS (SELECT 1 AS x ), "b" AS (FROM a ) FROM b',
    ],
    [
      '-- %% a\nSELECT 1 AS x\n-- %% b\nWITH t AS (FROM a) FROM t',
      'WITH "a" AS (SELECT 1 AS x ), t AS (FROM a) FROM t',
    ],
    [
      '-- %% a\nSELECT 1 AS x\n-- %% b\nWITH RECURSIVE t AS (FROM a) FROM t',
      'WITH RECURSIVE "a" AS (SELECT 1 AS x ), t AS (FROM a) FROM t',
    ],
    ['-- %% a\nSELECT 1\n-- %% b\nSUMMARIZE a', 'WITH "a" AS (SELECT 1 ) FROM (SUMMARIZE a )'],
    ['-- %% a\nSUMMARIZE t\n-- %% b\nFROM a', 'WITH "a" AS (FROM (SUMMARIZE t )) FROM a'],
    [
      '-- %% a\nSELECT 1\n-- %% b\nEXPLAIN ANALYZE (FORMAT json) FROM a',
      'EXPLAIN ANALYZE (FORMAT json) WITH "a" AS (SELECT 1 ) FROM a',
    ],
    ["-- %% a\nSELECT 1\n-- %% b\nSELECT 'a' -- a", "SELECT 'a'"],
    ['-- %% a\nEXPLAIN SELECT 1\n-- %% b\nFROM a', 'FROM a'],
    ['-- %% a\nFROM b\n-- %% b\nFROM a', 'WITH "a" AS (FROM b ) FROM a'],
  ])('%j', (text, sql) => {
    expect(sqlOf(text)).toBe(sql);
  });

  test('values stand in place of parameters, also in earlier cells; texts with dollars stay', () => {
    const params = [
      { name: 'label', type: 'text' as const, value: "it's" },
      { name: 'n', type: 'number' as const, value: '-3' },
    ];
    expect(sqlOf("-- %% a\nSELECT $label\n-- %% b\nSELECT $n, $other, '$n', $$ $n $$ FROM a", params)).toBe(
      `WITH "a" AS (SELECT 'it''s' ) SELECT (-3), $other, '$n', $$ $n $$ FROM a`,
    );
    expect(paramsIn("SELECT $a + $b, '$c', $1").map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('a place in what was sent is found again in the text', () => {
    const text = '-- %% a\nSELECT 1 AS one\n-- %% b\nSELECT $label,\n  wrong FROM a';
    const params = [{ name: 'label', type: 'text' as const, value: 'a long label' }];
    const composed = compose(text, params);
    const cells = parseCells(text);
    const placeIn = (word: string) => placeOf(composed.sql, composed.sql.indexOf(word));
    const at = (word: string) =>
      errorInSource(new AppError({ code: 'SQL_BIND', message: '', at: placeIn(word) }), composed, cells);
    expect([at('wrong').cell, at('wrong').error.at]).toEqual([1, { line: 2, column: 3 }]);
    expect([at('one').cell, at('one').error.at]).toEqual([0, { line: 1, column: 13 }]);
    expect(composed.sourceOf(placeIn('FROM a')).offset).toBe(text.indexOf('FROM a'));
  });

  test('lines and columns count as offsets do', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', 'é')), fc.nat(20), (parts, at) => {
        const text = parts.join('');
        const offset = Math.min(at, text.length);
        expect(offsetOf(text, placeOf(text, offset))).toBe(offset);
      }),
    );
  });
});
