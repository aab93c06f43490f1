import { expect, test } from 'vitest';
import type { GridRow, RowSource } from '../../grid/index.ts';
import { overlaySource } from './overlay-source.ts';

const row = (id: string, ref: string): GridRow => ({
  index: 0,
  id,
  ref,
  value: (column) => `${column} of ${id}`,
});

test('edited cells show their new values over rows of older versions', () => {
  const rows = [row('7', 'exp:4'), row('7', 'exp:5'), row('8', 'exp:4'), row('7', 'tag:x')];
  const source = { rowAt: (index: number) => rows[index], find: () => rows[0] } as unknown as RowSource;
  const overlaid = overlaySource(source, {
    '7/gloss': { rowId: '7', column: 'gloss', value: 'new', version: 5 },
  });
  expect(rows.map((_row, index) => overlaid.rowAt(index)?.value('gloss'))).toEqual([
    'new',
    'gloss of 7',
    'gloss of 8',
    'gloss of 7',
  ]);
  expect([overlaid.find('7')?.value('gloss'), overlaid.rowAt(0)?.value('title'), overlaid.rowAt(9)]).toEqual([
    'new',
    'title of 7',
    undefined,
  ]);
  expect(overlaySource(source, {})).toBe(source);
});
