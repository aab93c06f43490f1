// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { countSelected, emptySelection, type RowSelection } from '../../../state/selection.ts';
import { fakeLayout } from '../../../testing/layout.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { type GridColumn, gridColumnsOf } from '../model/grid-column.ts';
import { plainLayout } from '../model/grid-layout.ts';
import { groupSource } from '../model/grouped-source.ts';
import type { GridRow, RowSource } from '../model/row-source.ts';
import { RowsGrid } from './rows-grid.tsx';

beforeAll(() => fakeLayout({ width: 900, height: 600 }));
afterEach(cleanup);

const labels = ['cat', 'cat', 'cat', 'dog', 'dog'];
const rows = labels.map(
  (label, index): GridRow => ({
    index,
    id: String(index),
    ref: 'main:1',
    value: (name) => (name === 'label' ? label : index),
  }),
);
const state = { total: rows.length, facts: null, isLoading: false, error: null, revision: 1 };
const source: RowSource = {
  subscribe: () => () => {},
  getState: () => state,
  rowAt: (index) => rows[index],
  find: (id) => rows[Number(id)],
  show: () => {},
  idsOf: async (first, last) => rows.slice(first, last + 1).map(({ id }) => id),
  retry: () => {},
  close: () => {},
};
const columns: GridColumn[] = gridColumnsOf(
  [{ name: 'label', type: 'utf8', nullable: true, role: 'label', description: '', tags: [] }],
  [],
);
const groups = [
  { id: '0', value: 'cat', start: 0, rows: 3 },
  { id: '3', value: 'dog', start: 3, rows: 2 },
];

function Grouped({ onSelected }: { onSelected: (count: number) => void }) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [selection, setSelection] = useState<RowSelection>(emptySelection);
  return (
    <RowsGrid
      source={groupSource(source, { groups, folded })}
      columns={columns}
      layout={plainLayout}
      onLayoutChange={() => {}}
      group={{
        column: columns[0]!,
        onFold: ({ id, isFolded }) =>
          setFolded(
            (before) => new Set(isFolded ? [...before].filter((one) => one !== id) : [...before, id]),
          ),
      }}
      selection={selection}
      onSelect={(next) => {
        setSelection(next);
        onSelected(countSelected(next, rows.length));
      }}
    />
  );
}

const heads = () => screen.getAllByRole('row').filter((row) => row.hasAttribute('aria-expanded'));

test('heads say the value and the number of rows, fold by click and Enter, and select their rows by x', async () => {
  let selected = 0;
  renderApp(<Grouped onSelected={(count) => (selected = count)} />);
  const grid = screen.getByRole('grid', { name: 'Rows' });
  expect(grid.getAttribute('aria-rowcount')).toBe('7');
  expect(heads().map((head) => [head.textContent, head.getAttribute('aria-expanded')])).toEqual([
    ['labelcat3 rows', 'true'],
    ['labeldog2 rows', 'true'],
  ]);
  fireEvent.click(heads()[0]!);
  expect(heads()[0]?.getAttribute('aria-expanded')).toBe('false');
  expect(grid.getAttribute('aria-rowcount')).toBe('4');
  expect(screen.getAllByText('dog').length).toBe(3);
  fireEvent.keyDown(grid, { key: 'x' });
  await waitFor(() => expect(selected).toBe(3));
  fireEvent.keyDown(grid, { key: 'ArrowDown' });
  fireEvent.keyDown(grid, { key: 'Enter' });
  expect(heads().map((head) => head.getAttribute('aria-expanded'))).toEqual(['false', 'false']);
  expect(grid.getAttribute('aria-activedescendant')).toBe(heads()[1]?.querySelector('[role=gridcell]')?.id);
});
