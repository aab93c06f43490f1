// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '#shared/domain/checks.ts';
import { defaultRules } from '#shared/domain/review-rules.ts';
import { closeReviewDialog, showReviewDialog } from '../../../state/review-dialog.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeJob, fakeSession, fakeTable, fakeVersion } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { fakeSummary } from '../../compare/testing/fake-comparison.ts';
import { resetJobs } from '../../jobs/index.ts';
import { fakeReview, fakeVerdict } from '../testing/fake-review.ts';
import { ReviewDialogs } from './review-dialogs.tsx';
import { ReviewsPage } from './reviews-page.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;

const rules = { rules: defaultRules, protectedBranches: ['main'] };
const none = { reviews: [], counts: { open: 0, merged: 0, closed: 0 }, total: 0 };
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

function open(
  screenOf: 'dialogs' | 'list',
  answers: Parameters<typeof fakeServer>[0] = {},
  path = '/reviews',
) {
  server = fakeServer({
    session: () => fakeSession({ tables: [fakeTable('wonders')] }),
    listReviews: () => none,
    getReviewRules: () => rules,
    ...answers,
  });
  page = renderPage(
    <>
      {screenOf === 'list' && <ReviewsPage />}
      <ReviewDialogs />
    </>,
    path,
  );
}

beforeEach(preparePage);
afterEach(() => {
  closeReviewDialog();
  resetJobs();
  page.close();
});

