// @vitest-environment jsdom

import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { int64, struct, utf8 } from '@uwdata/flechette';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { countSelected, emptySelection, type RowSelection } from '../../../state/selection.ts';
import { arrowRows } from '../../../testing/arrow-rows.ts';
import { fakeLayout } from '../../../testing/layout.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { createStaticSource, gridColumnsOf, mediaOfTable, plainLayout } from '../../grid/index.ts';
import { Gallery, type GalleryProps } from './gallery.tsx';

const info = (name: string, type: string, role: 'image' | 'text' | 'number') => ({
  name,
  type,
  role,
  nullable: true,
  description: '',
  tags: [],
});
const columns = gridColumnsOf([
  info('image', 'blob', 'image'),
  info('title', 'utf8', 'text'),
  info('width', 'int32', 'number'),
  info('height', 'int32', 'number'),
]);
const count = 60;
const each = <T,>(make: (at: number) => T): T[] => Array.from({ length: count }, (_none, at) => make(at));
const rows = () =>
  arrowRows(
    {
      _rowid: each((at) => BigInt(at + 100)),
      image: each((at) =>
        at === 1 ? null : { kind: 'image', sizeBytes: 10, contentType: 'image/png', hash: null },
      ),
      title: each((at) => `picture ${at}`),
      width: each(() => 400),
      height: each(() => 300),
    },
    { ref: 'main:1' },
    {
      _rowid: int64(),
      image: struct({ kind: utf8(), sizeBytes: int64(), contentType: utf8(), hash: utf8() }),
      title: utf8(),
    },
  );

beforeAll(() => fakeLayout({ width: 1000, height: 700 }));
beforeEach(() => localStorage.clear());
afterEach(cleanup);

const onOpenRow = vi.fn();
function Harness(props: Partial<GalleryProps>) {
  const [source] = useState(() => createStaticSource(rows()));
  const [selection, setSelection] = useState<RowSelection>(emptySelection);
  const [active, setActive] = useState<number | null>(null);
  return (
    <>
      <Gallery
        table="wonders"
        source={source}
        columns={columns}
        layout={plainLayout}
        media={mediaOfTable('wonders')}
        selection={selection}
        onSelect={setSelection}
        activeRow={active}
        onActiveRow={(_row, index) => setActive(index)}
        onOpenRow={onOpenRow}
        {...props}
      />
      <output>{`${active} · ${countSelected(selection, count)}`}</output>
    </>
  );
}

const gallery = () => screen.getByRole('list', { name: 'Gallery' });
const state = () => document.querySelector('output')?.textContent;
const press = (key: string, options = {}) => fireEvent.keyDown(gallery(), { key, ...options });

test('is a list of pictures with their names and places', () => {
  renderApp(<Harness />);
  const items = within(gallery()).getAllByRole('listitem');
  expect(items.map((item) => item.getAttribute('aria-posinset')).slice(0, 3)).toEqual(['1', '2', '3']);
  expect(items[0]?.getAttribute('aria-setsize')).toBe('60');
  expect(within(items[0]!).getByRole('img', { name: 'picture 0' }).getAttribute('src')).toMatch(
    /thumbs\/image\/100\?ref=main%3A1&size=\d+$/,
  );
  expect(within(items[1]!).getByText('null')).toBeTruthy();
});

test('is walked, selected and opened by keys', async () => {
  onOpenRow.mockReset();
  renderApp(<Harness />);
  gallery().focus();
  press('ArrowRight');
  press('x');
  expect(state()).toBe('0 · 1');
  press('ArrowRight', { shiftKey: true });
  press('ArrowRight', { shiftKey: true });
  await vi.waitFor(() => expect(state()).toBe('2 · 3'));
  press('Enter');
  expect(onOpenRow.mock.calls.map(([row]) => row.id)).toEqual(['102']);
  press('End');
  expect(state()).toBe('59 · 3');
  press('a', { ctrlKey: true });
  expect(state()).toBe('59 · 60');
  press('Escape');
  expect(state()).toBe('59 · 0');
});

test('sweeping over the marks selects; a double click opens', () => {
  onOpenRow.mockReset();
  renderApp(<Harness />);
  const items = within(gallery()).getAllByRole('listitem');
  fireEvent.pointerDown(within(items[0]!).getByRole('checkbox'), { button: 0, buttons: 1 });
  fireEvent.pointerOver(items[2]!, { buttons: 1 });
  fireEvent.pointerUp(items[2]!);
  fireEvent.pointerOver(items[3]!, { buttons: 0 });
  expect(state()).toContain('· 2');
  fireEvent.doubleClick(items[4]!);
  expect(onOpenRow.mock.calls.map(([row]) => row.id)).toEqual(['104']);
});

test('a table without media says so, with a way out', () => {
  renderApp(<Harness columns={columns.slice(1)} noMedia={<button type="button">Show as grid</button>} />);
  expect(screen.getByText('This table has no pictures, videos or sounds')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Show as grid' })).toBeTruthy();
});
