import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRelationName, parseRelationName } from './relation-name.ts';

test('a bare name leaves the ref open', () => {
  expect(parseRelationName('clips')).toEqual({ table: 'clips', ref: null });
});

test.each([
  ['clips@exp', { kind: 'branch', branch: 'exp' }],
  ['clips@exp:12', { kind: 'branch', branch: 'exp', version: 12 }],
  ['clips@tag:golden', { kind: 'tag', tag: 'golden' }],
  ['clips@ann/fix-labels:3', { kind: 'branch', branch: 'ann/fix-labels', version: 3 }],
])('%s names a ref', (name, ref) => {
  expect(parseRelationName(name)).toEqual({ table: 'clips', ref });
});

test('a ref that cannot be read is refused', () => {
  expect(() => parseRelationName('clips@exp:latest')).toThrow('is not a ref');
});

test('writing and reading are inverse', () => {
  const table = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/);
  const branch = fc.stringMatching(/^[a-z][a-z/-]{0,8}$/);
  const ref = fc.oneof(
    fc.constant(null),
    branch.map((name) => ({ kind: 'branch' as const, branch: name })),
    fc
      .tuple(branch, fc.integer({ min: 1, max: 1e6 }))
      .map(([name, version]) => ({ kind: 'branch' as const, branch: name, version })),
    fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/).map((tag) => ({ kind: 'tag' as const, tag })),
  );
  fc.assert(
    fc.property(table, ref, (name, of) => {
      expect(parseRelationName(formatRelationName({ table: name, ref: of }))).toEqual({
        table: name,
        ref: of,
      });
    }),
  );
});
