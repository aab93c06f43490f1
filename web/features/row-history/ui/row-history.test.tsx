// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { int64, utf8 } from '@uwdata/flechette';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { openCellHistory } from '../../../state/cell-history.ts';
import { clearSteps } from '../../../state/undo.ts';
import { arrowBytes } from '../../../testing/arrow-rows.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { fakeCellStep, fakeEvent, fakeRowHistory } from '../testing/fake-history.ts';
import { CellHistoryButton } from './cell-history-button.tsx';
import { RowHistoryPanel } from './row-history-panel.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;

const merged = fakeEvent({
  ref: { branch: 'main', version: 10 },
  kind: 'merge',
  message: null,
  author: 'bob',
  review: 'r7',
  mergedFrom: { branch: 'exp', version: 3 },
  before: { ref: { branch: 'main', version: 9 }, rowId: '10' },
  origin: [fakeEvent({ ref: { branch: 'exp', version: 3 } })],
});
const picture = (sizeBytes: number) => ({
  kind: 'image',
  sizeBytes,
  contentType: null,
  hash: null,
  url: null,
});
const whole = [
  merged,
  fakeEvent({
    ref: { branch: 'main', version: 8 },
    cells: [fakeCellStep({ column: 'image', type: 'blob', before: picture(1000), after: picture(2000) })],
  }),
  fakeEvent({
    ref: { branch: 'main', version: 1 },
    change: 'added',
    kind: 'create',
    author: null,
    message: null,
    before: null,
    cells: [
      fakeCellStep({ before: null, after: 'cat' }),
      fakeCellStep({ column: 'n', before: null, after: null }),
    ],
  }),
];

function open(answers: Parameters<typeof fakeServer>[0] = {}, column?: string, detail = fakeDetail('fix')) {
  server = fakeServer({ session: () => fakeSession(), rowHistory: () => fakeRowHistory(whole), ...answers });
  const row = { table: 'wonders', detail, pinnedRef: 'fix:12', rowId: '10' };
  page = renderPage(column ? <CellHistoryButton {...row} column={column} /> : <RowHistoryPanel {...row} />);
}

beforeEach(preparePage);
afterEach(() => {
  clearSteps();
  page.close();
});

const event = (name: RegExp) => within(screen.getByRole('listitem', { name }));

async function choose(ref: string, item: string): Promise<void> {
  const button = screen.getByRole('button', { name: `Actions for ${ref}` });
  fireEvent.pointerDown(button, { button: 0, ctrlKey: false });
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
}

test('says what became what, by whom, when, and where it came from', async () => {
  open();
  expect(await screen.findByText('3 changes · all of its history')).toBeTruthy();
  const merge = event(/Merged exp, main:10/);
  expect(merge.getAllByText('bob').length).toBe(1);
  expect(merge.getByRole('link', { name: 'review #r7' }).getAttribute('href')).toBe('/reviews/r7');
  const origin = within(merge.getByRole('region', { name: 'On exp' }));
  expect([origin.getByText('ann'), origin.getByText('label, as above')].every(Boolean)).toBe(true);
  expect(origin.getByRole('link', { name: 'exp:3' }).getAttribute('href')).toBe(
    '/t/wonders?ref=exp%3A3&row=10',
  );
  const created = event(/Table created, main:1/);
  expect([created.getByText('cat'), created.getByText('Row added')].every(Boolean)).toBe(true);
  expect(created.queryByText('n')).toBeNull();
});

test('pictures are shown before and after, each from the version where it lay', async () => {
  open();
  const before = await screen.findByRole('img', { name: 'image before' });
  const after = screen.getByRole('img', { name: 'image after' });
  expect(decodeURIComponent(before.getAttribute('src') ?? '')).toContain('ref=fix:11');
  expect(decodeURIComponent(after.getAttribute('src') ?? '')).toContain('ref=fix:12');
});

test('a cell is asked for alone when its clock is opened, not before', async () => {
  open({}, 'label');
  expect(server.callsOf('rowHistory')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'History of label' }));
  expect(await screen.findByRole('list', { name: 'History of label' })).toBeTruthy();
  expect(server.callsOf('rowHistory')[0]?.body).toEqual({ ref: 'fix:12', rowId: '10', column: 'label' });
});

test('is opened from elsewhere, once', async () => {
  open({}, 'label');
  act(() => openCellHistory({ rowId: '10', column: 'label' }));
  expect(await screen.findByRole('list', { name: 'History of label' })).toBeTruthy();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('list', { name: 'History of label' })).toBeNull());
});

test('a cell is set back to what it was, as one edit that can be undone', async () => {
  open({
    rowsPost: () => arrowBytes({ _rowid: [10n], label: ['cat'] }, { _rowid: int64(), label: utf8() }),
    edit: () => ({ version: 13, changed: { inserted: 0, updated: 1, deleted: 0 }, editId: 'e2' }),
    undo: () => ({ version: 14, changed: { inserted: 0, updated: 1, deleted: 0 }, editId: 'u1' }),
  });
  await screen.findByText('3 changes · all of its history');
  await choose('main:10', 'Set label back to what it was before');
  await waitFor(() => expect(server.callsOf('edit')).toHaveLength(1));
  expect(server.callsOf('rowsPost')[0]?.body).toMatchObject({ ref: 'main:9', columns: ['label'] });
  expect(server.callsOf('edit')[0]?.body).toMatchObject({
    branch: 'fix',
    ops: [{ op: 'set', rows: { ids: ['10'] }, values: { label: 'cat' } }],
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(server.callsOf('undo')[0]?.body).toEqual({ branch: 'fix', editId: 'e2' }));
});

test('the table is opened at the version that did it', async () => {
  open();
  await screen.findByText('3 changes · all of its history');
  await choose('exp:3', 'Open the table at exp:3');
  expect(location.search).toBe('?ref=exp%3A3&row=10');
});

test('on a protected branch a branch is offered first', async () => {
  open({}, undefined, fakeDetail('main'));
  await screen.findByText('3 changes · all of its history');
  server.set('rowsPost', () =>
    arrowBytes({ _rowid: [10n], label: ['cat'] }, { _rowid: int64(), label: utf8() }),
  );
  await choose('main:10', 'Set label back to what it was before');
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(server.callsOf('edit')).toEqual([]);
});

test('goes on further back by its cursor, and says how far it looked', async () => {
  open({
    rowHistory: ({ body }) =>
      body.cursor
        ? fakeRowHistory([whole[2]!])
        : fakeRowHistory([merged], {
            cursor: 'next',
            end: 'more',
            lookedBackTo: { branch: 'main', version: 9 },
          }),
  });
  expect(await screen.findByText('1 change · looked back to main:9')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Look further back' }));
  expect(await screen.findByText('2 changes · all of its history')).toBeTruthy();
});

test('an error stands in its place with a way to try again', async () => {
  let isBroken = true;
  open({
    rowHistory: () => {
      if (isBroken) throw new AppError({ code: 'GONE', message: 'It has been cleaned up.' });
      return fakeRowHistory([]);
    },
  });
  expect((await screen.findByRole('alert')).textContent).toContain('It has been cleaned up.');
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: /try again/i }));
  expect(await screen.findByText('Nothing changed it')).toBeTruthy();
});
