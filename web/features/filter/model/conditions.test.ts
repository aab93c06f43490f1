import { expect, test } from 'vitest';
import { chipOf, conditionsOfSql, invert, labelOf } from './conditions.ts';

const columns = [
  { name: 'category', type: 'utf8', role: 'label' as const },
  { name: 'taken', type: 'timestamp[us]', role: 'time' as const },
  { name: 'n', type: 'int64', role: 'number' as const },
];

test('a condition is said in words where the builder knows it, else as SQL', () => {
  expect(labelOf({ sql: "category in ('tools', 'fish')" }, columns)).toEqual({
    text: 'category is any of tools, fish',
    isSql: false,
  });
  expect(labelOf({ sql: 'length(category) > 4' }, columns)).toEqual({
    text: 'length(category) > 4',
    isSql: true,
  });
  expect(chipOf({ sql: 'n = 1 and n = 2' }, columns)).toBeNull();
});

test('inverting twice gives the condition back', () => {
  for (const sql of ["category = 'tools'", 'taken is null', 'n between 1 and 2']) {
    expect(invert(invert({ sql, isOff: true }, columns), columns)).toEqual({ sql, isOff: true });
  }
  expect(invert({ sql: 'n = 1 or n = 2' }, columns).sql).toBe('not (n = 1 or n = 2)');
  expect(invert({ sql: "category = 'tools'" }, columns).sql).toBe("category <> 'tools'");
});

test('SQL that says several typed conditions becomes several chips', () => {
  expect(conditionsOfSql("category = 'tools' and taken is null", columns)).toEqual([
    { sql: "category = 'tools'" },
    { sql: 'taken is null' },
  ]);
  expect(conditionsOfSql(' n = 1 or n = 2 ', columns)).toEqual([{ sql: 'n = 1 or n = 2' }]);
  expect(conditionsOfSql('taken is null and length(category) > n', columns)).toEqual([
    { sql: 'taken is null' },
    { sql: 'length(category) > n' },
  ]);
});
