import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DiffSummary } from '../api/edits.ts';
import type { CheckResult, CheckRun, Verdict } from '../api/review-parts.ts';
import { type Check, CheckList, formatChecks, parseChecks } from './checks.ts';
import { planBlockers, type ReviewFacts } from './review-blockers.ts';
import { defaultRules } from './review-rules.ts';

const changes: DiffSummary = {
  base: { branch: 'main', version: 1 },
  from: { branch: 'exp', version: 2 },
  into: { branch: 'main', version: 1 },
  mode: 'three-way',
  rows: { added: 0, removed: 0, modified: 1 },
  columns: { added: [], removed: [], changed: [], facts: [] },
  cells: { label: 1 },
  conflicts: { rows: 0, cells: 0 },
  mergeable: true,
  notices: [],
};

const facts = (more: Partial<ReviewFacts> = {}): ReviewFacts => ({
  state: 'open',
  table: 'pets',
  from: 'exp',
  into: 'main',
  author: 'ann',
  gone: null,
  changes,
  rules: defaultRules,
  mayMerge: true,
  verdicts: [],
  checks: [],
  run: null,
  unresolvedThreads: 0,
  ...more,
});

const said = (author: string, verdict: Verdict['verdict'], isStale = false): Verdict => ({
  author,
  verdict,
  body: '',
  at: '2024-05-01T10:00:00Z',
  fromVersion: 2,
  isStale,
});

const check = (name: string, severity: Check['severity'] = 'required'): Check => ({
  name,
  description: '',
  where: 'true',
  severity,
});

const runOf = (outcomes: Record<string, CheckResult['outcome']>, isStale = false): CheckRun => ({
  at: '2024-05-01T10:00:00Z',
  author: 'ann',
  from: changes.from,
  into: changes.into,
  choicesDigest: '',
  isStale,
  results: Object.entries(outcomes).map(([name, outcome]) => ({
    name,
    outcome,
    severity: 'required',
    failing: 0,
    failingBefore: null,
    scope: 'all 3 rows',
    sample: [],
    keys: [],
    open: null,
    problem: null,
    elapsedMs: 1,
  })),
});

const codes = (more: Partial<ReviewFacts>): string[] => planBlockers(facts(more)).map(({ code }) => code);

describe('what keeps a review from being merged', () => {
  test.each<[string, Partial<ReviewFacts>, string[]]>([
    ['nothing', {}, []],
    ['its state, and then nothing else is said', { state: 'merged', gone: 'table' }, ['not-open']],
    ['what is gone', { gone: 'from', mayMerge: false }, ['branch-gone']],
    ['the table', { gone: 'table' }, ['table-gone']],
    [
      'no changes',
      { changes: { ...changes, rows: { added: 0, removed: 0, modified: 0 } } },
      ['nothing-to-merge'],
    ],
    ['conflicts', { changes: { ...changes, conflicts: { rows: 1, cells: 2 } } }, ['conflicts']],
    ['no key', { changes: { ...changes, mergeable: false, notices: ['No key.'] } }, ['not-mergeable']],
    ['a right', { mayMerge: false }, ['may-not-merge']],
    ['an approval', { rules: { ...defaultRules, approvalsNeeded: 1 } }, ['approvals']],
    [
      'a stale approval',
      { rules: { ...defaultRules, approvalsNeeded: 1 }, verdicts: [said('bob', 'approved', true)] },
      ['approvals'],
    ],
    [
      'the author’s own approval',
      {
        rules: { ...defaultRules, approvalsNeeded: 1, mayApproveOwn: false },
        verdicts: [said('ann', 'approved')],
      },
      ['approvals'],
    ],
    [
      'enough approvals, one of them stale where that counts: nothing',
      {
        rules: { ...defaultRules, approvalsNeeded: 2, countStaleApprovals: true },
        verdicts: [said('bob', 'approved', true), said('ann', 'approved')],
      },
      [],
    ],
    [
      'a stale request for changes',
      { verdicts: [said('bob', 'changes-requested', true)] },
      ['changes-requested'],
    ],
    [
      'threads',
      { rules: { ...defaultRules, needsResolvedThreads: true }, unresolvedThreads: 2 },
      ['threads'],
    ],
    ['no run', { checks: [check('a')] }, ['checks-not-run']],
    ['a stale run', { checks: [check('a')], run: runOf({ a: 'failed' }, true) }, ['checks-not-run']],
    ['a failure', { checks: [check('a')], run: runOf({ a: 'failed' }) }, ['checks-failed']],
    ['an error', { checks: [check('a')], run: runOf({ a: 'error' }) }, ['checks-failed']],
    [
      'one failure, one not run, warnings aside',
      { checks: [check('a'), check('b'), check('c', 'warning')], run: runOf({ a: 'failed', c: 'failed' }) },
      ['checks-failed', 'checks-not-run'],
    ],
    ['checks that cannot be read', { checks: null }, ['checks-unreadable']],
  ])('%s', (_what, more, expected) => expect(codes(more)).toEqual(expected));

  test('conflicts are counted by rows, or by columns where no row is in it', () => {
    const messageOf = (rows: number, cells: number): string | undefined =>
      planBlockers(facts({ changes: { ...changes, conflicts: { rows, cells } } }))[0]?.message;
    expect(messageOf(1, 2)).toBe('1 row conflicts with what main changed since.');
    expect(messageOf(0, 2)).toBe('2 columns conflict with what main changed since.');
  });

  test('names those who asked, and says that approvals are of an earlier version', () => {
    const rules = { ...defaultRules, approvalsNeeded: 2 };
    const verdicts = [said('bob', 'changes-requested'), said('cem', 'approved', true)];
    expect(planBlockers(facts({ rules, verdicts }))).toMatchObject([
      { code: 'changes-requested', message: 'bob asked for changes.', names: ['bob'] },
      {
        code: 'approvals',
        message: '2 approvals of 2 are missing.',
        hint: expect.stringContaining('earlier'),
      },
    ]);
  });
});

describe('the checks that a table keeps', () => {
  test('are read as they were written', () => {
    const made = fc.array(
      fc.record({
        name: fc.string({ minLength: 1, maxLength: 20 }),
        description: fc.string(),
        where: fc.string({ minLength: 1 }),
        severity: fc.constantFrom('required' as const, 'warning' as const),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(made, (checks) => {
        const valid = CheckList.safeParse(checks);
        fc.pre(valid.success);
        expect(parseChecks(formatChecks(valid.data!))).toEqual(valid.data);
      }),
    );
  });

  test.each([
    ['', []],
    [null, []],
    ['{"name":1}', null],
    ['no JSON', null],
    ['[{"name":"a","where":"x","severity":"fatal"}]', null],
  ])('%s is %j', (text, expected) => expect(parseChecks(text)).toEqual(expected));
});
