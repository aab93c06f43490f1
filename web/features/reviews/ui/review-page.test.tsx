// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import type { Comment } from '#shared/api/review-parts.ts';
import type { Review } from '#shared/api/reviews.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import {
  answerDiffRows,
  type FakeChange,
  fakeSession,
  plainChanges,
  someChanges,
  summaryOf,
} from '../../compare/testing/fake-comparison.ts';
import { fakeReview, fakeThread } from '../testing/fake-review.ts';
import { ReviewPage } from './review-page.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let review: Review;

interface OpenOptions {
  changes?: readonly FakeChange[];
  path?: string;
}

function open(over: Partial<Review> = {}, { changes = plainChanges, path = '/reviews/7' }: OpenOptions = {}) {
  review = fakeReview(over);
  server = fakeServer({
    session: () => fakeSession(),
    getReview: () => review,
    diffRows: ({ body }) => answerDiffRows(changes, summaryOf(changes), body),
    listReviews: () => ({ reviews: [], counts: { open: 0, merged: 0, closed: 0 }, total: 0 }),
    commentOnReview: ({ body }) => {
      const thread = fakeThread({
        id: 'new',
        author: 'you',
        body: body.body,
        rowKey: body.rowKey ?? null,
        column: body.column ?? null,
      });
      review = { ...review, threads: [...review.threads, thread] };
      return thread;
    },
  });
  page = renderPage(<ReviewPage id="7" />, path);
}

