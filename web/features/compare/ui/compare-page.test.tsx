// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiffSummary, MergeResult } from '#shared/api/edits.ts';
import { AppError } from '#shared/api/problem.ts';
import { comparePath } from '../../../state/addresses.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import {
  answerDiffRows,
  type FakeChange,
  fakeSession,
  fakeSummary,
  plainChanges,
  someChanges,
  summaryOf,
} from '../testing/fake-comparison.ts';
import { ComparePage } from './compare-page.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;

const resultOf = (over: Partial<MergeResult> = {}): MergeResult => ({
  status: 'ready',
  base: { branch: 'main', version: 9 },
  from: { branch: 'fix', version: 12 },
  into: { branch: 'main', version: 10 },
  rows: { inserted: 1, updated: 1, deleted: 1 },
  columns: { added: [] },
  conflicts: [],
  conflictCount: 0,
  toBackfill: 0,
  ...over,
});

function open(
  changes: readonly FakeChange[],
  summary: DiffSummary = summaryOf(changes),
  path = comparePath('wonders', 'fix'),
) {
  server = fakeServer({
    session: () => fakeSession(),
    diffRows: ({ body }) => answerDiffRows(changes, summary, body),
    merge: ({ body }) => resultOf(body.dryRun ? {} : { status: 'merged', version: 11, editId: 'e1' }),
  });
  page = renderPage(<ComparePage table="wonders" from="fix" into="main" />, path);
}

const region = () => screen.findByRole('region', { name: 'Changes' });
const mergeButton = async () => within(await region()).findByRole('button', { name: 'Merge' });
const press = (key: string, more: Partial<KeyboardEventInit> = {}) =>
  fireEvent.keyDown(document.body, { key, ...more });
const current = () => document.querySelector('[aria-current="true"]')?.getAttribute('aria-label');

beforeEach(preparePage);
afterEach(() => page.close());

describe('reading', () => {
  test('one request shows every change with its kind, old and new', async () => {
    open(plainChanges);
    const card = await screen.findByRole('article', { name: 'cat, modified: gloss' });
    expect(within(card).getByText('black').tagName).toBe('DEL');
    expect(within(card).getByText('white').tagName).toBe('INS');
    expect(
      within(screen.getByRole('article', { name: 'dog, added' })).getAllByText('a loyal one').length,
    ).toBeGreaterThan(0);
    expect(
      within(screen.getByRole('article', { name: 'eel, removed' })).getAllByText('a long fish').length,
    ).toBeGreaterThan(0);
    expect(server.calls.filter(({ id }) => id !== 'session').map(({ id }) => id)).toEqual(['diffRows']);
    expect(screen.getByRole('status', { name: 'Scope' }).textContent).toContain('3 changed rows');
  });

  test('kinds, columns and conflicts narrow the list without asking again, and stand in the address', async () => {
    open(someChanges);
    await screen.findByRole('article', { name: 'dog, added' });
    fireEvent.click(screen.getByRole('button', { name: /^added ?\d/ }));
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
      'dog, added',
    ]);
    expect(location.search).toBe('?change=added');
    fireEvent.click(screen.getByRole('button', { name: /^added ?\d/ }));
    fireEvent.click(screen.getByRole('button', { name: /^gloss/ }));
    expect(screen.getAllByRole('article')).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'Show only these' }));
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
      'fox, modified: gloss, conflict',
    ]);
    expect(location.search).toBe('?column=gloss&conflicts=1');
    expect(server.callsOf('diffRows')).toHaveLength(1);
  });

  test('a filter that leaves nothing offers to show all', async () => {
    open(plainChanges, summaryOf(plainChanges), `${comparePath('wonders', 'fix')}?conflicts=1`);
    fireEvent.click(await screen.findByRole('button', { name: 'Show all changes' }));
    expect(await screen.findAllByRole('article')).toHaveLength(3);
    expect(location.search).toBe('');
  });

  test('of a long comparison only what is asked for travels, and filters ask the server', async () => {
    const many = Array.from(
      { length: 450 },
      (_, index): FakeChange => ({ ...plainChanges[0]!, key: `k${index}` }),
    );
    open([...many, plainChanges[1]!]);
    await screen.findByRole('article', { name: 'k0, modified: gloss' });
    fireEvent.click(screen.getByRole('button', { name: /^added ?\d/ }));
    expect(await screen.findByRole('article', { name: 'dog, added' })).toBeTruthy();
    expect(server.callsOf('diffRows').map(({ body }) => [body.change, body.offset, body.limit])).toEqual([
      [undefined, 0, 200],
      [['added'], 0, 200],
    ]);
  });

  test('nothing to show teaches what to do', async () => {
    open([]);
    expect(await screen.findByText('fix changes nothing in main')).toBeTruthy();
    expect((await mergeButton()).getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText('fix has nothing that main lacks.')).toBeTruthy();
  });

  test('what cannot be compared says why and what to do', async () => {
    open([]);
    page.close();
    preparePage();
    server = fakeServer({
      session: () => fakeSession(),
      diffRows: () => {
        throw new AppError({
          code: 'NOT_FOUND',
          message: 'wonders has no branch fix.',
          hint: 'Did you mean fix-glosses?',
        });
      },
    });
    page = renderPage(<ComparePage table="wonders" from="fix" into="main" />);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('wonders has no branch fix.');
    expect(alert.textContent).toContain('Did you mean fix-glosses?');
    fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(server.callsOf('diffRows')).toHaveLength(2));
  });
});

