import { expect, test } from 'vitest';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { planSamples } from './samples.ts';

const column = (name: string, type: string, role: ColumnInfo['role']): ColumnInfo => ({
  name,
  type,
  role,
  nullable: true,
  description: '',
  tags: [],
});

test('samples use what the table has, and quote what must be', () => {
  const columns = [
    column('id', 'int64', 'key'),
    column('Group', 'utf8', 'label'),
    column('media', 'blob', 'image'),
    column('delay', 'int16', 'number'),
  ];
  expect(
    planSamples({ name: 'odd table', rows: 3, columns, branches: ['fix/it'] }).map(({ sql }) => sql),
  ).toEqual([
    'SELECT *\nFROM "odd table"\nLIMIT 100',
    'SELECT "Group", count(*) AS n\nFROM "odd table"\nGROUP BY ALL\nORDER BY n DESC',
    'SELECT "Group", any_value(media) AS media, count(*) AS n\nFROM "odd table"\nGROUP BY ALL\nORDER BY n DESC',
    'SELECT min(delay), median(delay), max(delay)\nFROM "odd table"',
    'SELECT * FROM "odd table@fix/it"\nEXCEPT\nSELECT * FROM "odd table"',
  ]);
});

test('rows are counted by a column of few values where its name says so', () => {
  const columns = [column('concept', 'utf8', 'label'), column('category', 'utf8', 'label')];
  expect(planSamples({ name: 't', rows: 3, columns, branches: [] })[1]?.title).toBe(
    'How many of each category',
  );
});

test('a table of which nothing is known has its first rows', () => {
  expect(planSamples({ name: 't', rows: 0, columns: [], branches: [] })).toHaveLength(1);
});
