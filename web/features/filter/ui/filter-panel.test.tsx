// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { Condition } from '../../../state/table-view.ts';
import { fakeLayout } from '../../../testing/layout.ts';
import { type Asked, fakeServer, renderApp } from '../../../testing/render-app.tsx';
import { openFilter } from '../store.ts';
import { FilterPanel } from './filter-panel.tsx';

const column = (name: string, type: string, role: ColumnInfo['role']): ColumnInfo => ({
  name,
  type,
  role,
  nullable: true,
  description: '',
  tags: [],
});
const columns = [
  column('category', 'utf8', 'label'),
  column('n', 'int64', 'number'),
  column('taken', 'timestamp[us]', 'time'),
];
const profile = {
  name: 'category',
  nulls: 0,
  distinct: 2,
  isDistinctExact: true,
  min: null,
  max: null,
  mean: null,
  quantiles: null,
  histogram: null,
  scope: 'all 218 rows',
  top: [
    { value: 'tools', rows: 38 },
    { value: 'fishes', rows: 28 },
  ],
};

let asked: Asked[] = [];
beforeAll(() => fakeLayout({ width: 800, height: 600 }));
beforeEach(() => {
  asked = fakeServer(({ path }) =>
    path.endsWith('/profile')
      ? { ref: { branch: 'main', version: 1 }, rows: 218, columns: [profile] }
      : { rows: 37, ref: { branch: 'main', version: 1 } },
  );
});
afterEach(cleanup);

function open(conditions: Condition[], at: Parameters<typeof openFilter>[0] = {}) {
  const onChange = vi.fn();
  openFilter(at);
  renderApp(
    <FilterPanel
      table="wonders"
      refText="main:1"
      columns={columns}
      conditions={conditions}
      onChange={onChange}
    />,
  );
  return onChange;
}

const apply = (name = 'Add') => fireEvent.click(screen.getByRole('button', { name }));

describe('the builder of conditions', () => {
  test('offers the frequent values with their counts, and says how many rows would be left', async () => {
    const onChange = open([{ sql: 'n > 3' }], { column: 'category' });
    fireEvent.click(await screen.findByRole('checkbox', { name: /fishes/ }));
    fireEvent.click(screen.getByRole('checkbox', { name: /tools/ }));
    expect(await screen.findByText('37 rows match')).toBeTruthy();
    expect(screen.getByText('Counts cover all 218 rows.')).toBeTruthy();
    const where = "(n > 3) AND (category in ('fishes', 'tools'))";
    await waitFor(() =>
      expect(asked.filter(({ path }) => path.endsWith('/count')).map(({ body }) => body)).toContainEqual({
        ref: 'main:1',
        where,
      }),
    );
    apply();
    expect(onChange).toHaveBeenCalledWith([{ sql: 'n > 3' }, { sql: "category in ('fishes', 'tools')" }]);
  });

  test('changes a condition that is there in its place', () => {
    const onChange = open([{ sql: 'n between 3 and 9007199254740993' }, { sql: 'taken is null' }], {
      index: 0,
    });
    const [from, to] = screen.getAllByRole('textbox');
    expect([(from as HTMLInputElement).value, (to as HTMLInputElement).value]).toEqual([
      '3',
      '9007199254740993',
    ]);
    fireEvent.change(from!, { target: { value: '-4' } });
    apply('Apply');
    expect(onChange).toHaveBeenCalledWith([
      { sql: 'n between -4 and 9007199254740993' },
      { sql: 'taken is null' },
    ]);
  });

  test('says what is wrong with a value, and does not apply it', () => {
    const onChange = open([{ sql: 'n = 3' }], { index: 0 });
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '3x' } });
    expect(screen.getByRole('alert').textContent).toContain('3x');
    apply('Apply');
    expect(onChange).not.toHaveBeenCalled();
  });

  test('takes SQL, with what is wrong at its place, and makes of it what the builder knows', async () => {
    const onChange = open([]);
    fireEvent.click(screen.getByRole('radio', { name: 'SQL' }));
    const text = screen.getByRole('textbox', { name: 'SQL condition' });
    fireEvent.change(text, { target: { value: "category = 'tools' and m > 3" } });
    const alert = await screen.findByRole('alert');
    expect([alert.textContent?.includes('no column “m”'), within(alert).getByText('m').tagName]).toEqual([
      true,
      'MARK',
    ]);
    fireEvent.keyDown(text, { key: 'Enter' });
    expect(onChange).not.toHaveBeenCalled();
    fireEvent.change(text, { target: { value: "category = 'tools' and n > 3" } });
    fireEvent.keyDown(text, { key: 'Enter' });
    expect(onChange).toHaveBeenCalledWith([{ sql: "category = 'tools'" }, { sql: 'n > 3' }]);
  });

  test('opens SQL that it has no form for as SQL', () => {
    open([{ sql: 'length(category) > 4' }], { index: 0 });
    expect((screen.getByRole('textbox', { name: 'SQL condition' }) as HTMLTextAreaElement).value).toBe(
      'length(category) > 4',
    );
  });

  test('builds or and not in groups, and opens them again', async () => {
    const onChange = open([{ sql: "category = 'tools' or not (n > 3 and taken is null)" }], { index: 0 });
    expect(screen.getAllByRole('combobox', { name: 'What must hold' }).map((one) => one.textContent)).toEqual(
      ['any of these holds', 'not all of these hold'],
    );
    fireEvent.click(screen.getAllByRole('button', { name: 'Remove the condition' })[0]!);
    fireEvent.change(screen.getByRole('textbox', { name: 'Value' }), { target: { value: '5' } });
    apply('Apply');
    expect(onChange).toHaveBeenCalledWith([{ sql: 'not (n > 5 and taken is null)' }]);
  });

  test('takes a pasted list of ten thousand values, and shows the first of them', () => {
    const onChange = open([], { column: 'n' });
    fireEvent.click(screen.getByRole('combobox', { name: 'Operator' }));
    fireEvent.click(screen.getByRole('option', { name: 'is any of' }));
    const field = screen.getByRole('textbox', { name: 'Value' });
    const values = Array.from({ length: 10_000 }, (_none, i) => i * 3);
    fireEvent.paste(field, { clipboardData: { getData: () => values.join('\n') } });
    expect(
      screen.getByText('and 9 960 more', { normalizer: (text) => text.replaceAll(/\s/g, ' ').trim() }),
    ).toBeTruthy();
    apply();
    expect(onChange).toHaveBeenCalledWith([{ sql: `n in (${values.join(', ')})` }]);
  });
});
