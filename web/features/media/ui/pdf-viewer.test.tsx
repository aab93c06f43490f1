// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { int64, struct, utf8 } from '@uwdata/flechette';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { listCommands } from '../../../state/commands.ts';
import { arrowRows } from '../../../testing/arrow-rows.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeColumn, fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { createStaticSource, gridColumnsOf, mediaOfTable } from '../../grid/index.ts';
import { resetMediaLooks } from '../store.ts';
import { MediaViewer } from './media-viewer.tsx';

const blob = { kind: 'pdf', sizeBytes: 2000n, contentType: 'application/pdf', hash: 'h' };
const source = createStaticSource(
  arrowRows(
    { _rowid: [5n, 6n], id: ['a', 'b'], paper: [blob, blob] },
    { ref: 'main:12' },
    {
      _rowid: int64(),
      paper: struct({ kind: utf8(), sizeBytes: int64(), contentType: utf8(), hash: utf8() }),
    },
  ),
);
const detail = fakeDetail('main', {
  name: 'papers',
  columns: [fakeColumn('id', 'utf8', { role: 'key' }), fakeColumn('paper', 'blob')],
});

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
const onStep = vi.fn();

beforeEach(() => {
  preparePage();
  resetMediaLooks();
  onStep.mockClear();
  server = fakeServer({ session: () => fakeSession(), mediaFacts: () => factsOf(12) });
});
afterEach(() => page.close());

const factsOf = (pages: number) => ({
  contentType: 'application/pdf',
  sizeBytes: 2000,
  width: null,
  height: null,
  facts: [],
  takenAt: null,
  pages,
});

function open(): void {
  page = renderPage(
    <main>
      <MediaViewer
        table="papers"
        detail={detail}
        columns={gridColumnsOf(detail.columns, detail.key)}
        source={source}
        media={mediaOfTable('papers')}
        row={source.rowAt(0)}
        error={null}
        column="paper"
        index={0}
        total={2}
        onColumn={vi.fn()}
        onStep={onStep}
        onClose={vi.fn()}
      />
    </main>,
    '/t/papers?ref=main',
  );
}

const press = (key: string) => fireEvent.keyDown(document.body, { key });
const where = () => screen.getByText(/^page \d/).textContent;
const sheet = () => screen.getByRole('img', { name: /^Page/ });
/** The picture of a page, shown or still behind the one that is. */
const pictureOf = (number: number): HTMLElement => screen.getByAltText(`Page ${number} of paper`);
const isOff = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true';

test('pages are turned by buttons and keys, and the one before stays until the next is there', async () => {
  open();
  await waitFor(() => expect(where()).toBe('page 1 of 12'));
  expect([isOff('Previous page'), isOff('Next page')]).toEqual([true, false]);
  fireEvent.load(pictureOf(1));
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  expect([sheet(), where()]).toEqual([pictureOf(1), 'page 1 of 12 · 2 is being drawn']);
  expect(new URL(pictureOf(2).getAttribute('src')!, 'http://curio').searchParams.get('page')).toBe('2');
  fireEvent.load(pictureOf(2));
  expect([sheet(), where()]).toEqual([pictureOf(2), 'page 2 of 12']);
  press('PageDown');
  fireEvent.load(pictureOf(3));
  expect([sheet(), where()]).toEqual([pictureOf(3), 'page 3 of 12']);
  press('End');
  fireEvent.load(pictureOf(12));
  expect([where(), isOff('Previous page'), isOff('Next page')]).toEqual(['page 12 of 12', false, true]);
  press('PageDown');
  press('PageUp');
  fireEvent.load(pictureOf(11));
  expect(where()).toBe('page 11 of 12');
  expect(onStep).not.toHaveBeenCalled();
  press('j');
  await waitFor(() => expect(onStep.mock.calls).toEqual([[1]]));
  const keysOf = (id: string) => listCommands().find((command) => command.id === id)?.keys;
  expect([keysOf('viewer.nextPage'), keysOf('viewer.previousPage')]).toEqual([['PageDown'], ['PageUp']]);
});

test('a page is gone to by its number; one that is not there is refused in the field', async () => {
  open();
  const field = await screen.findByRole('textbox', { name: 'Go to page' });
  fireEvent.load(pictureOf(1));
  fireEvent.change(field, { target: { value: '13' } });
  fireEvent.submit(field);
  expect([screen.getByRole('alert').textContent, where()]).toEqual(['1 to 12', 'page 1 of 12']);
  fireEvent.change(field, { target: { value: '7' } });
  fireEvent.submit(field);
  fireEvent.load(pictureOf(7));
  expect([screen.queryByRole('alert'), where()]).toEqual([null, 'page 7 of 12']);
});

test('why one page cannot be drawn stands in its place, and the others can still be reached', async () => {
  server.set('thumb', () => {
    throw new AppError({ code: 'UNSUPPORTED_MEDIA', message: 'The PDF cannot be drawn: it is damaged.' });
  });
  open();
  await waitFor(() => expect(where()).toBe('page 1 of 12'));
  fireEvent.load(pictureOf(1));
  press('PageDown');
  fireEvent.error(pictureOf(2));
  expect(await screen.findByText('The PDF cannot be drawn: it is damaged.')).toBeTruthy();
  expect(where()).toBe('page 2 of 12');
  press('PageDown');
  fireEvent.load(pictureOf(3));
  expect([screen.queryByRole('alert'), sheet(), where()]).toEqual([null, pictureOf(3), 'page 3 of 12']);
});

test('a PDF of one page has nothing to turn', async () => {
  server.set('mediaFacts', () => factsOf(1));
  open();
  await waitFor(() => expect(where()).toBe('page 1 of 1'));
  expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull();
  expect(screen.queryByRole('textbox', { name: 'Go to page' })).toBeNull();
});
