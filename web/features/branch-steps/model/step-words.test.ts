import { expect, test } from 'vitest';
import { describePicked, describeStepPlan, stepWords } from './step-words.ts';

test('what is picked is named by rows, columns or versions', () => {
  const step = { kind: 'cherry-pick' as const, table: 't', from: 'fix' };
  expect([
    describePicked({ ...step, keys: ['a'] }),
    describePicked({ ...step, rowIds: ['1', '2'] }),
    describePicked({ ...step, columns: ['a', 'b', 'c'] }),
    describePicked({ ...step, versions: [7] }),
  ]).toEqual(['1 row', '2 rows', 'the columns a, b and c', 'version 7']);
});

test('a plan is a sentence; one that changes nothing says so', () => {
  const plan = (updated: number, inserted: number, status: 'ready' | 'up-to-date' = 'ready') =>
    describeStepPlan(
      { status, rows: { updated, inserted, deleted: 0 }, columns: { added: [] }, conflictCount: 0 },
      'fix',
    );
  expect([plan(2, 1), plan(0, 0), plan(0, 0, 'up-to-date')]).toEqual([
    'Updates 2 rows and adds 1 row on fix.',
    'No row of fix would change; that it was settled is kept.',
    'fix has all of this already: there is nothing to do.',
  ]);
});

test('the sides of a conflict are called by what they are', () => {
  const revert = stepWords({ kind: 'revert', table: 't', branch: 'fix', versions: [3, 2] }, 'fix');
  expect([revert.title, revert.sides]).toEqual([
    'Revert versions 3 and 2 of fix',
    { from: 'as it was before', into: 'as it is now', base: 'as that version made it' },
  ]);
});
