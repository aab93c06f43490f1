import { expect, test } from 'vitest';
import { formatSqlLink, parseSqlLink, pinnedRefsOf, type SqlLink } from './sql-link.ts';

test.each<SqlLink>([
  { sql: 'select 1', refs: {}, params: [], charts: { '': 'bar;x:label' } },
  {
    sql: "select 'a&b=c+d' -- é\nfrom clips",
    refs: { clips: 'exp:12', other: 'tag:golden' },
    params: [],
    charts: {},
  },
  {
    sql: 'select $a',
    refs: {},
    params: [
      { name: 'a', type: 'text', value: 'x"&' },
      { name: 'b', type: 'number', value: null },
    ],
    charts: { 'a b': '', c: 'scatter;x:a%3Ab;y:"n"' },
  },
])('an address and back: %j', (link) => {
  const address = formatSqlLink(link);
  expect(address.startsWith('/sql?')).toBe(true);
  expect(parseSqlLink(address.slice(address.indexOf('?')))).toEqual(link);
});

test('no statement, and refs that cannot be read', () => {
  expect(formatSqlLink({ sql: '', refs: {} })).toBe('/sql');
  expect(parseSqlLink('?ref=clips@main:5')).toBeNull();
  expect(parseSqlLink('?q=x&ref=clips&ref=@main&ref=a@b:x')).toEqual({
    sql: 'x',
    refs: {},
    params: [],
    charts: {},
  });
  expect(parseSqlLink('?q=x&c=oops&c=%5B1%2C2%5D&c=%5B%22%22%2C%22bar%22%5D')?.charts).toEqual({ '': 'bar' });
  expect(parseSqlLink('?q=x&p=%5B1%5D&p=oops&p=%5B%22a%22%2C%22text%22%2C%22v%22%5D')?.params).toEqual([
    { name: 'a', type: 'text', value: 'v' },
  ]);
});

test('only bare names need a ref in the link', () => {
  const ref = { branch: 'main', version: 5 };
  expect(
    pinnedRefsOf([
      { name: 'clips', table: 'clips', ref },
      { name: 'clips@exp', table: 'clips', ref: { branch: 'exp', version: 7 } },
    ]),
  ).toEqual({ clips: 'main:5' });
});
