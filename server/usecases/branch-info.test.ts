import { expect, test } from 'vitest';
import type { BranchInfo } from '#shared/api/tables.ts';
import type { ReviewRecord } from '../ports/review-store.ts';
import type { EditRecord, StudioStore } from '../ports/studio-store.ts';
import type { BranchHead, TableHeads } from '../ports/table-reader.ts';
import { toBranchInfos } from './branch-info.ts';

const record = (over: Partial<EditRecord> & { branch: string; toVersion: number }): EditRecord => ({
  id: `${over.branch}-${over.toVersion}`,
  tableUuid: 'u',
  branchCreatedAt: over.branch === 'main' ? '' : 'then',
  kind: 'edit',
  fromVersion: over.toVersion - 1,
  author: 'you',
  message: null,
  changed: { inserted: 0, updated: 1, deleted: 0 },
  at: '2026-01-01T00:00:00Z',
  undoes: null,
  mergedFrom: null,
  mergeBase: null,
  detail: null,
  ...over,
});

const head = (name: string, version: number, parent: BranchHead['parent'] = null): BranchHead => ({
  name,
  version,
  parent,
  createdAt: parent ? 'then' : null,
  updatedAt: '2026-01-01T00:00:00Z',
});

/** `edits` and `reviews` have the newest first, as the store lists them. */
const infosOf = (
  branches: BranchHead[],
  { edits = [], reviews = [] }: { edits?: EditRecord[]; reviews?: ReviewRecord[] },
): BranchInfo[] => {
  const store = {
    listProtectedBranches: () => [],
    reviews: { list: () => reviews, getRules: () => null } as Partial<
      StudioStore['reviews']
    > as StudioStore['reviews'],
    listEdits: ({ branch, branchCreatedAt }) =>
      edits.filter((one) => one.branch === branch && one.branchCreatedAt === branchCreatedAt),
  } as Partial<StudioStore> as StudioStore;
  const heads: TableHeads = { uuid: 'u', branches, tags: [] };
  return toBranchInfos({ store }, heads);
};

const aheadOf = (branches: BranchHead[], edits: EditRecord[]) =>
  Object.fromEntries(infosOf(branches, { edits }).map(({ name, ahead }) => [name, ahead]));

const fork = { branch: 'main', version: 4 };

test('a branch is ahead by its steps, however many versions a step took', () => {
  const edits = [record({ branch: 'exp', toVersion: 9 }), record({ branch: 'exp', toVersion: 5 })];
  expect(aheadOf([head('main', 4), head('exp', 9, fork), head('new', 4, fork)], edits)).toEqual({
    main: 0,
    exp: 2,
    new: 0,
  });
});

test('what was undone does not count, what was done again does', () => {
  const edit = record({ branch: 'exp', toVersion: 5, id: 'e' });
  const undo = record({ branch: 'exp', toVersion: 6, id: 'u', kind: 'undo', undoes: 'e' });
  const redo = record({ branch: 'exp', toVersion: 7, id: 'r', kind: 'undo', undoes: 'u' });
  expect(aheadOf([head('exp', 6, fork)], [undo, edit])).toEqual({ exp: 0 });
  expect(aheadOf([head('exp', 7, fork)], [redo, undo, edit])).toEqual({ exp: 1 });
});

test('only what came after the last merge counts', () => {
  const own = [
    record({ branch: 'exp', toVersion: 7 }),
    record({ branch: 'exp', toVersion: 6 }),
    record({ branch: 'exp', toVersion: 5 }),
  ];
  const merge = record({
    branch: 'main',
    toVersion: 8,
    kind: 'merge',
    mergedFrom: { branch: 'exp', version: 6 },
  });
  expect(aheadOf([head('main', 8), head('exp', 7, fork)], [merge, ...own])).toEqual({ main: 0, exp: 1 });
  const older = record({
    branch: 'main',
    toVersion: 3,
    kind: 'merge',
    mergedFrom: { branch: 'exp', version: 3 },
  });
  expect(aheadOf([head('main', 4), head('exp', 7, fork)], [older, ...own])).toEqual({ main: 0, exp: 3 });
});

test('versions that other programs made count one each', () => {
  expect(aheadOf([head('main', 4), head('exp', 7, fork)], [])).toEqual({ main: 0, exp: 3 });
});

test('a branch names the newest open review that offers it, not one of an earlier branch of the name', () => {
  const review = (id: string, branch: string, createdAt: string): ReviewRecord =>
    ({
      id,
      from: { branch, createdAt },
      into: { branch: 'main', createdAt: '' },
    }) as Partial<ReviewRecord> as ReviewRecord;
  const reviews = [review('3', 'exp', 'then'), review('2', 'exp', 'then'), review('1', 'new', 'before')];
  const infos = infosOf([head('main', 4), head('exp', 9, fork), head('new', 4, fork)], { reviews });
  expect(infos.map((info) => info.review ?? null)).toEqual([null, { id: '3', into: 'main' }, null]);
});