describe('opening a review', () => {
  const answers = {
    diff: () => fakeSummary({ rows: { added: 1, removed: 0, modified: 4 } }),
    history: () => ({
      ref: { branch: 'fix', version: 12 },
      versions: [fakeVersion(12, { message: 'Mend the glosses' })],
      isComplete: true,
    }),
  };

  test('title and contents are there already; it goes to what was opened', async () => {
    open('dialogs', { ...answers, openReview: () => fakeReview() });
    showReviewDialog({ kind: 'open', table: 'wonders', from: 'fix', into: 'main' });
    const dialog = within(await screen.findByRole('dialog', { name: 'Review fix' }));
    await waitFor(() =>
      expect((dialog.getByRole('textbox', { name: 'Title' }) as HTMLInputElement).value).toBe(
        'Mend the glosses',
      ),
    );
    expect(await dialog.findByText('4 modified')).toBeTruthy();
    write(dialog.getByRole('textbox', { name: 'Reviewers (optional)' }), 'ann, ben');
    fireEvent.click(dialog.getByRole('button', { name: 'Open the review' }));
    await waitFor(() => expect(location.pathname).toBe('/reviews/7'));
    expect(server.callsOf('openReview').map(({ body }) => body)).toEqual([
      {
        table: 'wonders',
        from: 'fix',
        into: 'main',
        title: 'Mend the glosses',
        description: '',
        reviewers: ['ann', 'ben'],
      },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a branch without changes has nothing to review', async () => {
    open('dialogs', { ...answers, diff: () => fakeSummary() });
    showReviewDialog({ kind: 'open', table: 'wonders', from: 'fix', into: 'main' });
    expect(await screen.findByText('Nothing: there is no difference to main.')).toBeTruthy();
    expect((await button('Open the review')).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the list', () => {
  test('says of each what, whose, where, and how it stands', async () => {
    open('list', {
      listReviews: () => ({
        reviews: [
          fakeReview({
            verdicts: [fakeVerdict('ann', { verdict: 'changes-requested' })],
            comments: { threads: 2, unresolved: 1 },
          }),
        ],
        counts: { open: 1, merged: 4, closed: 0 },
        total: 1,
      }),
    });
    const list = within(await screen.findByRole('list', { name: 'Reviews' }));
    expect(list.getByRole('link', { name: 'Mend the glosses' }).getAttribute('href')).toBe('/reviews/7');
    expect(list.getByRole('listitem').textContent).toMatch(
      /Open.*#7.*wonders.*fix → main.*by you.*changes requested.*2 threads, 1 open/,
    );
    expect(screen.getByRole('radio', { name: 'Merged 4' })).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(document.activeElement?.textContent).toBe('Mend the glosses');
  });

  test('state and words stand in the address and are asked for', async () => {
    open('list', {}, '/reviews?state=merged');
    await screen.findByText('No merged review yet');
    write(screen.getByRole('searchbox', { name: 'Find reviews' }), 'glosses');
    await screen.findByText('No review passes this filter');
    expect(location.search).toBe('?state=merged&text=glosses');
    expect(server.callsOf('listReviews').at(-1)?.query).toMatchObject({ state: 'merged', text: 'glosses' });
  });

  test('an empty one offers the branches that have something to show', async () => {
    open('list');
    await screen.findByText('No review is open');
    const offers = within(await screen.findByRole('list', { name: 'Branches with changes' }));
    expect(offers.getByRole('listitem').textContent).toContain('wonders · fix3 commits ahead');
    fireEvent.click(offers.getByRole('button', { name: 'Open a review…' }));
    expect(await screen.findByRole('dialog', { name: 'Review fix' })).toBeTruthy();
  });
});

describe('checks of a table', () => {
  let checks: Check[];
  const answers = {
    listChecks: () => ({ ref: { branch: 'main', version: 10 }, checks, notices: [] }),
    putChecks: ({ body }: { body: { checks: Check[] } }) => {
      checks = body.checks;
      return { ref: { branch: 'main', version: 11 }, checks, notices: [] };
    },
  };
  beforeEach(() => {
    checks = [{ name: 'no empty gloss', description: '', where: 'gloss IS NOT NULL', severity: 'required' }];
  });
  const show = async () => {
    open('dialogs', {
      ...answers,
      tryChecks: () => ({ job: { id: 'j1' } }),
      getJob: () =>
        fakeJob({
          id: 'j1',
          kind: 'checks',
          state: 'done',
          result: {
            results: [
              {
                name: 'the check',
                severity: 'required',
                outcome: 'failed',
                failing: 2,
                failingBefore: null,
                scope: 'all 218 rows',
                sample: [{ id: 'cat', gloss: null }],
                keys: ['cat'],
                open: { ref: 'fix', where: "id IN ('cat')", covers: 'both rows' },
                problem: null,
                elapsedMs: 4,
              },
            ],
          },
        }),
    });
    showReviewDialog({ kind: 'checks', table: 'wonders', branch: 'main', tryOn: 'fix' });
    return within(await screen.findByRole('dialog', { name: 'Checks of wonders' }));
  };

  test('one is tried before it is kept', async () => {
    const dialog = await show();
    fireEvent.click(await dialog.findByRole('button', { name: 'Add a check' }));
    write(dialog.getByRole('textbox', { name: 'Every row must satisfy' }), 'views > 0');
    fireEvent.click(dialog.getByRole('button', { name: 'Try it on fix' }));
    const found = await dialog.findByRole('status', { name: 'What it found' });
    expect(found.textContent).toContain('2 rows fail on fix: all 218 rows · 4 ms');
    expect(within(found).getByRole('link').getAttribute('href')).toBe(
      '/t/wonders?ref=fix&where=id+IN+%28%27cat%27%29',
    );
    expect(server.callsOf('tryChecks')[0]?.body).toEqual({
      ref: 'fix',
      checks: [{ name: 'the check', description: '', where: 'views > 0', severity: 'required' }],
    });
    write(dialog.getByRole('textbox', { name: 'Name' }), 'seen');
    fireEvent.click(dialog.getByRole('radio', { name: 'Warning only' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Save the check' }));
    expect(await dialog.findByRole('listitem', { name: 'seen' })).toBeTruthy();
    expect(checks[1]).toEqual({ name: 'seen', description: '', where: 'views > 0', severity: 'warning' });
  });

  test('a deleted one comes back by Undo', async () => {
    const dialog = await show();
    fireEvent.click(await dialog.findByRole('button', { name: 'Delete the check no empty gloss' }));
    await waitFor(() => expect(checks).toEqual([]));
    fireEvent.click(await screen.findByText('Undo'));
    await waitFor(() => expect(checks.map(({ name }) => name)).toEqual(['no empty gloss']));
  });

  test('an example is a beginning', async () => {
    const dialog = await show();
    fireEvent.click(await dialog.findByRole('button', { name: 'classes as on main' }));
    expect(
      (
        dialog.getByRole('textbox', {
          name: 'Statement that returns the failing rows',
        }) as HTMLTextAreaElement
      ).value,
    ).toContain('"wonders@main"');
  });
});

test('rules are set, and set back by Undo', async () => {
  let kept = rules;
  open('dialogs', {
    getReviewRules: () => kept,
    putReviewRules: ({ body }) => {
      kept = body;
      return body;
    },
  });
  showReviewDialog({ kind: 'rules', table: 'wonders' });
  const field = await screen.findByRole('spinbutton', { name: 'Approvals needed' });
  write(field, '40');
  expect((await screen.findByRole('alert')).textContent).toBe('A whole number from 0 to 20.');
  write(field, '2');
  fireEvent.click(screen.getByRole('checkbox', { name: 'fix' }));
  fireEvent.click(await button('Save the rules'));
  await waitFor(() =>
    expect([kept.rules.approvalsNeeded, kept.protectedBranches]).toEqual([2, ['main', 'fix']]),
  );
  fireEvent.click(await button('Undo'));
  await waitFor(() => expect(kept).toEqual(rules));
});
