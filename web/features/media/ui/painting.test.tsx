// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { int64, list, struct, utf8 } from '@uwdata/flechette';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableDetail } from '#shared/api/tables.ts';
import { clearSteps } from '../../../state/undo.ts';
import { arrowRows } from '../../../testing/arrow-rows.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeColumn, fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { createStaticSource, gridColumnsOf, mediaOfTable } from '../../grid/index.ts';
import { parsePng } from '../model/png-mask.ts';
import { resetMediaLooks } from '../store.ts';
import { MediaViewer } from './media-viewer.tsx';

const blob = { kind: 'image', sizeBytes: 2000n, contentType: 'image/png', hash: 'h' };
const runs = struct({ size: list(int64()), counts: list(int64()) });
const source = createStaticSource(
  arrowRows(
    {
      _rowid: [5n],
      image: [blob],
      people: [[{ keypoints: [10n, 10n, 2n, 0n, 0n, 0n, 15n, 8n, 1n], category: 'hand' }]],
      areas: [[{ segmentation: { size: [10n, 20n], counts: [200n] }, category: 'sky' }]],
      mask: [null],
    },
    { ref: 'fix:12' },
    {
      _rowid: int64(),
      image: struct({ kind: utf8(), sizeBytes: int64(), contentType: utf8(), hash: utf8() }),
      people: list(struct({ keypoints: list(int64()), category: utf8() })),
      areas: list(struct({ segmentation: runs, category: utf8() })),
      mask: struct({ kind: utf8(), sizeBytes: int64(), contentType: utf8(), hash: utf8() }),
    },
  ),
);
const detail: TableDetail = fakeDetail('fix', {
  name: 'scenes',
  columns: [
    fakeColumn('image', 'blob', { role: 'image' }),
    fakeColumn('people', 'list<struct<keypoints: list<int64>, category: utf8>>'),
    fakeColumn(
      'areas',
      'list<struct<segmentation: struct<size: list<int64>, counts: list<int64>>, category: utf8>>',
    ),
    fakeColumn('mask', 'blob', { role: 'mask' }),
  ],
});

let server: FakeServer;
let page: ReturnType<typeof renderPage>;

beforeEach(() => {
  preparePage();
  resetMediaLooks();
  HTMLCanvasElement.prototype.getContext = () => null;
  HTMLCanvasElement.prototype.toDataURL = () => '';
  server = fakeServer({
    session: () => fakeSession(),
    mediaFacts: () => ({
      contentType: 'image/png',
      sizeBytes: 2000,
      width: 20,
      height: 10,
      facts: [],
      takenAt: null,
    }),
    edit: () => ({ version: 13, changed: { inserted: 0, updated: 1, deleted: 0 }, editId: 'e13' }),
  });
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
        total={1}
        onColumn={vi.fn()}
        onStep={vi.fn()}
        onClose={vi.fn()}
      />
    </main>,
    '/t/scenes?ref=fix',
  );
  const image = screen.getByRole('img', { name: 'image' }) as HTMLImageElement;
  Object.defineProperties(image, { naturalWidth: { value: 20 }, naturalHeight: { value: 10 } });
  fireEvent.load(image);
  press('e');
});
afterEach(() => {
  clearSteps();
  page.close();
});

const press = (key: string, more: Partial<KeyboardEventInit> = {}) =>
  fireEvent.keyDown(document.body, { key, ...more });
const points = () =>
  within(screen.getByRole('list', { name: 'Keypoints' }))
    .getAllByRole('button', { pressed: undefined })
    .flatMap(({ textContent }) => textContent || []);
const saved = async () => {
  press('s', { ctrlKey: true });
  await waitFor(() => expect(server.callsOf('edit')).toHaveLength(1));
  const [call] = server.callsOf('edit');
  const { message, ops } = call!.body as { message: string; ops: { values: Record<string, unknown> }[] };
  return { message, values: ops[0]?.values };
};

test('a keypoint that was not placed is placed by keys, hidden, and written as it was', async () => {
  press(']');
  expect(points()).toEqual(['point 1seen', 'point 2not placed', 'point 3hidden']);
  press('p');
  expect(screen.getByText('Click where point 2 is')).toBeTruthy();
  press('Enter');
  press('h');
  expect(points()).toEqual(['point 1seen', 'point 2hidden', 'point 3hidden']);
  const { values } = await saved();
  expect(values).toEqual({
    people: [{ keypoints: [10, 10, 2, 10, 5, 1, 15, 8, 1], category: 'hand' }],
  });
});

test('a mask of runs is painted and stays one, its brush changed by keys', async () => {
  press(']');
  press(']');
  press('b');
  const size = () => screen.getByText(/^\d+ px$/).textContent;
  expect(size()).toBe('3 px');
  press(']');
  press(']');
  expect(size()).toBe('5 px');
  press('[');
  press('Enter');
  press('x');
  press('[');
  press('[');
  press('[');
  press('Enter');
  expect(screen.getByText('2 changes')).toBeTruthy();
  press('z', { ctrlKey: true });
  const { message, values } = await saved();
  expect(message).toBe('Painted sky in areas');
  expect(values).toEqual({
    areas: [{ segmentation: { size: [10, 20], counts: [84, 2, 7, 4, 6, 4, 7, 2, 84] }, category: 'sky' }],
  });
});

test('an empty mask cell is painted and saved as a grey PNG', async () => {
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Edited set' }), { key: 'Enter' });
  fireEvent.click(await screen.findByRole('option', { name: 'mask' }));
  press('w');
  press('Enter');
  expect(await screen.findByText('200 px')).toBeTruthy();
  const { message, values } = await saved();
  expect(message).toBe('Painted 1 in mask');
  const { base64 } = (values as { mask: { base64: string } }).mask;
  const png = await parsePng(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  expect(png).toMatchObject({ width: 20, height: 10, colourType: 0, bitDepth: 8 });
  expect([...png.values]).toEqual(Array.from({ length: 200 }, () => 1));
});

test('a mask that is a picture is compared with shapes, its classes listed as they are painted', async () => {
  const choose = async (label: string, option: string) => {
    fireEvent.keyDown(screen.getByRole('combobox', { name: label }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('option', { name: option }));
  };
  await choose('Truth', 'areas');
  await choose('Prediction', 'mask');
  const figures = () =>
    within(screen.getByRole('region', { name: 'Truth and prediction' }))
      .getAllByRole('definition')
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(figures()).toEqual(['0', '1', '0']));
  await choose('Edited set', 'mask');
  press('w');
  press('Enter');
  await waitFor(() => expect(figures()).toEqual(['0', '1', '1']));
  const listed = within(screen.getByRole('list', { name: 'Annotations' })).getAllByRole('button');
  expect(listed.map(({ textContent }) => textContent)).toContain('+ 1mask20 × 10');
  expect(screen.getByText(/Counted are classes/)).toBeTruthy();
});
