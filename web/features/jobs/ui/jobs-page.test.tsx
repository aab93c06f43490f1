// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeEvents } from '../../../testing/fake-events.ts';
import { fakeServer } from '../../../testing/fake-server.ts';
import { fakeJob } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { resetJobs } from '../store.ts';
import { JobsPage } from './jobs-page.tsx';

let page: ReturnType<typeof renderPage>;

beforeEach(preparePage);
afterEach(() => {
  resetJobs();
  page.close();
});

test('jobs show what runs first, then what came of the rest', async () => {
  const jobs = [
    fakeJob({
      id: 'a',
      title: 'Import old',
      state: 'failed',
      error: { code: 'INVALID_FILE', detail: 'It has no end.', hint: 'Copy it again.' },
    }),
    fakeJob({
      id: 'b',
      title: 'Import birds',
      state: 'done',
      createdAt: '2026-01-02T00:00:00Z',
      updatedAt: '2026-01-02T00:00:05Z',
      result: { table: 'birds', rows: 3, notices: ['a.b became a_b.'] },
    }),
    fakeJob({ id: 'c', title: 'Import clips' }),
  ];
  fakeServer({ listJobs: () => ({ jobs }) });
  const events = fakeEvents();
  page = renderPage(<JobsPage />, '/jobs');
  await screen.findByRole('listitem', { name: 'Import clips' });
  expect(
    within(screen.getByRole('list', { name: 'Jobs' }))
      .getAllByRole('heading')
      .map(({ textContent }) => textContent),
  ).toEqual(['Import clips', 'Import birds', 'Import old']);
  const birds = within(screen.getByRole('listitem', { name: 'Import birds' }));
  expect(birds.getByRole('link', { name: 'Open birds' }).getAttribute('href')).toBe('/t/birds');
  expect([birds.getByText('a.b became a_b.'), birds.getByText(/took 5 s/)].every(Boolean)).toBe(true);
  expect(screen.getByRole('listitem', { name: 'Import old' }).textContent).toContain(
    'It has no end.Copy it again.',
  );
  act(() => events.open[0]?.send(fakeJob({ id: 'c', title: 'Import clips', done: 100 })));
  expect(screen.getByRole('progressbar', { name: 'Import clips' }).getAttribute('aria-valuenow')).toBe('100');
});

test('where events cannot be had, jobs are asked for', async () => {
  fakeServer({
    listJobs: () => ({ jobs: [fakeJob()] }),
    getJob: () => fakeJob({ state: 'done', result: { table: 'clips', rows: 9 } }),
  });
  vi.stubGlobal('EventSource', undefined);
  page = renderPage(<JobsPage />, '/jobs');
  expect(await screen.findByRole('link', { name: 'Open clips' })).toBeTruthy();
});

test('nothing to show says what would be here', async () => {
  fakeServer({ listJobs: () => ({ jobs: [] }) });
  page = renderPage(<JobsPage />, '/jobs');
  expect(await screen.findByRole('heading', { name: 'Nothing runs' })).toBeTruthy();
});
