// @vitest-environment jsdom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  activeTab,
  addTab,
  changeTab,
  closeTab,
  isDirty,
  openSaved,
  openStatement,
  remember,
  restoreTab,
  setChart,
  setParam,
  setStatement,
  sqlStore,
} from './store.ts';

const statements = () => sqlStore.getState().tabs.map(({ sql }) => sql);
const entry = (sql: string) => ({
  sql,
  refs: {},
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
    changeTab(activeTab(sqlStore.getState()).id, { refs: { clips: 'exp' } });
    addTab();
    expect(sqlStore.getState().tabs.map(({ refs }) => refs)).toEqual([{ clips: 'exp' }, {}]);
  });
});

describe('a saved query in a tab', () => {
  const saved = {
    id: 'q1',
    name: 'Cats',
    revision: 3,
    sql: 'select $n',
    refs: { clips: 'main:5' },
    params: [{ name: 'n', type: 'number' as const, value: '1' }],
  };
  const shown = () => activeTab(sqlStore.getState());

  test('opens on its refs or the latest, once; what was changed stays', () => {
    openSaved(saved, 'pinned');
    expect([shown().refs, isDirty(shown())]).toEqual([saved.refs, false]);
    openSaved(saved, 'latest');
    expect([statements(), shown().refs, isDirty(shown())]).toEqual([['select $n'], {}, false]);
    setStatement(shown().id, 'select $n + 1');
    expect(isDirty(shown())).toBe(true);
    openSaved({ ...saved, revision: 4, sql: 'select 4' }, 'pinned');
    expect([shown().sql, shown().saved?.revision, shown().refs]).toEqual(['select $n + 1', 3, saved.refs]);
  });

  test('a value is a change, too', () => {
    openSaved(saved, 'pinned');
    setParam(shown().id, { name: 'n', type: 'number', value: '2' });
    expect(isDirty(shown())).toBe(true);
    setParam(shown().id, { name: 'n', type: 'number', value: '1' });
    expect(isDirty(shown())).toBe(false);
  });
});

test('a chart is kept with its cell, saved with its query, and comes with a link', () => {
  const saved = { id: 'q2', name: 'By label', revision: 1, sql: 'select 1', refs: {}, params: [] };
  const shown = () => activeTab(sqlStore.getState());
  openSaved({ ...saved, charts: { '': 'bar;x:label' } }, 'pinned');
  expect([shown().charts, isDirty(shown())]).toEqual([{ '': 'bar;x:label' }, false]);
  setChart(shown().id, '', null);
  expect([shown().charts, isDirty(shown())]).toEqual([{}, true]);
  setChart(shown().id, '', 'bar;x:label');
  expect(isDirty(shown())).toBe(false);
  openStatement('select 2', {}, { charts: { big: 'heat' } });
  expect(shown().charts).toEqual({ big: 'heat' });
  openStatement('select 2', {}, { charts: { big: 'line' } });
  expect([statements(), shown().charts]).toEqual([['select 1', 'select 2', 'select 2'], { big: 'line' }]);
});

test('the history has each statement once, newest first, and an end', () => {
  for (let count = 0; count < 600; count += 1) remember(entry(`select ${count}`));
  remember(entry('select 100'));
  const { history } = sqlStore.getState();
  expect(history).toHaveLength(500);
  expect(history.slice(0, 2).map(({ sql }) => sql)).toEqual(['select 100', 'select 599']);
});

test('what is open is kept in this browser', async () => {
  openStatement('select kept');
  await vi.waitFor(() => expect(localStorage.getItem('curio.sql') ?? '').toContain('select kept'));
});