describe('by keys', () => {
  test('j and k walk the changes, n and p the conflicts', async () => {
    open(someChanges);
    await screen.findByRole('article', { name: 'dog, added' });
    const walked = ['j', 'j', 'k', 'n', 'n', 'n', 'p'].map((key) => {
      press(key);
      return current();
    });
    const fox = 'fox, modified: gloss, conflict';
    const gnu = 'gnu, modified: views, conflict';
    expect(walked).toEqual([
      'cat, modified: gloss',
      'dog, added',
      'cat, modified: gloss',
      fox,
      gnu,
      fox,
      gnu,
    ]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe(gnu);
  });

  test('Enter opens the row where it still is', async () => {
    open(someChanges);
    await screen.findByRole('article', { name: 'dog, added' });
    for (const key of ['j', 'j', 'j', 'Enter']) press(key);
    expect(location.pathname + location.search).toBe('/t/wonders?ref=main%3A9&row=2');
  });

  test('1, 2 and 3 settle a conflict and go to the next, Ctrl+Z takes it back', async () => {
    open(someChanges);
    await screen.findByRole('article', { name: 'dog, added' });
    expect(screen.getByText('2 conflicts left to settle.')).toBeTruthy();
    press('n');
    press('1');
    expect(current()).toBe('gnu, modified: views, conflict');
    expect(screen.getByText('1 conflict left to settle.')).toBeTruthy();
    press('3');
    expect((await mergeButton()).getAttribute('aria-disabled')).toBeNull();
    press('z', { ctrlKey: true });
    expect(screen.getByText('1 conflict left to settle.')).toBeTruthy();
    press('Z', { ctrlKey: true, shiftKey: true });
    fireEvent.click(await mergeButton());
    await screen.findByText(/Merged fix into main/);
    expect(server.callsOf('merge').at(-1)?.body.choices).toEqual([
      { key: 'fox', column: 'gloss', take: 'from' },
      { key: 'gnu', column: 'views', take: 'base' },
    ]);
  });
});

describe('conflicts', () => {
  test('show base, from and into, and take a typed value', async () => {
    open(someChanges);
    const options = within(await screen.findByRole('radiogroup', { name: 'gloss of fox' }));
    expect(options.getAllByRole('radio').map((radio) => radio.textContent)).toEqual([
      'fix1',
      'main2',
      'As it was3',
    ]);
    const card = within(screen.getByRole('article', { name: 'fox, modified: gloss, conflict' }));
    fireEvent.click(card.getByRole('button', { name: 'Type another value…' }));
    const field = card.getByRole('textbox', { name: 'gloss' });
    fireEvent.change(field, { target: { value: 'rust' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(options.getByRole('radio', { name: 'Typed' }).getAttribute('aria-checked')).toBe('true');
    expect(screen.getByText('1 conflict left to settle.')).toBeTruthy();
  });

  test('a typed value that the column cannot hold says so and is kept', async () => {
    open(someChanges);
    const card = within(await screen.findByRole('article', { name: 'gnu, modified: views, conflict' }));
    fireEvent.click(card.getByRole('button', { name: 'Type another value…' }));
    const field = card.getByRole('textbox', { name: 'views' });
    fireEvent.change(field, { target: { value: 'many' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(card.getByRole('alert').textContent).toBe('“many” is not a whole number.');
    expect((field as HTMLInputElement).value).toBe('many');
  });

  test('choices outlive the page and are dropped where the conflict changed', async () => {
    open(someChanges);
    await screen.findByRole('article', { name: 'dog, added' });
    press('n');
    press('1');
    press('2');
    const kept = { ...localStorage };
    page.close();
    preparePage();
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
    const moved = someChanges.map((change) =>
      change.key === 'gnu' ? { ...change, into: { ...change.into!, views: 9n } } : change,
    );
    open(moved);
    expect(await screen.findByText(/1 earlier choice no longer applied/)).toBeTruthy();
    expect(screen.getByText('1 conflict left to settle.')).toBeTruthy();
  });

  test('a choice for the rest does not settle what came after a branch moved', async () => {
    open(someChanges);
    await screen.findByRole('article', { name: 'dog, added' });
    const place = 'curio.choices.["wonders","fix","main"]';
    localStorage.setItem(place, JSON.stringify({ entries: {}, rest: 'from', restHeads: 'fix:12...main:9' }));
    const kept = { ...localStorage };
    page.close();
    preparePage();
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
    open(someChanges);
    expect(await screen.findByText(/“fix for the rest” was taken back/)).toBeTruthy();
    expect(screen.getByText('2 conflicts left to settle.')).toBeTruthy();
  });

  test('a row that one side removed is settled as a whole', async () => {
    const [change] = someChanges;
    open([{ ...change!, change: 'removed', columns: [], conflict: ['gloss'], from: null }]);
    const options = within(await screen.findByRole('radiogroup', { name: 'Row of cat' }));
    fireEvent.click(options.getByRole('radio', { name: /Remove it, as fix/ }));
    fireEvent.click(await mergeButton());
    await waitFor(() =>
      expect(server.callsOf('merge').at(-1)?.body.choices).toEqual([{ key: 'cat', take: 'from' }]),
    );
  });
});

describe('merging', () => {
  test('plans and lands with the heads that were compared, in two requests', async () => {
    open(plainChanges);
    const button = await mergeButton();
    fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), {
      target: { value: 'Better glosses' },
    });
    fireEvent.click(button);
    const done = await screen.findByRole('status', { name: 'Merged' });
    expect(done.textContent).toContain(
      'Merged fix into main as version 11: 1 row updated, 1 row added, 1 row removed.',
    );
    expect(server.callsOf('merge').map(({ body }) => body)).toEqual([
      { from: 'fix', into: 'main', expected: { from: 12, into: 10 }, choices: [], dryRun: true },
      { from: 'fix', into: 'main', expected: { from: 12, into: 10 }, choices: [], message: 'Better glosses' },
    ]);
    expect(screen.getAllByRole('article')).toHaveLength(3);
    fireEvent.click(within(done).getByRole('button', { name: 'History' }));
    expect(location.search).toBe('?view=history');
  });

  test('into a branch that takes merges of reviews only offers the review', async () => {
    open(plainChanges);
    const session = fakeSession();
    const tables = session.tables.map((table) => ({
      ...table,
      branches: table.branches.map((branch) =>
        branch.name === 'main' ? { ...branch, isReviewOnly: true } : branch,
      ),
    }));
    server.set('session', () => ({ ...session, tables }));
    await page.client.invalidateQueries();
    expect(await within(await region()).findByText('main takes merges of reviews only.')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
    expect((await mergeButton()).getAttribute('aria-disabled')).toBe('true');
    expect(within(await region()).getByRole('button', { name: 'Review…' })).toBeTruthy();
  });

  test('a plan with more than was shown asks once more', async () => {
    open(plainChanges);
    await mergeButton();
    server.set('merge', ({ body }) =>
      resultOf(body.dryRun ? { toBackfill: 40 } : { status: 'merged', version: 11 }),
    );
    fireEvent.click(await mergeButton());
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /40 rows of main will be empty in what is new.*press Merge again/,
    );
    expect(server.callsOf('merge')).toHaveLength(1);
    fireEvent.click(await mergeButton());
    expect(await screen.findByRole('status', { name: 'Merged' })).toBeTruthy();
  });

  test('a head that moved reads the changes anew and says so', async () => {
    open(plainChanges);
    await mergeButton();
    server.set('merge', () => {
      throw new AppError({ code: 'HEAD_MOVED', message: 'main has moved to version 13.' });
    });
    fireEvent.click(await mergeButton());
    expect(await screen.findByText(/A branch moved while you looked/)).toBeTruthy();
    await waitFor(() => expect(server.callsOf('diffRows')).toHaveLength(2));
    expect(screen.queryByRole('status', { name: 'Merged' })).toBeNull();
  });

  test('a failure stands at the button and keeps the message', async () => {
    open(plainChanges);
    await mergeButton();
    server.set('merge', () => {
      throw new AppError({ code: 'ENGINE_CRASHED', message: 'The engine stopped.', hint: 'Try again.' });
    });
    fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), { target: { value: 'Better' } });
    fireEvent.click(await mergeButton());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Nothing was merged; main is as it was.');
    expect((screen.getByRole('textbox', { name: 'Message' }) as HTMLInputElement).value).toBe('Better');
  });

  test('what is merged elsewhere already has nothing to land', async () => {
    open(plainChanges);
    await mergeButton();
    server.set('merge', () =>
      resultOf({ status: 'up-to-date', rows: { inserted: 0, updated: 0, deleted: 0 } }),
    );
    fireEvent.click(await mergeButton());
    expect((await screen.findByRole('alert')).textContent).toMatch(/main has all of this already/);
    expect(server.callsOf('merge')).toHaveLength(1);
  });

  test.each([
    [
      'without a common base',
      fakeSummary({
        mode: 'two-way',
        base: null,
        mergeable: false,
        rows: { added: 0, removed: 0, modified: 1 },
        notices: ['They have no common base.'],
      }),
      'They have no common base.',
    ],
    [
      'where the table has no key',
      fakeSummary({
        mergeable: false,
        rows: { added: 0, removed: 0, modified: 1 },
        notices: ['Declare a key first.'],
      }),
      'Declare a key first.',
    ],
  ])('is off %s, with the way out', async (_name, summary, why) => {
    open(plainChanges.slice(0, 1), summary);
    expect((await mergeButton()).getAttribute('aria-disabled')).toBe('true');
    expect(screen.getAllByText(why).length).toBeGreaterThan(0);
  });
});
