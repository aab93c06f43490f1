// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { fakeEvents } from '../../../testing/fake-events.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeBranch, fakeJob, fakeSession, fakeTable } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { JobsWatch, resetJobs } from '../../jobs/index.ts';
import { TablesPage } from './tables-page.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let events: ReturnType<typeof fakeEvents>;

function open(session = fakeSession(), answers: Parameters<typeof fakeServer>[0] = {}) {
  server = fakeServer({ session: () => session, ...answers });
  events = fakeEvents();
  page = renderPage(
    <>
      <JobsWatch />
      <TablesPage />
    </>,
  );
}

beforeEach(preparePage);
afterEach(() => {
  resetJobs();
  page.close();
});

const card = (name: string) => screen.findByRole('listitem', { name });

describe('tables', () => {
  test('a card shows name, size, key, pictures, and what is open on the table', async () => {
    open(
      fakeSession({
        tables: [
          fakeTable('wonders', {
            preview: { column: 'image', rowIds: ['0', '7'] },
            notices: ['It has no stable row ids.'],
          }),
        ],
      }),
    );
    const wonders = within(await card('wonders'));
    expect(wonders.getByRole('link', { name: 'wonders' }).getAttribute('href')).toBe('/t/wonders');
    expect(wonders.getByText('218 rows')).toBeTruthy();
    expect(wonders.getByText('5.8 MB')).toBeTruthy();
    expect(wonders.getByText('It has no stable row ids.')).toBeTruthy();
    expect(wonders.getByRole('link', { name: /ahead: compare fix with main$/ }).getAttribute('href')).toBe(
      '/t/wonders/compare/fix...main',
    );
    const pictures = [...document.querySelectorAll('img')].map((img) => img.getAttribute('src'));
    expect(pictures).toEqual(
      ['0', '7'].map((id) => `/api/v1/tables/wonders/thumbs/image/${id}?ref=main%3A10&size=256`),
    );
    expect(server.calls).toHaveLength(1);
  });

  test('a branch without changes says so, and many branches are summed up', async () => {
    const branches = [
      fakeBranch('main'),
      ...['a', 'b', 'c', 'd'].map((name) => fakeBranch(name, { ahead: 0 })),
    ];
    open(fakeSession({ tables: [fakeTable('wonders', { branches })] }));
    const list = within(within(await card('wonders')).getByRole('list', { name: 'Branches of wonders' }));
    expect(list.getAllByText('no changes')).toHaveLength(3);
    expect(list.getByText('and 1 branch more')).toBeTruthy();
  });

  test('many tables can be found by a word', async () => {
    open(fakeSession({ tables: Array.from({ length: 9 }, (_, index) => fakeTable(`table${index}`)) }));
    fireEvent.change(await screen.findByRole('searchbox', { name: 'Find a table' }), {
      target: { value: 'table7' },
    });
    const list = screen.getByRole('list', { name: 'Tables' });
    expect(
      within(list)
        .getAllByRole('heading')
        .map(({ textContent }) => textContent),
    ).toEqual(['table7']);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find a table' }), {
      target: { value: 'nothing' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Show all tables' }));
    expect(within(list).getAllByRole('heading')).toHaveLength(9);
  });

  test('an empty place teaches and offers the import', async () => {
    open(fakeSession({ tables: [] }));
    expect(await screen.findByRole('heading', { name: 'Nothing is here yet' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Choose files or a folder…' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Import' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a failure says what to do', async () => {
    open(fakeSession(), {
      session: () => {
        throw new AppError({
          code: 'INTERNAL',
          message: 'The tables cannot be read.',
          hint: 'Look at the log.',
        });
      },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('Look at the log.');
  });
});

describe('the trash', () => {
  test('a deleted table comes back by Undo', async () => {
    open(fakeSession(), { trashTable: () => null, restoreTable: () => null });
    fireEvent.pointerDown(
      within(await card('wonders')).getByRole('button', { name: 'Actions for wonders' }),
      { button: 0, ctrlKey: false },
    );
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to the trash' }));
    const toast = await screen.findByText('Moved wonders to the trash');
    expect(server.callsOf('trashTable').map(({ params }) => params)).toEqual([{ table: 'wonders' }]);
    fireEvent.click(within(toast.parentElement!).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(server.callsOf('restoreTable')).toHaveLength(1));
  });

  test('deleting for good asks, and says what will be gone', async () => {
    open(fakeSession(), {
      listTrash: () => ({ tables: [{ name: 'old', deletedAt: '2026-01-01T00:00:00Z' }] }),
      purgeTable: () => null,
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Trash' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Trash' }));
    fireEvent.click(await dialog.findByRole('button', { name: 'Delete for good…' }));
    const ask = dialog.getByRole('alertdialog', { name: 'Delete old for good' });
    expect(ask.textContent).toContain('every branch, tag and version');
    expect(server.callsOf('purgeTable')).toHaveLength(0);
    fireEvent.click(within(ask).getByRole('button', { name: 'Delete old for good' }));
    await waitFor(() => expect(server.callsOf('purgeTable')).toHaveLength(1));
  });
});

describe('what is on its way', () => {
  test('a running import is a card with number, rate and time, and becomes a table', async () => {
    open(fakeSession({ jobs: [fakeJob()] }));
    const job = within(await card('Import clips'));
    expect(job.getByRole('progressbar', { name: 'Import clips' }).getAttribute('aria-valuenow')).toBe('50');
    act(() => events.open[0]?.send(fakeJob({ done: 150, updatedAt: '2026-01-01T00:00:02Z' })));
    expect(job.getByText('150 of 200 rows · 50 rows/s · 1 s left')).toBeTruthy();
    act(() =>
      events.open[0]?.send(
        fakeJob({ state: 'done', done: 200, result: { table: 'clips', rows: 200, version: 1, notices: [] } }),
      ),
    );
    expect(screen.queryByRole('listitem', { name: 'Import clips' })).toBeNull();
    fireEvent.click(
      within((await screen.findByText('clips is ready: 200 rows')).parentElement!).getByRole('button', {
        name: 'Open',
      }),
    );
    expect(location.pathname).toBe('/t/clips');
    await waitFor(() => expect(server.callsOf('session').length).toBeGreaterThan(1));
    expect(events.open[0]?.isClosed).toBe(true);
  });

  test('a failed import stays with its error and hint until it is dismissed', async () => {
    open(fakeSession({ jobs: [fakeJob()] }));
    await card('Import clips');
    act(() =>
      events.open[0]?.send(
        fakeJob({
          state: 'failed',
          error: { code: 'INVALID_FILE', detail: 'clips.csv: line 3 has 5 values.', hint: 'Mend the line.' },
        }),
      ),
    );
    const failed = await card('Import clips failed');
    expect(within(failed).getByRole('alert').textContent).toContain(
      'clips.csv: line 3 has 5 values.Mend the line.',
    );
    fireEvent.click(within(failed).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('listitem', { name: 'Import clips failed' })).toBeNull();
  });

  test('an import can be cancelled where it is shown', async () => {
    open(fakeSession({ jobs: [fakeJob()] }), { cancelJob: () => fakeJob({ state: 'cancelled' }) });
    fireEvent.click(within(await card('Import clips')).getByRole('button', { name: 'Cancel Import clips' }));
    expect(await screen.findByText('Import clips was cancelled')).toBeTruthy();
    expect(server.callsOf('cancelJob').map(({ params }) => params)).toEqual([{ id: 'j1' }]);
  });
});
