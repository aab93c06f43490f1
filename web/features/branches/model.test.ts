import { describe, expect, test } from 'vitest';
import type { BranchInfo } from '#shared/api/tables.ts';
import {
  branchNameProblem,
  commitsAhead,
  describeRef,
  editableBranch,
  listRefOptions,
  mergeTarget,
  readRef,
  tagNameProblem,
  whyNotDeleted,
} from './model.ts';
import { undoBranchName } from './revert-on-branch.ts';

const branch = (name: string, over: Partial<BranchInfo> = {}): BranchInfo => ({
  name,
  version: 12,
  parent: name === 'main' ? null : { branch: 'main', version: 9 },
  updatedAt: '2026-01-01T00:00:00Z',
  isProtected: name === 'main',
  ...over,
});

const branches = [
  branch('exp', { updatedAt: '2026-01-02T00:00:00Z' }),
  branch('main'),
  branch('sub', { parent: { branch: 'exp', version: 10 }, updatedAt: '2026-01-03T00:00:00Z' }),
];

test('a branch is ahead by what it made since it left', () => {
  expect(branches.map((one) => [commitsAhead(one), mergeTarget(one)])).toEqual([
    [3, 'main'],
    [0, 'main'],
    [2, 'exp'],
  ]);
});

describe('names', () => {
  test.each([
    ['fix-glosses', null],
    ['ann/fix', null],
    ['exp', 'There is a branch “exp” already.'],
  ])('%s', (name, problem) => {
    expect(branchNameProblem(name, ['main', 'exp'])).toBe(problem);
  });

  test('say what is wrong as one types', () => {
    expect(branchNameProblem('a b', [])).toContain('it has other characters');
    expect(branchNameProblem('curio-x', [])).toContain('reserved');
    expect(tagNameProblem('ü', [])).toContain('ASCII');
    expect([tagNameProblem('golden', ['golden']), tagNameProblem('v1.2', [])]).toEqual([
      'There is a tag “golden” already.',
      null,
    ]);
  });
});

test('main, protected branches and parents stay', () => {
  expect(
    [...branches, branch('safe', { isProtected: true })].map((one) =>
      whyNotDeleted(one, {
        branches,
        tags: [{ name: 'golden', branch: 'sub', version: 11, createdAt: null, message: null }],
      }),
    ),
  ).toEqual([
    'sub was made from it.',
    'main is the table itself.',
    'The tag golden points at it.',
    'safe is protected.',
  ]);
});

test('a branch that takes something back has a free name', () => {
  expect([
    undoBranchName('fix-glosses', ['undo-fix-glosses']),
    undoBranchName('exp:12', []),
    undoBranchName('version 4', []),
  ]).toEqual(['undo-fix-glosses-2', 'undo-exp-12', 'undo-version-4']);
});

test('main comes first, a pinned version has its own entry', () => {
  const tags = [{ name: 'golden', branch: 'main', version: 3, createdAt: null, message: null }];
  expect(
    listRefOptions({ branches, tags, refText: 'exp' }).map(({ value, ahead }) => [value, ahead]),
  ).toEqual([
    ['main', 0],
    ['sub', 2],
    ['exp', 3],
    ['tag:golden', 0],
  ]);
  expect(listRefOptions({ branches, tags, refText: 'exp:11' })[0]).toEqual({
    value: 'exp:11',
    label: 'exp · version 11',
    group: 'Version',
    ahead: 0,
    isProtected: false,
    at: null,
  });
});

test('edits land on heads only', () => {
  expect(
    ['exp', 'exp:12', 'exp:11', 'tag:golden', 'gone', ''].map(
      (text) => editableBranch(text, branches)?.name ?? null,
    ),
  ).toEqual(['exp', 'exp', null, null, null, 'main']);
  expect([describeRef(readRef('tag:a')), describeRef(readRef('a:0')), describeRef(readRef('a:2'))]).toEqual([
    'a',
    'a:0',
    'a · version 2',
  ]);
});
