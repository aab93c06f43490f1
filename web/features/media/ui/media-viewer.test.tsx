// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { float64, int64, list, struct, utf8 } from '@uwdata/flechette';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableDetail } from '#shared/api/tables.ts';
import { clearSteps } from '../../../state/undo.ts';
import { arrowRows } from '../../../testing/arrow-rows.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeColumn, fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { createStaticSource, gridColumnsOf, mediaOfTable } from '../../grid/index.ts';
import { resetMediaLooks } from '../store.ts';
import { MediaViewer, type MediaViewerProps } from './media-viewer.tsx';

const boxType = struct({ bbox: list(float64()), category: utf8(), score: float64() });
const blob = { kind: 'image', sizeBytes: 2000n, contentType: 'image/png', hash: 'h' };
const rows = arrowRows(
  {
    _rowid: [5n, 6n],
    id: ['a', 'b'],
    image: [blob, blob],
    truth: [
      [
        { bbox: [10, 10, 40, 30], category: 'cat', score: null },
        { bbox: [100, 50, 20, 20], category: 'dog', score: null },
      ],
      [],
    ],
    found: [[{ bbox: [12, 10, 40, 30], category: 'cat', score: 0.9 }], []],
    note: ['# Title\n\n- one\n- two\n'.padEnd(240, ' x'), null],
  },
  { ref: 'fix:12' },
  {
    _rowid: int64(),
    image: struct({ kind: utf8(), sizeBytes: int64(), contentType: utf8(), hash: utf8() }),
    truth: list(boxType),
    found: list(boxType),
  },
);
const source = createStaticSource(rows);
const type = 'list<struct<bbox: list<float64>, category: utf8, score: float64>>';
const detailOf = (branch: string): TableDetail =>
  fakeDetail(branch, {
    name: 'scenes',
    columns: [
      fakeColumn('id', 'utf8', { role: 'key' }),
      fakeColumn('image', 'blob', { role: 'image' }),
      fakeColumn('truth', type),
      fakeColumn('found', type),
      fakeColumn('note', 'utf8', { role: 'text' }),
    ],
  });

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let version = 12;

beforeEach(() => {
  preparePage();
  resetMediaLooks();
  version = 12;
  HTMLCanvasElement.prototype.getContext = () => null;
  server = fakeServer({
    session: () => fakeSession(),
    mediaFacts: () => ({
      contentType: 'image/png',
      sizeBytes: 2000,
      width: 200,
      height: 100,
      facts: [{ name: 'camera', value: 'Acme One' }],
      takenAt: null,
    }),
    edit: () => ({
      version: ++version,
      changed: { inserted: 0, updated: 1, deleted: 0 },
      editId: `e${version}`,
    }),
    cropRows: () => ({ job: { id: 'j1' } }),
  });
});
afterEach(() => {
  clearSteps();
  page.close();
});

function open(branch = 'fix', over: Partial<MediaViewerProps> = {}) {
  const detail = detailOf(branch);
  const handlers = { onColumn: vi.fn(), onStep: vi.fn(), onClose: vi.fn() };
  page = renderPage(
    <main>
      <MediaViewer
        table="scenes"
        detail={detail}
        columns={gridColumnsOf(detail.columns, detail.key)}
        source={source}
        media={mediaOfTable('scenes')}
        row={source.rowAt(0)}
        error={null}
        column="image"
        index={0}
        total={2}
        {...handlers}
        {...over}
      />
    </main>,
    `/t/scenes?ref=${branch}`,
  );
  return handlers;
}

/** The picture has come, of 200 × 100 pixels. */
function loadPicture(): void {
  const image = screen.getByRole('img', { name: 'image' }) as HTMLImageElement;
  Object.defineProperties(image, { naturalWidth: { value: 200 }, naturalHeight: { value: 100 } });
  fireEvent.load(image);
}

const press = (key: string, more: Partial<KeyboardEventInit> = {}) =>
  fireEvent.keyDown(document.body, { key, ...more });
