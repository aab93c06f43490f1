import { describe, expect, test } from 'vitest';
import type { VersionInfo } from '#shared/api/tables.ts';
import {
  dayName,
  describeRows,
  describeVersion,
  isHousekeeping,
  kindOfVersion,
  signedCounts,
} from './model.ts';

const version = (over: Partial<VersionInfo>): VersionInfo => ({
  version: 3,
  branch: 'main',
  at: '2026-03-10T12:00:00',
  author: 'you',
  message: null,
  kind: 'edit',
  rows: { inserted: 0, updated: 0, deleted: 0 },
  editId: null,
  mergedFrom: null,
  ...over,
});

test('row counts read as a sentence', () => {
  expect([
    describeRows({ inserted: 0, updated: 3, deleted: 0 }),
    describeRows({ inserted: 1, updated: 2, deleted: 1200 }),
    describeRows({ inserted: 0, updated: 0, deleted: 0 }),
  ]).toEqual(['3 rows changed', '2 rows changed, 1 added, 1\u2009200 removed', '']);
  expect(signedCounts({ inserted: 2, updated: 0, deleted: 1 })).toEqual([
    { tone: 'added', text: '2' },
    { tone: 'removed', text: '1' },
  ]);
});

describe('a version says what it did', () => {
  test.each([
    [version({ message: 'Fix glosses' }), 'Fix glosses'],
    [version({ kind: 'merge', mergedFrom: { branch: 'exp', version: 4 } }), 'Merged exp'],
    [version({ kind: 'rebase', mergedFrom: { branch: 'main', version: 4 } }), 'Brought up to date with main'],
    [
      version({ kind: 'other', author: null, rows: { inserted: 10, updated: 0, deleted: 0 } }),
      '10 rows added',
    ],
    [version({ kind: 'other', author: null }), 'Changed by another program'],
    [version({ kind: 'compaction' }), 'Tidied the files'],
    [version({ kind: 'something-new' }), 'Changed by another program'],
  ])('%#: %s', (input, text) => {
    expect(describeVersion(input)).toBe(text);
  });
});

test('housekeeping leaves the rows as they were', () => {
  expect(
    [
      version({ kind: 'index' }),
      version({ kind: 'other' }),
      version({ kind: 'other', rows: { inserted: 1, updated: 0, deleted: 0 } }),
      version({}),
    ].map(isHousekeeping),
  ).toEqual([true, true, false, false]);
  expect([kindOfVersion('cherry-pick'), kindOfVersion('x')]).toEqual(['merge', 'other']);
});

test('a day is named as people name it', () => {
  const now = new Date('2026-03-10T23:00:00');
  const days = [
    '2026-03-10T01:00:00',
    '2026-03-09T23:59:00',
    '2026-03-01T10:00:00',
    '2025-12-24T10:00:00',
    '',
  ].map((at) => dayName(new Date(at), now));
  expect(days).toEqual([
    'Today',
    'Yesterday',
    'Sunday, March 1',
    'Wednesday, December 24, 2025',
    'At an unknown time',
  ]);
});
