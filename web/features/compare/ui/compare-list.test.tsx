// @vitest-environment jsdom
import { act, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DiffSummary } from '#shared/api/edits.ts';
import { comparePath } from '../../../state/addresses.ts';
import { closeBranchStep, useBranchStep } from '../../../state/branch-steps.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import {
  answerDiffRows,
  type FakeChange,
  fakeSession,
  plainChanges,
  someChanges,
  summaryOf,
} from '../testing/fake-comparison.ts';
import { ComparePage } from './compare-page.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;

function open(
  changes: readonly FakeChange[],
  summary: DiffSummary = summaryOf(changes),
  path = comparePath('wonders', 'fix'),
) {
  server = fakeServer({
    session: () => fakeSession(),
    diffRows: ({ body }) => answerDiffRows(changes, summary, body),
  });
  page = renderPage(<ComparePage table="wonders" from="fix" into="main" />, path);
}

const press = (key: string) => fireEvent.keyDown(document.body, { key });

beforeEach(preparePage);
afterEach(() => page.close());

describe('narrowing', () => {
  test('equal changes are one group, whose rows are opened and closed again', async () => {
    const twice = ['ant', 'bee'].map(
      (key): FakeChange => ({
        key,
        change: 'modified',
        columns: ['gloss'],
        base: { id: key, gloss: 'insect', views: 1n },
        from: { id: key, gloss: 'bug', views: 1n },
        into: { id: key, gloss: 'insect', views: 1n },
      }),
    );
    open([...twice, ...plainChanges]);
    const group = await screen.findByRole('button', { name: /insect.*bug.*2 ?rows/ });
    fireEvent.click(group);
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
      'ant, modified: gloss',
      'bee, modified: gloss',
    ]);
    expect(new URLSearchParams(location.search).get('equal')).toBe(
      '{"column":"gloss","before":"insect","after":"bug"}',
    );
    expect(screen.getByText('2 rows')).toBeTruthy();
    fireEvent.click(group);
    expect(screen.getAllByRole('article')).toHaveLength(5);
    expect(server.callsOf('diffOverview')).toHaveLength(0);
  });

  test('of a long comparison groups and distributions are counted by the server, over all changes', async () => {
    const many = Array.from(
      { length: 450 },
      (_, index): FakeChange => ({ ...plainChanges[0]!, key: `k${index}` }),
    );
    const equal = { column: 'gloss', before: 'black', after: 'white' };
    open(many);
    server.set('diffOverview', () => ({
      from: { branch: 'fix', version: 12 },
      into: { branch: 'main', version: 10 },
      shifts: {
        gloss: {
          kind: 'values',
          values: [{ text: 'white', before: 0, after: 450 }],
          others: { values: 1, before: 450, after: 0 },
          cells: 450,
        },
      },
      groups: [{ change: equal, rows: 450 }],
      groupCount: 1,
      ungrouped: [],
    }));
    fireEvent.click(await screen.findByRole('button', { name: /black.*white.*450 ?rows/ }));
    await waitFor(() => expect(server.callsOf('diffRows').at(-1)?.body.equal).toEqual(equal));
    expect(screen.getByText('0 → 450')).toBeTruthy();
  });

  test('a condition is left to the server, and stands in the address', async () => {
    open(plainChanges, summaryOf(plainChanges), `${comparePath('wonders', 'fix')}?where=views%20%3E%201`);
    await screen.findByRole('article', { name: 'dog, added' });
    await waitFor(() =>
      expect(server.callsOf('diffRows').map(({ body }) => body.where)).toEqual([undefined, 'views > 1']),
    );
    fireEvent.click(screen.getByRole('button', { name: /Remove views > 1|Remove.*views/ }));
    expect(location.search).toBe('');
  });

  test('a link to one row shows its change alone', async () => {
    open(plainChanges, summaryOf(plainChanges), `${comparePath('wonders', 'fix')}?key=%22dog%22`);
    expect(await screen.findByRole('article', { name: 'dog, added' })).toBeTruthy();
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  test('as a table every change is a line; the current one opens as its card', async () => {
    open(plainChanges);
    await screen.findByRole('article', { name: 'dog, added' });
    press('l');
    const line = screen.getByRole('button', { name: 'cat, modified: gloss' });
    expect(line.getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByRole('article')).toBeNull();
    fireEvent.click(line);
    expect(screen.getByRole('article', { name: 'cat, modified: gloss' })).toBeTruthy();
    fireEvent.click(line);
    expect(screen.queryByRole('article')).toBeNull();
    press('l');
    expect(screen.getAllByRole('article')).toHaveLength(3);
  });

  test('what takes long can be stopped and asked for again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    server = fakeServer({ session: () => fakeSession(), diffRows: () => new Promise(() => {}) });
    page = renderPage(<ComparePage table="wonders" from="fix" into="main" />, comparePath('wonders', 'fix'));
    await screen.findByRole('region', { name: 'Changes' });
    act(() => void vi.advanceTimersByTime(2000));
    vi.useRealTimers();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('The comparison was stopped')).toBeTruthy();
    server.set('diffRows', ({ body }) => answerDiffRows(plainChanges, summaryOf(plainChanges), body));
    fireEvent.click(screen.getByRole('button', { name: 'Compare again' }));
    expect(await screen.findByRole('article', { name: 'dog, added' })).toBeTruthy();
  });
});

describe('picking', () => {
  test('x picks changes, which then go to another branch', async () => {
    open(someChanges);
    await screen.findByRole('article', { name: 'dog, added' });
    for (const key of ['j', 'x', 'j', 'x']) press(key);
    fireEvent.click(screen.getByRole('button', { name: 'Bring 2 picked rows to…' }));
    const { result } = renderHook(useBranchStep);
    expect(result.current).toEqual({
      kind: 'cherry-pick',
      table: 'wonders',
      from: 'fix',
      into: 'main',
      keys: ['cat', 'dog'],
    });
    act(closeBranchStep);
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(screen.queryByRole('button', { name: /picked row/ })).toBeNull();
  });
});
