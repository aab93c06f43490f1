import { expect, test } from 'vitest';
import { gridColumnsOf } from '../../grid/model/grid-column.ts';
import { formatJson, formatSqlIn, formatTsv } from './format-rows.ts';

const info = (name: string, type: string) => ({
  name,
  type,
  nullable: true,
  role: 'other' as const,
  description: '',
  tags: [],
});
const columns = gridColumnsOf([info('id', 'utf8'), info('n', 'int64'), info('tags', 'list<utf8>')]);
const rows = [
  { id: "it's", n: 9007199254740993n, tags: ['a', 'b'], _rowid: 3n },
  { id: 'tab\tand\nline', n: null, tags: null, _rowid: 4n },
].map((row) => (column: string) => row[column as keyof typeof row]);

test('rows are copied as a table, as JSON and as a condition', () => {
  expect(formatTsv(rows, columns)).toBe('id\tn\ttags\nit\'s\t9007199254740993\t["a","b"]\ntab and line\t\t');
  expect(JSON.parse(formatJson(rows, columns))).toEqual([
    { id: "it's", n: '9007199254740993', tags: ['a', 'b'] },
    { id: 'tab\tand\nline', n: null, tags: null },
  ]);
  expect(formatSqlIn(rows, columns.slice(0, 1))).toBe("\"id\" in ('it''s', 'tab\tand\nline')");
  expect(formatSqlIn(rows, [])).toBe('_rowid in (3, 4)');
});

test('a key of several columns is grouped by all but the last', () => {
  const keys = [
    { id: 'a', n: 1n },
    { id: 'b', n: 2n },
    { id: 'a', n: 3n },
    { id: null, n: 4n },
  ].map((row) => (column: string) => row[column as keyof typeof row]);
  expect(formatSqlIn(keys, columns.slice(0, 2))).toBe(
    `("id" = 'a' and "n" in (1, 3)) or ("id" = 'b' and "n" in (2)) or ("id" is NULL and "n" in (4))`,
  );
});
