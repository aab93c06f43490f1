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
  expect(formatSqlIn(rows, columns[0]!)).toBe("\"id\" in ('it''s', 'tab\tand\nline')");
  expect(formatSqlIn(rows, null)).toBe('_rowid in (3, 4)');
});
