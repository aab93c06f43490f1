import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitStatements, statementAt, tokenizeSql } from './split-statements.ts';

const texts = (sql: string): string[] => splitStatements(sql).map(({ text }) => text);

test.each<[string, string[]]>([
  ['', []],
  [' ; -- only a comment\n;', []],
  ['select 1', ['select 1']],
  ['select 1;', ['select 1']],
  ['select 1; select 2 -- end', ['select 1', 'select 2']],
  ["select ';' ; select 2", ["select ';'", 'select 2']],
  ["select 'it''s;'; x", ["select 'it''s;'", 'x']],
  ["select E'\\';' ; x", ["select E'\\';'", 'x']],
  ['select "a;""b" ; x', ['select "a;""b"', 'x']],
  ['select $$a;b$$, $q$ $$;$q$ ; x', ['select $$a;b$$, $q$ $$;$q$', 'x']],
  ['select $1 ; x', ['select $1', 'x']],
  ['a /* ; /* ; */ ; */ b ; c', ['a /* ; /* ; */ ; */ b', 'c']],
  ["select 'open ;", ["select 'open ;"]],
  ['select /* open ;', ['select']],
])('%j', (sql, expected) => {
  expect(texts(sql)).toEqual(expected);
});

test('spans are offsets into the text', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab;'"$\-/*\n ]{0,30}$/), (sql) => {
      for (const { text, start, end } of splitStatements(sql)) expect(sql.slice(start, end)).toBe(text);
    }),
  );
});

test('tokens cover all but space and comments, in order', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (sql) => {
      let last = 0;
      for (const { start, end } of tokenizeSql(sql)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
    }),
  );
});

test('the statement under the caret', () => {
  const sql = 'select 1;\n\nselect 2; ';
  expect(statementAt(sql, 3)?.text).toBe('select 1');
  expect(statementAt(sql, 10)?.text).toBe('select 1');
  expect(statementAt(sql, 12)?.text).toBe('select 2');
  expect(statementAt(sql, sql.length)?.text).toBe('select 2');
  expect(statementAt('  ', 1)).toBeNull();
});
