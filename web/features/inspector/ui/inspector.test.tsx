// @vitest-environment jsdom

import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { fixedSizeList, float32, int64, list, timestamp, utf8 } from '@uwdata/flechette';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../../../state/commands.ts';
import { arrowBytes, arrowRows } from '../../../testing/arrow-rows.ts';
import { fakeLayout } from '../../../testing/layout.ts';
import { type Asked, fakeServer, renderApp } from '../../../testing/render-app.tsx';
import { createStaticSource, gridColumnsOf } from '../../grid/index.ts';
import { Inspector, type InspectorProps } from './inspector.tsx';

const types = {
  _rowid: int64(),
  title: utf8(),
  big: int64(),
  note: utf8(),
  tags: list(utf8()),
  taken: timestamp(2, 'UTC'),
  vector: fixedSizeList(float32(), 3),
};
const data = {
  _rowid: [10n, 11n],
  title: ['Petra', 'Pliers'],
  big: [9007199254740993n, -1n],
  note: [null, ''],
  tags: [['a', ''], []],
  taken: [1714744931123, null],
  vector: [
    [1, 0, 0],
    [0, 1, 0],
  ],
};
const info = (
  name: string,
  type: string,
  role: 'text' | 'number' | 'time' | 'vector' | 'other' = 'other',
) => ({ name, type, role, nullable: true, description: '', tags: [] });
const columns = gridColumnsOf([
  info('title', 'utf8', 'text'),
  info('big', 'int64', 'number'),
  info('note', 'utf8', 'text'),
  info('tags', 'list<utf8>'),
  info('taken', 'timestamp[us, UTC]', 'time'),
  info('vector', 'fixed_size_list<float32>[3]', 'vector'),
]);

let asked: Asked[] = [];
beforeAll(() => fakeLayout({ width: 400, height: 800 }));
beforeEach(() => {
  localStorage.clear();
  asked = fakeServer(({ path }) =>
    path.includes('/search')
      ? arrowBytes(
          { _rowid: [10n, 11n], title: ['Petra', 'Pliers'], _distance: [0, 0.4] },
          { _rowid: int64(), _distance: float32() },
        )
      : Response.json(
          { type: 'about:blank', title: 'Not found', status: 404, code: 'NOT_FOUND', detail: 'gone' },
          { status: 404 },
        ),
  );
});
afterEach(cleanup);

function show(props: Partial<InspectorProps> = {}) {
  const handlers = { onStep: vi.fn(), onGo: vi.fn(), onSearchSimilar: vi.fn(), onClose: vi.fn() };
  const source = createStaticSource(arrowRows(data, { ref: 'main:1' }, types));
  renderApp(
    <Inspector
      table="wonders"
      detail={undefined}
      columns={columns}
      source={source}
      pinnedRef="main:1"
      rowId="10"
      index={0}
      total={2}
      {...handlers}
      {...props}
    />,
  );
  return handlers;
}

const panel = () => screen.getByRole('complementary', { name: 'Row' });
const shownOf = (name: string) =>
  within(panel()).getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

test('shows every column in full, exactly', () => {
  show();
  expect([
    within(panel()).getByRole('heading').textContent,
    shownOf('big'),
    shownOf('note'),
    shownOf('tags'),
  ]).toEqual(['Petra', '9\u2009007\u2009199\u2009254\u2009740\u2009993', 'null', 'aempty']);
  expect(shownOf('taken')).toContain('2024-05-03T14:02:11.123000Z');
  expect(shownOf('vector')).toContain('3 dimensions · length 1');
});

test('steps to the rows beside it by keys and buttons, and not past the ends', () => {
  const { onStep, onClose } = show();
  runCommand('row.next');
  runCommand('row.previous');
  fireEvent.click(within(panel()).getByRole('button', { name: 'Next row' }));
  fireEvent.click(within(panel()).getByRole('button', { name: 'Previous row' }));
  runCommand('row.close');
  expect([onStep.mock.calls, onClose.mock.calls.length]).toEqual([[[1], [1]], 1]);
});

test('offers the rows like it, itself left out', async () => {
  const { onGo, onSearchSimilar } = show();
  const similar = within(panel()).getByRole('region', { name: 'Similar rows' });
  fireEvent.click(await within(similar).findByRole('button', { name: 'Pliers' }));
  expect(within(similar).queryByRole('button', { name: 'Petra' })).toBeNull();
  fireEvent.click(within(similar).getByRole('button', { name: 'Show all' }));
  expect([onGo.mock.calls, onSearchSimilar.mock.calls]).toEqual([[['11']], [['10', 'vector']]]);
  expect(asked.find(({ path }) => path.includes('/search'))?.body).toEqual({
    ref: 'main:1',
    mode: 'vector',
    rowId: '10',
    column: 'vector',
    columns: ['title'],
    k: 13,
  });
});

test('asks alone for a row that is not among those that are there, and says when it is gone', async () => {
  show({ rowId: '99', index: null });
  await waitFor(() => expect(within(panel()).getByRole('alert').textContent).toContain('gone'));
  expect(asked[0]?.body).toEqual({ ref: 'main:1', where: '_rowid = 99', limit: 1 });
});
