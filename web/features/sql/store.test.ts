// @vitest-environment jsdom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  activeTab,
  addTab,
  closeTab,
  openStatement,
  remember,
  restoreTab,
  setRefs,
  setStatement,
  sqlStore,
} from './store.ts';

const statements = () => sqlStore.getState().tabs.map(({ sql }) => sql);
const entry = (sql: string) => ({
  sql,
  at: '2026-01-01T00:00:00Z',
  engine: null,
  rows: null,
  elapsedMs: null,
  error: null,
});

beforeEach(() => {
  for (const { id } of sqlStore.getState().tabs) closeTab(id);
  sqlStore.setState({ history: [] });
});

describe('tabs', () => {
  test('a statement opens in the empty tab, then in new ones, and once only', () => {
    openStatement('select 1');
    openStatement('select 2', { clips: 'main:5' });
    openStatement('select 1');
    expect(statements()).toEqual(['select 1', 'select 2']);
    expect(activeTab(sqlStore.getState()).sql).toBe('select 1');
    openStatement('select 1', { clips: 'main:6' });
    expect(statements()).toEqual(['select 1', 'select 2', 'select 1']);
  });

  test('closing shows the neighbour and can be undone', () => {
    openStatement('select 1');
    addTab();
    setStatement(activeTab(sqlStore.getState()).id, 'select 2');
    const closed = closeTab(activeTab(sqlStore.getState()).id);
    expect(statements()).toEqual(['select 1']);
    restoreTab(closed as NonNullable<typeof closed>);
    expect(statements()).toEqual(['select 1', 'select 2']);
    expect(activeTab(sqlStore.getState()).sql).toBe('select 2');
  });

  test('there is always a tab', () => {
    closeTab(activeTab(sqlStore.getState()).id);
    expect(statements()).toEqual(['']);
  });

  test('refs belong to their tab', () => {
    openStatement('select 1');
    setRefs(activeTab(sqlStore.getState()).id, { clips: 'exp' });
    addTab();
    expect(sqlStore.getState().tabs.map(({ refs }) => refs)).toEqual([{ clips: 'exp' }, {}]);
  });
});

test('the history has each statement once, newest first, and an end', () => {
  for (let count = 0; count < 250; count += 1) remember(entry(`select ${count}`));
  remember(entry('select 100'));
  const { history } = sqlStore.getState();
  expect(history).toHaveLength(200);
  expect(history.slice(0, 2).map(({ sql }) => sql)).toEqual(['select 100', 'select 249']);
});

test('what is open is kept in this browser', async () => {
  openStatement('select kept');
  await vi.waitFor(() => expect(localStorage.getItem('curio.sql') ?? '').toContain('select kept'));
});
