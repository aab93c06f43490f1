import { expect, test } from 'vitest';
import { gridColumnsOf } from './grid-column.ts';
import {
  densityOf,
  isShown,
  moveColumn,
  nudgeColumn,
  orderColumns,
  plainLayout,
  plainWidthOf,
  setShown,
  setWidth,
  showOnly,
  widthOf,
} from './grid-layout.ts';

const info = (name: string, type = 'utf8', more: object = {}) => ({
  name,
  type,
  nullable: true,
  role: 'text' as const,
  description: '',
  tags: [],
  ...more,
});
const columns = gridColumnsOf([
  info('a'),
  info('b'),
  info('c'),
  info('_key', 'int64', { hidden: true }),
  info('d'),
]);
const names = (layout = plainLayout) =>
  orderColumns(columns, layout)
    .filter((column) => isShown(column, layout))
    .map((column) => column.name);
const find = (name: string) => columns.find((column) => column.name === name)!;

test('columns are shown, hidden, moved and brought back', () => {
  expect(names()).toEqual(['a', 'b', 'c', 'd']);
  expect(names(moveColumn(plainLayout, columns, 'd', 'b'))).toEqual(['a', 'd', 'b', 'c']);
  expect(names(moveColumn(plainLayout, columns, 'a', null))).toEqual(['b', 'c', 'd', 'a']);
  expect(names(nudgeColumn(plainLayout, columns, 'b', -1))).toEqual(['b', 'a', 'c', 'd']);
  expect(names(nudgeColumn(plainLayout, columns, 'c', 1))).toEqual(['a', 'b', 'd', 'c']);
  expect(names(nudgeColumn(plainLayout, columns, 'a', -1))).toEqual(['a', 'b', 'c', 'd']);
  const hidden = setShown(setShown(plainLayout, find('b'), false), find('_key'), true);
  expect(names(hidden)).toEqual(['a', 'c', '_key', 'd']);
  expect(names(setShown(setShown(hidden, find('b'), true), find('_key'), false))).toEqual([
    'a',
    'b',
    'c',
    'd',
  ]);
});

test('an address may say exactly which columns, in which order', () => {
  expect(names(showOnly(plainLayout, columns, ['d', '_key', 'a', 'gone']))).toEqual(['d', '_key', 'a']);
});

test('widths stay within bounds and leave room for the name', () => {
  expect(setWidth(setWidth(plainLayout, 'a', 3), 'b', 99_999).widths).toEqual({ a: 44, b: 1200 });
  const [long] = gridColumnsOf([info('a_rather_long_name', 'bool', { role: 'other' })]);
  expect(plainWidthOf(long!, 'compact')).toBeGreaterThan(150);
});

test('a column may be called as what every object has', () => {
  for (const column of gridColumnsOf([info('constructor'), info('toString'), info('__proto__')]))
    expect(widthOf(column, plainLayout, 'compact')).toBe(plainWidthOf(column, 'compact'));
});

test('tables with pictures start at a height that shows them', () => {
  expect(densityOf(plainLayout, columns)).toBe('compact');
  expect(densityOf(plainLayout, gridColumnsOf([info('photo', 'blob', { role: 'image' })]))).toBe('regular');
});
