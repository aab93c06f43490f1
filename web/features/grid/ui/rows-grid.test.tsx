// @vitest-environment jsdom

import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { int64, utf8 } from '@uwdata/flechette';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { emptySelection, isSelected, type RowSelection } from '../../../state/selection.ts';
import { arrowRows } from '../../../testing/arrow-rows.ts';
import { fakeLayout } from '../../../testing/layout.ts';
import { TooltipProvider } from '../../../ui/index.ts';
import { gridColumnsOf } from '../model/grid-column.ts';
import { plainLayout } from '../model/grid-layout.ts';
import type { SortState } from '../model/plan-sort.ts';
import { createStaticSource } from '../model/static-source.ts';
import { createWindowSource } from '../model/window-source.ts';
import { RowsGrid, type RowsGridProps } from './rows-grid.tsx';

beforeAll(() => fakeLayout({ width: 1200, height: 600 }));
afterEach(cleanup);

const info = (name: string, type: string, role: 'text' | 'number' | 'other' = 'other') => ({
  name,
  type,
  nullable: true,
  role,
  description: '',
  tags: [],
});
const columns = gridColumnsOf([
  info('name', 'utf8', 'text'),
  info('n', 'int64', 'number'),
  info('note', 'utf8', 'text'),
]);

const rowsOf = (count: number) => {
  const each = <T,>(make: (at: number) => T): T[] => Array.from({ length: count }, (_none, at) => make(at));
  return arrowRows(
    {
      _rowid: each((at) => BigInt(at + 1000)),
      name: each((at) => `row ${at}`),
      n: each((at) => 9007199254740993n + BigInt(at)),
      note: each((at) => (at % 3 === 0 ? null : at % 3 === 1 ? '' : 'text')),
    },
    { ref: 'main:1', total: 500, engine: 'lance' },
    { _rowid: int64(), name: utf8(), n: int64(), note: utf8() },
  );
};

function Harness(props: Partial<RowsGridProps>) {
  const [source] = useState(() => props.source ?? createStaticSource(rowsOf(500)));
  const [selection, setSelection] = useState<RowSelection>(emptySelection);
  const [sort, setSort] = useState<SortState>([]);
  const [layout, setLayout] = useState(plainLayout);
  return (
    <TooltipProvider>
      <RowsGrid
        columns={columns}
        layout={layout}
        onLayoutChange={setLayout}
        selection={selection}
        onSelect={setSelection}
        sort={sort}
        onSort={setSort}
        {...props}
        source={source}
      />
      <output data-testid="selected">
        {Array.from({ length: 12 }, (_none, at) => (isSelected(selection, String(1000 + at)) ? at : '')).join(
          '',
        )}
      </output>
      <output data-testid="sort">{JSON.stringify(sort)}</output>
    </TooltipProvider>
  );
}

const grid = () => screen.getByRole('grid', { name: 'Rows' });
const activeText = () =>
  document.getElementById(grid().getAttribute('aria-activedescendant') ?? '')?.textContent;
const press = (key: string, options = {}) => fireEvent.keyDown(grid(), { key, ...options });

