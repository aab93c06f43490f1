import { expect, test } from 'vitest';
import { comparePath, parseAddress, queryPath, reviewPath, tablePath } from './addresses.ts';

test.each([
  ['/', { screen: 'tables' }],
  ['/jobs', { screen: 'jobs' }],
  ['/sql', { screen: 'sql' }],
  [queryPath('a/b'), { screen: 'sql', queryId: 'a/b' }],
  ['/reviews', { screen: 'reviews' }],
  [reviewPath('12'), { screen: 'review', id: '12' }],
  ['/reviews/1/2', { screen: 'nowhere' }],
  ['/t/wonders', { screen: 'table', table: 'wonders' }],
  ['/t/wonders/', { screen: 'table', table: 'wonders' }],
  [
    comparePath('wonders', 'ann/fix-labels', 'exp:12'),
    { screen: 'compare', table: 'wonders', from: 'ann/fix-labels', into: 'exp:12' },
  ],
  ['/t/wonders/compare/fix...main', { screen: 'compare', table: 'wonders', from: 'fix', into: 'main' }],
  ['/t/wonders/compare/fix', { screen: 'compare', table: 'wonders', from: 'fix', into: 'main' }],
  ['/t/%E0%A4%A', { screen: 'table', table: '%E0%A4%A' }],
  ['/t', { screen: 'nowhere' }],
  ['/t/a/b', { screen: 'nowhere' }],
  ['/t/a/compare/x/y', { screen: 'nowhere' }],
  ['/elsewhere', { screen: 'nowhere' }],
])('%s', (path, expected) => {
  expect(parseAddress(path)).toEqual(expected);
});

test('a link to a table names what is not as usual, and nothing else', () => {
  expect(tablePath('wonders', { ref: 'main', view: 'grid' })).toBe('/t/wonders');
  expect(tablePath('wonders', { ref: 'exp:12', view: 'gallery', row: '7', where: ["a = 'x&y'"] })).toBe(
    '/t/wonders?ref=exp%3A12&view=gallery&where=a+%3D+%27x%26y%27&row=7',
  );
});
