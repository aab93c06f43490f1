// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { float64, int64, list, struct, utf8 } from '@uwdata/flechette';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Selection } from '#shared/domain/selection.ts';
import { arrowRows } from '../../../testing/arrow-rows.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeColumn, fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { createStaticSource, gridColumnsOf } from '../../grid/index.ts';
import { changeMediaLook, resetMediaLooks } from '../store.ts';
import { SelectionCrops } from './selection-crops.tsx';

const type = 'list<struct<bbox: list<float64>, category: utf8>>';
const source = createStaticSource(
  arrowRows(
    { _rowid: [5n], objects: [[{ bbox: [1, 2, 3, 4.5], category: 'cat' }]] },
    { ref: 'fix:12' },
    { _rowid: int64(), objects: list(struct({ bbox: list(float64()), category: utf8() })) },
  ),
);

let server: FakeServer;
let page: ReturnType<typeof renderPage> | null = null;

beforeEach(() => {
  preparePage();
  resetMediaLooks();
  server = fakeServer({ session: () => fakeSession(), cropRows: () => ({ job: { id: 'j1' } }) });
});
afterEach(() => page?.close());

function open(selection: Selection, annotated = type) {
  const detail = fakeDetail('fix', {
    name: 'scenes',
    columns: [
      fakeColumn('image', 'blob', { role: 'image' }),
      fakeColumn(annotated === type ? 'objects' : 'note', annotated),
    ],
  });
  page = renderPage(
    <SelectionCrops
      table="scenes"
      detail={detail}
      columns={gridColumnsOf(detail.columns, detail.key)}
      source={source}
      pinnedRef="fix:12"
      selection={selection}
      count={3}
    />,
    '/t/scenes?ref=fix',
  );
}

test('the annotations of what is selected are cut, by the filter of classes and scores', async () => {
  changeMediaLook('scenes', { minScore: 0.5, hiddenClasses: ['dog'] });
  open({ where: 'id > 3' });
  fireEvent.click(screen.getByRole('button', { name: 'Crops…' }));
  expect(await screen.findByText(/score from 0.50 on.*not of the 1 hidden class/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cut those of 3 rows' }));
  await waitFor(() => expect(server.callsOf('cropRows')).toHaveLength(1));
  expect(server.callsOf('cropRows')[0]?.body).toMatchObject({
    ref: 'fix:12',
    rows: { where: 'id > 3' },
    media: 'image',
    layout: { column: 'objects', many: 'list' },
    minScore: 0.5,
    exceptLabels: ['dog'],
    into: { table: 'scenes-crops' },
  });
});

test('more rows than can be named are not begun', () => {
  open({ ids: Array.from({ length: 10_001 }, (_none, at) => String(at)) });
  fireEvent.click(screen.getByRole('button', { name: 'Crops…' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('tables without annotations offer nothing', () => {
  open({ all: true }, 'utf8');
  expect(screen.queryByRole('button', { name: 'Crops…' })).toBeNull();
});
