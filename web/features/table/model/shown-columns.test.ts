import { expect, test } from 'vitest';
import { gridColumnsOf } from '../../grid/model/grid-column.ts';
import { moveColumn, plainLayout, setShown, setWidth } from '../../grid/model/grid-layout.ts';
import { columnsForAddress } from './shown-columns.ts';

const info = (name: string, more: object = {}) => ({
  name,
  type: 'utf8',
  nullable: true,
  role: 'text' as const,
  description: '',
  tags: [],
  ...more,
});
const columns = gridColumnsOf([info('a'), info('b'), info('_key', { hidden: true }), info('c')]);

test('an address names the columns only where they are not as anyone sees them at first', () => {
  expect(columnsForAddress(columns, plainLayout)).toBeNull();
  expect(columnsForAddress(columns, setWidth(plainLayout, 'a', 300))).toBeNull();
  expect(columnsForAddress(columns, setShown(plainLayout, columns[1]!, false))).toEqual(['a', 'c']);
  expect(columnsForAddress(columns, moveColumn(plainLayout, columns, 'c', 'a'))).toEqual(['c', 'a', 'b']);
});