describe('the grid of rows', () => {
  test('says how many rows there are, and which these are', () => {
    render(<Harness />);
    expect([grid().getAttribute('aria-rowcount'), grid().getAttribute('aria-colcount')]).toEqual([
      '500',
      '4',
    ]);
    const rows = within(grid())
      .getAllByRole('row')
      .filter((row) => row.hasAttribute('aria-rowindex'));
    expect(rows.map((row) => Number(row.getAttribute('aria-rowindex'))).slice(0, 3)).toEqual([1, 2, 3]);
    expect(rows.length).toBeLessThan(60);
    expect(
      within(rows[0]!)
        .getAllByRole('gridcell')
        .map((cell) => cell.textContent),
    ).toEqual(['1', 'row 0', '9\u2009007\u2009199\u2009254\u2009740\u2009993', 'null']);
    expect(within(rows[1]!).getByText('empty')).toBeTruthy();
  });

  test('is walked by keys, its header as well', () => {
    render(<Harness />);
    grid().focus();
    press('ArrowDown');
    expect(activeText()).toBe('row 0');
    press('ArrowDown');
    press('ArrowRight');
    expect(activeText()).toBe('9\u2009007\u2009199\u2009254\u2009740\u2009994');
    press('End');
    expect(activeText()).toBe('9\u2009007\u2009199\u2009254\u2009741\u2009492');
    press('Home', { ctrlKey: true });
    expect(activeText()).toBe('row 0');
    press('PageDown');
    expect(Number(activeText()?.replace('row ', ''))).toBeGreaterThan(10);
    press('Home');
    press('ArrowUp');
    expect(activeText()).toContain('name');
  });

  test('selects by x, by Shift and arrows, by Ctrl and by the box; Escape takes it back', async () => {
    render(<Harness />);
    grid().focus();
    press('ArrowDown');
    press('x');
    expect(screen.getByTestId('selected').textContent).toBe('0');
    press('ArrowDown');
    press('ArrowDown', { shiftKey: true });
    await waitFor(() => expect(screen.getByTestId('selected').textContent).toBe('012'));
    fireEvent.click(screen.getByText('row 5'), { ctrlKey: true });
    expect(screen.getByTestId('selected').textContent).toBe('0125');
    press('Escape');
    expect(screen.getByTestId('selected').textContent).toBe('');
    press('a', { ctrlKey: true });
    expect(screen.getByTestId('selected').textContent).toBe('01234567891011');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows' }));
    expect(screen.getByTestId('selected').textContent).toBe('');
  });

  test('a range shrinks as it grew, and leaves what was selected before it', async () => {
    render(<Harness />);
    const selected = () => screen.getByTestId('selected').textContent;
    grid().focus();
    press('ArrowDown');
    press('x');
    for (let at = 0; at < 3; at++) press('ArrowDown');
    press('ArrowDown', { shiftKey: true });
    press('ArrowDown', { shiftKey: true });
    await waitFor(() => expect(selected()).toBe('0345'));
    press('ArrowUp', { shiftKey: true });
    await waitFor(() => expect(selected()).toBe('034'));
    press('ArrowUp', { shiftKey: true });
    press('ArrowUp', { shiftKey: true });
    await waitFor(() => expect(selected()).toBe('023'));
  });

  test('a range to the end selects all but what is above, without asking for every row', async () => {
    const huge = 100_000_000;
    const asked: number[] = [];
    const source = {
      ...createStaticSource(rowsOf(500)),
      getState: () => state,
      idsOf: async (first: number, last: number) => {
        asked.push(last - first + 1);
        return Array.from({ length: last - first + 1 }, (_none, at) => String(1000 + first + at));
      },
    };
    const state = { ...createStaticSource(rowsOf(500)).getState(), total: huge };
    const onSelect = vi.fn();
    render(<Harness source={source} onSelect={onSelect} />);
    grid().focus();
    press('ArrowDown');
    press('End', { shiftKey: true });
    await waitFor(() => expect(onSelect.mock.lastCall).toEqual([{ kind: 'all', except: new Set() }]));
    press('Home');
    press('ArrowDown');
    press('ArrowDown');
    press('End', { shiftKey: true });
    await waitFor(() =>
      expect(onSelect.mock.lastCall).toEqual([{ kind: 'all', except: new Set(['1000', '1001']) }]),
    );
    expect(Math.max(...asked)).toBe(2);
  });

  test('copies the selected rows, or where none is, the cell', async () => {
    const onCopyRows = vi.fn();
    const writeText = vi.fn(async () => {});
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clipboard: { writeText } }));
    render(<Harness onCopyRows={onCopyRows} />);
    grid().focus();
    press('ArrowDown');
    press('c', { ctrlKey: true });
    await waitFor(() => expect(writeText).toHaveBeenCalledWith('row 0'));
    expect(onCopyRows).not.toHaveBeenCalled();
    press('x');
    press('c', { ctrlKey: true });
    expect(onCopyRows).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });

  test('opens a row by Space, Enter and a double click', () => {
    const onOpenRow = vi.fn();
    render(<Harness onOpenRow={onOpenRow} />);
    grid().focus();
    press('ArrowDown');
    press(' ');
    press('Enter');
    fireEvent.doubleClick(screen.getByText('row 4'));
    expect(onOpenRow.mock.calls.map(([row]) => row.id)).toEqual(['1000', '1000', '1004']);
  });

  test('sorts by a click on a header: up, down, not; with Shift by several', () => {
    render(<Harness />);
    const header = (name: string) => document.querySelector<HTMLElement>(`[data-column="${name}"] button`)!;
    const seen: string[] = [];
    for (const [name, options] of [
      ['name', {}],
      ['name', {}],
      ['n', { shiftKey: true }],
      ['name', { shiftKey: true }],
    ] as const) {
      fireEvent.click(header(name), options);
      seen.push(screen.getByTestId('sort').textContent ?? '');
    }
    expect(seen).toEqual([
      '[{"column":"name"}]',
      '[{"column":"name","desc":true}]',
      '[{"column":"name","desc":true},{"column":"n"}]',
      '[{"column":"n"}]',
    ]);
  });

  test('edits the active cell by e, and gives the focus back', () => {
    render(
      <Harness
        editor={({ value, close }) => (
          <button type="button" onClick={close}>{`editing ${String(value)}`}</button>
        )}
      />,
    );
    grid().focus();
    press('ArrowDown');
    press('e');
    fireEvent.click(screen.getByText('editing row 0'));
    expect(screen.queryByText('editing row 0')).toBeNull();
    expect(document.activeElement).toBe(grid());
  });

  test('keys meet the row that was made the active one, also when other rows came before it meanwhile', () => {
    const rowsIn = (ids: bigint[]) =>
      createStaticSource(
        arrowRows(
          { _rowid: ids, name: ids.map((id) => `row ${id}`), n: ids, note: ids.map(() => null) },
          { ref: 'main:1', total: ids.length, engine: 'lance' },
          { _rowid: int64(), name: utf8(), n: int64(), note: utf8() },
        ),
      );
    let selection: RowSelection = emptySelection;
    const shown = (ids: bigint[]) => (
      <TooltipProvider>
        <RowsGrid
          source={rowsIn(ids)}
          columns={columns}
          layout={plainLayout}
          onLayoutChange={() => {}}
          selection={selection}
          onSelect={(next) => {
            selection = next;
          }}
        />
      </TooltipProvider>
    );
    const { rerender } = render(shown([1n, 2n, 3n, 4n]));
    fireEvent.click(screen.getByText('row 3'));
    rerender(shown([1n, 4n, 2n, 3n]));
    press('x');
    expect(['1', '2', '3', '4'].filter((id) => isSelected(selection, id))).toEqual(['3']);
    expect(activeText()).toBe('row 3');
  });

  test('a text that came cut says its size, is copied whole, and is edited where all of it is', async () => {
    const rows = arrowRows(
      { _rowid: [7n], name: ['the beginning of'], n: [1n], note: [null], _cut: ['{"name":5242880}'] },
      { ref: 'main:1', total: 1, engine: 'lance' },
      { _rowid: int64(), name: utf8(), n: int64(), note: utf8(), _cut: utf8() },
    );
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    const onOpenRow = vi.fn();
    render(
      <Harness
        source={createStaticSource(rows)}
        wholeValue={async () => 'the beginning of a long text'}
        onOpenRow={onOpenRow}
        editor={() => <p>an editor</p>}
      />,
    );
    expect(screen.getByText('5.2 MB')).toBeTruthy();
    grid().focus();
    press('ArrowDown');
    press('c', { ctrlKey: true });
    await waitFor(() => expect(writeText).toHaveBeenCalledWith('the beginning of a long text'));
    press('e');
    expect([onOpenRow.mock.calls[0]?.[0].id, screen.queryByText('an editor')]).toEqual(['7', null]);
    vi.unstubAllGlobals();
  });

  test('shows what went wrong in its place, with a way to try again', async () => {
    const error = new AppError({
      code: 'ENGINE_CRASHED',
      message: 'The engine stopped.',
      hint: 'Try a simpler filter.',
    });
    const load = vi.fn().mockRejectedValueOnce(error).mockResolvedValue(rowsOf(256));
    render(<Harness source={createWindowSource({ load })} />);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('The engine stopped.');
    expect(alert.textContent).toContain('Try a simpler filter.');
    fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('row 3')).toBeTruthy();
  });

  test('an empty result says so', async () => {
    render(<Harness source={createStaticSource(rowsOf(0))} empty={<p>No rows match</p>} />);
    expect(await screen.findByText('No rows match')).toBeTruthy();
    expect(grid().getAttribute('aria-rowcount')).toBe('0');
  });
});
