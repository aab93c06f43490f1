import { describe, expect, test } from 'vitest';
import { fakeColumn, fakeDetail } from '../../../testing/fixtures.ts';
import { factsOf, keysByCount, keysFromNames, missingColumns, planKey } from './plan-rows.ts';

const file = (name: string, size = 10, type = 'image/png') => ({ name, size, type });

describe('the key of rows from files', () => {
  test.each([
    [fakeDetail('fix', { key: ['_key'] }), { kind: 'none' }],
    [fakeDetail(), { kind: 'name', column: 'id' }],
    [fakeDetail('fix', { key: ['views'] }), { kind: 'count', column: 'views' }],
    [
      fakeDetail('fix', { key: ['id', 'views'] }),
      { kind: 'impossible', why: expect.stringContaining('id, views') },
    ],
    [fakeDetail('fix', { key: ['taken'] }), { kind: 'impossible', why: expect.stringContaining('taken') }],
  ])('%#', (detail, plan) => expect(planKey(detail)).toEqual(plan));

  test('comes from the name, free of what is taken and of each other', () => {
    const files = [file('cat.png'), file('cat.jpg'), file('a.b.png'), file('.png')];
    expect(keysFromNames(files, new Set(['cat']))).toEqual(['cat-2', 'cat-3', 'a.b', '.png']);
  });

  test('or counts on, exactly', () => {
    expect([
      keysByCount([file('a'), file('b')], 9_007_199_254_740_993n),
      keysByCount([file('a')], null),
    ]).toEqual([['9007199254740994', '9007199254740995'], ['1']]);
  });
});

test('columns that are named so hold what a file tells of itself, where their type fits', () => {
  const columns = [
    fakeColumn('path', 'utf8'),
    fakeColumn('size_bytes', 'int64'),
    fakeColumn('content_type', 'int32'),
    fakeColumn('title', 'utf8'),
  ];
  expect(factsOf(file('cat.png'), columns)).toEqual({ path: 'cat.png', size_bytes: 10 });
});

test('columns that must not be empty are named', () => {
  const columns = [
    fakeColumn('id', 'utf8', { nullable: false }),
    fakeColumn('split', 'utf8', { nullable: false }),
  ];
  expect(missingColumns(fakeDetail('fix', { columns }), ['id'])).toEqual(['split']);
});
