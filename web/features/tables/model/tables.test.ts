import { expect, test } from 'vitest';
import type { TableSummary } from '#shared/api/tables.ts';
import { canBeKey, planSettings } from './settings.ts';
import { planTables, workBranches } from './tables.ts';

const table = (name: string, over: Partial<TableSummary> = {}): TableSummary => ({
  name,
  rows: 1,
  bytes: 1,
  key: [],
  description: '',
  branches: [],
  updatedAt: '2026-01-01T00:00:00Z',
  preview: null,
  notices: [],
  ...over,
});

test('tables are found by name and description, and ordered', () => {
  const tables = [
    table('clip10', { rows: 5, description: 'Short films' }),
    table('clip9', { rows: 5 }),
    table('birds', { rows: 9, bytes: 7, updatedAt: '2026-02-01T00:00:00Z' }),
  ];
  const names = (text: string, order: 'changed' | 'name' | 'rows' | 'size') =>
    planTables(tables, { text, order }).map(({ name }) => name);
  expect([
    names('', 'changed'),
    names('', 'name'),
    names('', 'size'),
    names('CLIP films', 'name'),
    names('none', 'rows'),
  ]).toEqual([
    ['birds', 'clip9', 'clip10'],
    ['birds', 'clip9', 'clip10'],
    ['birds', 'clip9', 'clip10'],
    ['clip10'],
    [],
  ]);
});

test('branches with open work come first, main is nobody’s work', () => {
  const branch = (name: string, updatedAt: string, ahead: number) => ({
    name,
    version: 2,
    parent: null,
    updatedAt,
    isProtected: name === 'main',
    ahead,
  });
  const branches = [
    branch('main', '9', 0),
    branch('a', '1', 2),
    branch('merged', '3', 0),
    branch('b', '2', 1),
  ];
  expect(workBranches({ branches }).map(({ name }) => name)).toEqual(['b', 'a', 'merged']);
});

test('only what is changed is saved, and only some types can be a key', () => {
  const detail = { description: 'Birds', key: ['id'] };
  expect([
    planSettings(detail, detail),
    planSettings(detail, { description: 'Owls', key: ['id'] }),
    planSettings(detail, { description: 'Birds', key: ['day', 'id'] }),
  ]).toEqual([null, { description: 'Owls' }, { key: ['day', 'id'] }]);
  const can = (type: string, more = {}) => canBeKey({ type, role: 'other', ...more });
  expect([
    can('int64'),
    can('utf8'),
    can('date32'),
    can('float32'),
    can('list<utf8>'),
    can('utf8', { hidden: true }),
    can('blob'),
  ]).toEqual([true, true, true, false, false, false, false]);
});