const drawn = () => screen.getByRole('img', { name: /annotations?$/ }).getAttribute('aria-label');
const listed = () =>
  within(screen.getByRole('list', { name: 'Annotations' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);

test('shows what is drawn, and hides classes, sets and low scores', () => {
  open();
  loadPicture();
  expect(drawn()).toBe('3 annotations');
  const classes = screen.getByRole('region', { name: 'Classes' });
  expect(
    within(classes)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['cat2', 'dog1']);
  fireEvent.click(within(classes).getByRole('checkbox', { name: 'cat' }));
  expect(drawn()).toBe('1 annotation');
  fireEvent.click(within(classes).getByRole('checkbox', { name: 'cat' }));
  fireEvent.click(screen.getByRole('button', { name: 'Hide found' }));
  expect(drawn()).toBe('2 annotations');
  press('o');
  expect(drawn()).toBe('0 annotations');
});

test('what is moved by keys is saved as one edit of the row, and undone before that', async () => {
  open();
  loadPicture();
  press('e');
  press(']');
  press('ArrowRight');
  press('ArrowDown', { shiftKey: true });
  expect(screen.getByText('2 changes')).toBeTruthy();
  press('z', { ctrlKey: true });
  expect(screen.getByText('1 change')).toBeTruthy();
  press('s', { ctrlKey: true });
  await waitFor(() => expect(server.callsOf('edit')).toHaveLength(1));
  expect(server.callsOf('edit')[0]?.body).toEqual({
    branch: 'fix',
    expectedVersion: 12,
    message: 'Moved cat in truth',
    ops: [
      {
        op: 'set',
        rows: { ids: ['5'] },
        values: {
          truth: [
            { bbox: [11, 10, 40, 30], category: 'cat', score: null },
            { bbox: [100, 50, 20, 20], category: 'dog', score: null },
          ],
        },
      },
    ],
  });
  expect(await screen.findByText('Moved cat in truth · fix')).toBeTruthy();
});

test('boxes are drawn, turned into others by keys and removed', async () => {
  open();
  loadPicture();
  press('e');
  press(']');
  press('Delete');
  press('a');
  press('Enter');
  expect(listed().slice(0, 2)).toEqual(['dogtruth20 × 20', 'dogtruth50 × 25']);
  press('ArrowRight', { altKey: true });
  expect(listed()[1]).toBe('dogtruth51 × 25');
  press('Escape');
  press('s', { ctrlKey: true });
  await waitFor(() => expect(server.callsOf('edit')).toHaveLength(1));
  expect(server.callsOf('edit')[0]?.body.message).toBe('3 changes to annotations');
});

test('a protected branch offers another first, and keeps the draft when one decides against it', async () => {
  open('main');
  loadPicture();
  press('e');
  press(']');
  press('ArrowRight');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'main is protected' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect([screen.getByText('1 change'), server.callsOf('edit')]).toEqual([expect.anything(), []]);
});

test('leaving a row saves what was changed on it', async () => {
  const { onStep } = open();
  loadPicture();
  press('j');
  await waitFor(() => expect(onStep.mock.calls).toEqual([[1]]));
  press('e');
  press(']');
  press('ArrowRight');
  press('j');
  await waitFor(() => expect(onStep).toHaveBeenCalledTimes(2));
  expect(server.callsOf('edit')).toHaveLength(1);
});

test('truth against prediction: matches, misses and false ones are counted', async () => {
  localStorage.setItem('curio.media.scenes', JSON.stringify({ truth: 'truth', prediction: 'found' }));
  open();
  loadPicture();
  const compared = screen.getByRole('region', { name: 'Truth and prediction' });
  expect(
    within(compared)
      .getAllByRole('definition')
      .map(({ textContent }) => textContent),
  ).toEqual(['1', '1', '0']);
  expect(listed()).toEqual(['✓ cattruth40 × 30', '− dogtruth20 × 20', '✓ catfound0.90 · 40 × 30']);
});

test('crops of what is shown become a job', async () => {
  open();
  loadPicture();
  fireEvent.click(screen.getByRole('button', { name: 'Crops…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Crops as rows of their own' });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cut 2 crops' }));
  await waitFor(() => expect(server.callsOf('cropRows')).toHaveLength(1));
  expect(server.callsOf('cropRows')[0]?.body).toMatchObject({
    ref: 'fix:12',
    media: 'image',
    rows: { ids: ['5'] },
    indexes: [0, 1],
    into: { table: 'scenes-crops' },
  });
});

test('facts stand beside the picture; a text is read in the way that suits it', async () => {
  open();
  loadPicture();
  expect(await screen.findByText('Acme One')).toBeTruthy();
  page.close();
  open('fix', { column: 'note' });
  expect(screen.getByRole('radio', { name: 'Markdown' })).toBeTruthy();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.trim().slice(0, 3))).toEqual([
    'one',
    'two',
  ]);
});

test('closes by its key, and what lies behind cannot be reached meanwhile', async () => {
  const { onClose } = open();
  expect(document.querySelector('main')?.inert).toBe(true);
  press('Escape');
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});
