import type { JobInfo } from '#shared/api/jobs.ts';
import type { Session } from '#shared/api/session.ts';
import type { BranchInfo, TableDetail, TableSummary, VersionInfo } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';

const at = '2026-01-01T00:00:00Z';

export const fakeBranch = (name: string, over: Partial<BranchInfo> = {}): BranchInfo => ({
  name,
  version: name === 'main' ? 10 : 12,
  parent: name === 'main' ? null : { branch: 'main', version: 9 },
  updatedAt: at,
  isProtected: name === 'main',
  ahead: name === 'main' ? 0 : 3,
  ...over,
});

export const fakeTable = (name: string, over: Partial<TableSummary> = {}): TableSummary => ({
  name,
  rows: 218,
  bytes: 5_800_000,
  key: ['id'],
  description: '',
  updatedAt: at,
  preview: null,
  notices: [],
  branches: [fakeBranch('main'), fakeBranch('fix')],
  ...over,
});

export const fakeSession = (over: Partial<Session> = {}): Session => ({
  version: '0.1.0',
  principal: { name: 'you', kind: 'local' },
  may: [],
  jobs: [],
  notices: [],
  tables: [fakeTable('wonders')],
  ...over,
});

export const fakeColumn = (name: string, type: string, over: Partial<ColumnInfo> = {}): ColumnInfo => ({
  name,
  type,
  nullable: true,
  role: 'other',
  description: '',
  tags: [],
  ...over,
});

/** A table at the head of a branch; `main` is protected. */
export const fakeDetail = (branch = 'fix', over: Partial<TableDetail> = {}): TableDetail => ({
  name: 'wonders',
  ref: { branch, version: branch === 'main' ? 10 : 12 },
  isHead: true,
  rows: 218,
  bytes: 1,
  key: ['id'],
  description: '',
  columns: [
    fakeColumn('id', 'utf8', { role: 'key', nullable: false }),
    fakeColumn('gloss', 'utf8', { role: 'text' }),
    fakeColumn('views', 'int64', { role: 'number' }),
    fakeColumn('tags', 'list<utf8>', { role: 'label' }),
    fakeColumn('taken', 'timestamp[us, UTC]', { role: 'time' }),
    fakeColumn('image', 'blob', { role: 'image' }),
  ],
  indexes: [],
  tags: [],
  branches: [fakeBranch('main'), fakeBranch('fix')],
  hasStableRowIds: true,
  notices: [],
  ...over,
});

export const fakeJob = (over: Partial<JobInfo> = {}): JobInfo => ({
  id: 'j1',
  kind: 'import',
  title: 'Import clips',
  state: 'running',
  done: 50,
  total: 200,
  unit: 'rows',
  message: 'Writing rows',
  createdAt: at,
  updatedAt: at,
  ...over,
});

export const fakeVersion = (version: number, over: Partial<VersionInfo> = {}): VersionInfo => ({
  version,
  branch: 'fix',
  at,
  author: 'you',
  message: null,
  kind: 'edit',
  rows: { inserted: 0, updated: 1, deleted: 0 },
  editId: null,
  mergedFrom: null,
  ...over,
});