const asked = () => server.calls.map(({ id }) => id).filter((id) => id !== 'session');
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const press = (key: string, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
const undo = async () => fireEvent.click((await screen.findAllByRole('button', { name: 'Undo' })).at(-1)!);
const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const card = (name: RegExp) => screen.findByRole('article', { name });

beforeEach(preparePage);
afterEach(() => page.close());

describe('reading', () => {
  test('two requests show what and why, the changes at a glance, and what can be done', async () => {
    open({ threads: [fakeThread({ body: 'Look at @ben here', rowKey: 'cat', column: 'gloss' })] });
    expect((await screen.findByRole('heading', { name: 'Mend the glosses' })).tagName).toBe('H2');
    expect(screen.getByText('wrong').tagName).toBe('STRONG');
    await screen.findByText('Updates 1 row, adds 1 row and removes 1 row on main.');
    expect(screen.getByRole('article', { name: 'Thread of ann, on gloss of cat' }).textContent).toContain(
      '@ben',
    );
    expect(asked()).toEqual(['getReview', 'diffRows']);
    expect(document.title).toBe('Mend the glosses · Review 7 · Curio');
  });

  test('a comment says that its cell has changed since, or that its row is gone', async () => {
    const since = (state: 'changed' | 'row-removed'): Comment['since'] => ({
      state,
      before: { preview: 'old word', isCut: false },
      now: state === 'changed' ? { preview: 'new word', isCut: true } : null,
    });
    open({
      threads: [
        fakeThread({ id: 'a', rowKey: 'cat', column: 'gloss', since: since('changed') }),
        fakeThread({ id: 'b', rowKey: 'eel', since: since('row-removed') }),
      ],
    });
    const first = await card(/on gloss of cat/);
    expect(within(first).getByText('old word').tagName).toBe('DEL');
    expect(within(first).getByText('new word…').tagName).toBe('INS');
    expect((await card(/on row eel/)).textContent).toContain('the row is gone');
  });

  test('a comment on a row far down the list finds it with one request for all of them', async () => {
    const many = Array.from({ length: 450 }, (_, at): FakeChange => ({ ...plainChanges[0]!, key: `k${at}` }));
    open(
      {
        threads: [
          fakeThread({ id: 'a', rowKey: 'k440' }),
          fakeThread({ id: 'b', rowKey: 'k3' }),
          fakeThread({ id: 'c', rowKey: 'k449' }),
        ],
      },
      { changes: many },
    );
    server.set('diffRows', ({ body }) =>
      answerDiffRows(
        body.keys ? many.filter(({ key }) => body.keys.includes(key)) : many,
        summaryOf(many),
        body,
      ),
    );
    await waitFor(() =>
      expect(server.callsOf('diffRows').map(({ body }) => body.keys)).toEqual([undefined, ['k440', 'k449']]),
    );
    fireEvent.click(await button('Show row k440'));
    await card(/k440, modified/);
    expect(new URLSearchParams(location.search).get('key')).toBe('"k440"');
    expect(new URLSearchParams(location.search).get('tab')).toBe('changes');
  });

  test('keys go from thread to thread, and between conversation and changes', async () => {
    open({ threads: [fakeThread({ id: 'a' }), fakeThread({ id: 'b', author: 'ben' })] });
    await card(/Thread of ben/);
    press('j');
    expect(document.activeElement?.getAttribute('data-thread')).toBe('a');
    press('j');
    expect(document.activeElement?.getAttribute('data-thread')).toBe('b');
    await screen.findByText(/Updates 1 row/);
    press('t');
    expect(await screen.findByRole('region', { name: 'Changes' })).toBeTruthy();
    expect(location.search).toBe('?tab=changes');
    press('j');
    expect(document.querySelector('[aria-current="true"]')?.getAttribute('aria-label')).toContain(
      'cat, modified',
    );
  });

  test('a review whose branch is gone is still read', async () => {
    open({ compare: null, state: 'closed', ended: { at: '2026-01-02T00:00:00Z', by: 'ann' } });
    await screen.findByRole('heading', { name: 'Mend the glosses' });
    expect(screen.getByText('Closed without a merge')).toBeTruthy();
    expect(asked()).toEqual(['getReview']);
  });

  test('one that is not there says so, with a way out', async () => {
    open();
    server.set('getReview', () => {
      throw new AppError({ code: 'NOT_FOUND', message: 'No review has this number.' });
    });
    await page.client.invalidateQueries();
    page.client.clear();
    page.rerender(<div />);
    page = renderPage(<ReviewPage id="8" />, '/reviews/8');
    expect((await screen.findByRole('alert')).textContent).toContain('There is no review 8.');
    expect(screen.getByRole('button', { name: 'All reviews' })).toBeTruthy();
  });
});

describe('the conversation', () => {
  test('what one says stands there at once', async () => {
    open();
    let answer = () => {};
    server.set('commentOnReview', async ({ body }) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      const thread = fakeThread({ id: 'new', author: 'you', body: body.body });
      review = { ...review, threads: [thread] };
      return thread;
    });
    write(await screen.findByRole('textbox', { name: 'Comment on the review' }), 'Well **done**');
    fireEvent.click(await button('Comment'));
    expect((await card(/Thread of you/)).textContent).toContain('sending…');
    answer();
    await waitFor(() =>
      expect(screen.getByRole('article', { name: 'Thread of you' }).textContent).not.toContain('sending'),
    );
    expect(server.callsOf('commentOnReview').map(({ body }) => body)).toEqual([{ body: 'Well **done**' }]);
  });

  test('what could not be sent is kept, also over a reload', async () => {
    open();
    server.set('commentOnReview', () => {
      throw new AppError({ code: 'INTERNAL', message: 'The disk is full.' });
    });
    write(await screen.findByRole('textbox', { name: 'Comment on the review' }), 'Kept');
    fireEvent.click(await button('Comment'));
    expect((await screen.findByRole('alert')).textContent).toContain('what you typed is kept');
    expect(screen.queryByRole('article')).toBeNull();
    page.unmount();
    page = renderPage(<ReviewPage id="7" />, '/reviews/7');
    const again = await screen.findByRole('textbox', { name: 'Comment on the review' });
    expect((again as HTMLTextAreaElement).value).toBe('Kept');
  });

  test('a cell is commented on from its card', async () => {
    open({}, { path: '/reviews/7?tab=changes' });
    fireEvent.click(await button('Comment on gloss of cat'));
    const field = await screen.findByRole('textbox', { name: 'Comment on gloss of cat' });
    expect(document.activeElement).toBe(field);
    write(field, 'Is it?');
    press('Enter', { ctrlKey: true });
    await screen.findByText('on gloss');
    expect(server.callsOf('commentOnReview').map(({ body }) => body)).toEqual([
      { body: 'Is it?', rowKey: 'cat', column: 'gloss' },
    ]);
  });

  test('c comments on the row where one is', async () => {
    open({}, { path: '/reviews/7?tab=changes' });
    await card(/dog, added/);
    press('j');
    press('j');
    press('c');
    expect(await screen.findByRole('textbox', { name: 'Comment on row dog' })).toBeTruthy();
  });

  test('threads are answered, resolved, and opened again by Undo', async () => {
    open({ threads: [fakeThread()] });
    const resolve = ({ body }: { body: { isResolved: boolean } }) => {
      const resolved = body.isResolved ? { by: 'you', at: '2026-01-02T00:00:00Z' } : null;
      review = { ...review, threads: [fakeThread({ resolved })] };
      return review.threads[0];
    };
    server.set('patchComment', resolve);
    server.set('commentOnReview', () => review.threads[0]);
    write(await screen.findByRole('textbox', { name: 'Reply to ann' }), 'Yes');
    fireEvent.click(await button('Reply'));
    await waitFor(() =>
      expect(server.callsOf('commentOnReview').map(({ body }) => body)).toEqual([
        { body: 'Yes', replyTo: 't1' },
      ]),
    );
    fireEvent.click(await button('Resolve'));
    expect(await screen.findByText('resolved by you')).toBeTruthy();
    await undo();
    expect(await button('Resolve')).toBeTruthy();
    expect(server.callsOf('patchComment').map(({ body }) => body.isResolved)).toEqual([true, false]);
  });

  test('only one’s own words can be changed, and deleting asks', async () => {
    open({ threads: [fakeThread({ author: 'you' })] });
    server.set('deleteComment', () => {
      review = { ...review, threads: [] };
    });
    fireEvent.pointerDown(await button('More on the comment of you'), { button: 0, ctrlKey: false });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete…' }));
    const ask = await screen.findByRole('alertdialog', { name: 'Delete the comment' });
    fireEvent.click(within(ask).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
    expect(server.callsOf('deleteComment').map(({ params }) => params)).toEqual([{ id: '7', comment: 't1' }]);
  });
});

describe('the merge', () => {
  const merged = (): Review =>
    fakeReview({
      state: 'merged',
      merged: { version: 11, editId: 'e', isSquashed: false },
      ended: { at: '2026-01-02T00:00:00Z', by: 'you' },
      compare: { from: 'fix:12', into: 'main:10', base: 'main:9' },
      may: { ...fakeReview().may, merge: false, approve: false },
    });

  test('lands what was seen, with the options chosen, and says what came of it', async () => {
    open();
    server.set('mergeReview', () => {
      review = merged();
      return { review, merge: {} };
    });
    await screen.findByText(/Updates 1 row/);
    press('m');
    const how = await screen.findByRole('dialog', { name: 'How to merge' });
    fireEvent.click(within(how).getByRole('checkbox', { name: 'Delete fix afterwards' }));
    write(within(how).getByRole('textbox', { name: 'Message' }), 'Better words');
    fireEvent.click(within(how).getByRole('button', { name: 'Merge into main' }));
    expect(await screen.findByText('Merged into main as version 11')).toBeTruthy();
    expect(server.callsOf('mergeReview').map(({ body }) => body)).toEqual([
      { expected: { from: 12, into: 10 }, message: 'Better words', squash: false, deleteBranch: true },
    ]);
    await waitFor(() =>
      expect(server.callsOf('diffRows').at(-1)?.body).toMatchObject({
        from: 'fix:12',
        into: 'main:10',
        base: 'main:9',
      }),
    );
  });

  test('what it waits for is said, with the way on', async () => {
    open({
      checks: [{ name: 'no empty gloss', description: '', where: 'gloss IS NOT NULL', severity: 'required' }],
      blockers: [
        {
          code: 'checks-not-run',
          message: 'A required check has not run.',
          hint: 'Run it.',
          names: ['no empty gloss'],
        },
      ],
    });
    server.set('runReviewChecks', () => ({ job: { id: 'j1' } }));
    server.set('getJob', () => new Promise(() => {}));
    const box = within(await screen.findByRole('region', { name: 'Merge' }));
    expect(box.getByRole('button', { name: 'Merge' }).getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(box.getByRole('button', { name: 'Run the checks' }));
    expect(await box.findByRole('progressbar', { name: 'Running the checks' })).toBeTruthy();
  });

  test('conflicts are settled among the changes; the choices are there after a reload and go with the merge', async () => {
    open(
      { blockers: [{ code: 'conflicts', message: '2 rows conflict.', hint: 'Settle them.', names: [] }] },
      { changes: someChanges },
    );
    await screen.findByText('2 conflicts left to settle.');
    fireEvent.click(await button('Settle them'));
    await card(/fox, modified/);
    press('1');
    await screen.findByText('1 conflict left to settle.');
    page.unmount();
    page = renderPage(<ReviewPage id="7" />, '/reviews/7?tab=changes');
    await screen.findByText('1 conflict left to settle.');
    press('p');
    press('2');
    await waitFor(() => expect(screen.queryByText(/conflicts? left to settle\.$/)).toBeNull());
    server.set('mergeReview', () => {
      review = merged();
      return { review, merge: {} };
    });
    fireEvent.click(
      within(screen.getByRole('region', { name: 'Merge' })).getByRole('button', { name: 'Merge' }),
    );
    await screen.findByText('Merged into main as version 11');
    expect(server.callsOf('mergeReview')[0]?.body.choices).toEqual([
      { key: 'fox', column: 'gloss', take: 'from' },
      { key: 'gnu', column: 'views', take: 'into' },
    ]);
  });

  test('after the merge nothing is left to settle, and what landed is a link away', async () => {
    open(
      { ...merged(), changes: summaryOf(someChanges) },
      { changes: someChanges, path: '/reviews/7?tab=changes' },
    );
    expect(await card(/fox, modified: gloss$/)).toBeTruthy();
    expect(screen.queryByText(/to settle/)).toBeNull();
    expect(screen.getByText(/2 conflicts with main were settled in the merge/)).toBeTruthy();
    fireEvent.click(await button('See what landed'));
    expect(decodeURIComponent(location.pathname)).toBe('/t/wonders/compare/main:11...main:10');
  });

  test('a branch that moved meanwhile is told, and nothing lands', async () => {
    open();
    server.set('mergeReview', () => {
      throw new AppError({ code: 'HEAD_MOVED', message: 'fix has moved to version 13.' });
    });
    await screen.findByText(/Updates 1 row/);
    fireEvent.click(
      within(screen.getByRole('region', { name: 'Merge' })).getByRole('button', { name: 'Merge' }),
    );
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Nothing was merged; main is as it was.',
    );
    await waitFor(() => expect(server.callsOf('diffRows')).toHaveLength(2));
  });

  test('a approves what was seen; Undo takes it back', async () => {
    open();
    server.set('approveReview', ({ body }) => ({
      ...review,
      verdicts: [
        {
          author: 'you',
          verdict: 'approved',
          body: body.body,
          at: review.createdAt,
          fromVersion: 12,
          isStale: false,
        },
      ],
    }));
    server.set('withdrawVerdict', () => review);
    await screen.findByText(/Updates 1 row/);
    press('a');
    const field = await screen.findByRole('textbox', { name: 'What you say with it' });
    write(field, 'Good');
    fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    expect(await screen.findByText('approved')).toBeTruthy();
    expect(server.callsOf('approveReview').map(({ body }) => body)).toEqual([
      { body: 'Good', expected: { from: 12 } },
    ]);
    await undo();
    await waitFor(() => expect(server.callsOf('withdrawVerdict')).toHaveLength(1));
  });

  test('changes are asked for with a word', async () => {
    open();
    server.set('requestChanges', () => review);
    await screen.findByText(/Updates 1 row/);
    press('a');
    const wanted = await button('Request changes');
    expect(wanted.getAttribute('aria-disabled')).toBe('true');
    write(await screen.findByRole('textbox', { name: 'What you say with it' }), 'Not yet');
    fireEvent.click(await button('Request changes'));
    await waitFor(() => expect(server.callsOf('requestChanges')[0]?.body.body).toBe('Not yet'));
  });
});

describe('the words', () => {
  test('are edited in place and said again by Undo', async () => {
    open();
    server.set('patchReview', ({ body }) => {
      review = { ...review, ...body };
      return review;
    });
    await screen.findByRole('heading', { name: 'Mend the glosses' });
    press('e');
    write(await screen.findByRole('textbox', { name: 'Title' }), 'Better words');
    fireEvent.click(await button('Save'));
    expect(await screen.findByRole('heading', { name: 'Better words' })).toBeTruthy();
    await undo();
    expect(await screen.findByRole('heading', { name: 'Mend the glosses' })).toBeTruthy();
  });
});
