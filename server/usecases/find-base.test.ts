import { describe, expect, test } from 'vitest';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import type { TableHeads } from '../ports/table-reader.ts';
import { findMergeBase } from './find-base.ts';

const at = (branch: string, version: number): PinnedRef => ({ branch, version });

const headsOf = (createdAt = '2024-01-02T00:00:00.000Z'): TableHeads => ({
  uuid: 'table',
  branches: [
    { name: 'main', version: 20, parent: null, createdAt: null, updatedAt: '' },
    { name: 'exp', version: 20, parent: at('main', 5), createdAt, updatedAt: '' },
  ],
  tags: [],
});

const edit = (over: Partial<EditRecord>): EditRecord => ({
  id: `edit ${over.toVersion}`,
  tableUuid: 'table',
  branch: 'main',
  branchCreatedAt: '',
  kind: 'edit',
  fromVersion: (over.toVersion ?? 1) - 1,
  toVersion: 1,
  author: 'you',
  message: null,
  changed: { inserted: 0, updated: 0, deleted: 0 },
  at: '2024-01-03T00:00:00.000Z',
  undoes: null,
  mergedFrom: null,
  mergeBase: null,
  detail: null,
  ...over,
});

const merged = (toVersion: number, from: number, over: Partial<EditRecord> = {}) =>
  edit({ kind: 'merge', toVersion, mergedFrom: at('exp', from), ...over });

function baseOf(edits: EditRecord[], into = 20, heads = headsOf()): PinnedRef | null {
  const store = {
    listEdits: ({ branch, branchCreatedAt }: { branch: string; branchCreatedAt: string }) =>
      edits.filter((record) => record.branch === branch && record.branchCreatedAt === branchCreatedAt),
  };
  return findMergeBase({ store: store as never }, { heads, from: at('exp', 20), into: at('main', into) });
}

describe('the base of a merge', () => {
  test('is the fork, and after a merge the merged version', () => {
    expect(baseOf([])).toEqual(at('main', 5));
    expect(baseOf([merged(8, 7)])).toEqual(at('exp', 7));
    expect(baseOf([merged(8, 7)], 7)).toEqual(at('main', 5));
  });

  test('is the fork again after the merge was undone, and the merged version when that was undone', () => {
    const undo = edit({ id: 'undo', kind: 'undo', toVersion: 10, undoes: 'edit 8' });
    const redo = edit({ kind: 'undo', toVersion: 12, undoes: 'undo' });
    expect(baseOf([merged(8, 7), undo])).toEqual(at('main', 5));
    expect(baseOf([merged(8, 7), undo], 9)).toEqual(at('exp', 7));
    expect(baseOf([merged(8, 7), undo, redo])).toEqual(at('exp', 7));
    expect(baseOf([merged(8, 7), undo, redo], 11)).toEqual(at('main', 5));
  });

  test('forgets a merge whose version was reverted, or which a restore went back before', () => {
    expect(
      baseOf([merged(8, 7), edit({ kind: 'revert', toVersion: 10, detail: { versions: [8] } })]),
    ).toEqual(at('main', 5));
    expect(
      baseOf([merged(8, 7), edit({ kind: 'revert', toVersion: 10, detail: { versions: [9] } })]),
    ).toEqual(at('exp', 7));
    expect(
      baseOf([merged(8, 7), edit({ kind: 'restore', toVersion: 10, detail: { ref: at('main', 6) } })]),
    ).toEqual(at('main', 5));
  });

  test('knows a branch from another that had its name', () => {
    const merge = merged(8, 7, { detail: { fromCreatedAt: '2024-01-02T00:00:00.000Z' } });
    expect(baseOf([merge])).toEqual(at('exp', 7));
    expect(baseOf([merge], 20, headsOf('2024-02-02T00:00:00.000Z'))).toEqual(at('main', 5));
  });

  test('follows a rebase', () => {
    const rebase = edit({
      branch: 'exp',
      branchCreatedAt: '2024-01-02T00:00:00.000Z',
      kind: 'rebase',
      toVersion: 9,
      mergedFrom: at('main', 8),
    });
    expect(baseOf([rebase])).toEqual(at('main', 8));
  });
});
