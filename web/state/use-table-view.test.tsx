// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptySelection, selectRows } from './selection.ts';
import { useTableView } from './use-table-view.ts';

beforeEach(() => {
  vi.useFakeTimers();
  history.replaceState(null, '', '/t/wonders');
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const start = () => renderHook(() => useTableView()).result;
const settle = () => act(() => vi.advanceTimersByTime(300));

test('what is seen makes a step in the history at once; where one looks follows without one', () => {
  const result = start();
  const steps = history.length;
  act(() => result.current[1]({ conditions: [{ sql: 'n = 1' }] }));
  expect([location.search, history.length]).toEqual(['?where=n+%3D+1', steps + 1]);
  act(() => result.current[1]({ at: 40 }));
  act(() => result.current[1]({ rowId: '7' }, { replace: true }));
  expect([result.current[0].at, result.current[0].rowId, location.search]).toEqual([
    40,
    '7',
    '?where=n+%3D+1',
  ]);
  settle();
  expect([location.search, history.length]).toEqual(['?where=n+%3D+1&row=7&at=40', steps + 1]);
});

test('a quiet change that waits is part of the step before the next one', () => {
  const result = start();
  act(() => result.current[1]({ at: 40 }));
  act(() => result.current[1]({ view: 'gallery' }));
  expect(location.search).toBe('?view=gallery&at=40');
  settle();
  expect(location.search).toBe('?view=gallery&at=40');
});

test('a selection too long for an address is kept all the same', () => {
  const result = start();
  const odd = selectRows(
    emptySelection,
    Array.from({ length: 2000 }, (_none, at) => String(at * 2 + 1)),
    true,
  );
  act(() => result.current[1]({ selection: odd }));
  settle();
  act(() => result.current[1]({ at: 3 }));
  settle();
  expect([location.search, result.current[0].selection]).toEqual(['?at=3', odd]);
});

test('going back gives the view back', async () => {
  const result = start();
  act(() => result.current[1]({ sort: [{ column: 'title' }] }));
  vi.useRealTimers();
  await act(async () => {
    const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await moved;
  });
  expect(result.current[0].sort).toEqual([]);
});

test('a pasted list of ten thousand values stands in the fragment, and comes back with it', () => {
  const result = start();
  const sql = `n in (${Array.from({ length: 10_000 }, (_none, i) => i * 7).join(', ')})`;
  act(() => result.current[1]({ conditions: [{ sql }] }));
  expect([location.search, location.hash.slice(0, 8)]).toEqual(['', '#?where=']);
  cleanup();
  expect(start().current[0].conditions).toEqual([{ sql }]);
  act(() => result.current[1]({ conditions: [] }));
  expect([location.search, location.hash]).toEqual(['', '']);
});
