import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CheckResult, CheckRun, ReviewEvent } from '#shared/api/review-parts.ts';
import { fakeVersion } from '../../../testing/fixtures.ts';
import { fakeReview, fakeThread, fakeVerdict } from '../testing/fake-review.ts';
import { describeAnchor, keyToken, threadsByRow, whereOfKey } from './anchor.ts';
import { actionOf, openBlockers } from './blocker-words.ts';
import { describeChecks, describeResult, listCheckRows } from './check-rows.ts';
import { draftKey, readDraft, writeDraft } from './drafts.ts';
import { planCheckPut, planCheckRemoved, toCheck, toDraft, whyNotKept } from './edit-checks.ts';
import { parseListView, type ReviewListView, writeListView } from './list-view.ts';
import {
  countApprovals,
  describeVerdict,
  formatNames,
  listPeople,
  parseNames,
  standingOf,
} from './people.ts';
import { suggestReview, titleOfBranch } from './suggest-title.ts';
import { parseTab, writeTab } from './tab.ts';
import { countUnresolved, planDeleted, planPending, planReplaced, planReworded } from './threads.ts';
import { bodyOfEvent, buildTimeline, describeEvents } from './timeline.ts';

const at = '2026-01-01T00:00:00Z';

describe('what a comment is about', () => {
  test('keys are the same however their numbers travelled', () => {
    expect(keyToken(12)).toBe(keyToken('12'));
    expect(keyToken([1, 'a'])).toBe(keyToken(['1', 'a']));
    expect(keyToken(['a', 'b'])).not.toBe(keyToken('a,b'));
    expect(keyToken(null)).not.toBe(keyToken('null'));
  });

  test('threads stand at their row; those on the whole review at none', () => {
    const threads = [
      fakeThread({ id: 'a', rowKey: 1 }),
      fakeThread({ id: 'b', rowKey: null }),
      fakeThread({ id: 'c', rowKey: '1', column: 'gloss' }),
    ];
    expect(
      threadsByRow(threads)
        .get(keyToken('1'))
        ?.map(({ id }) => id),
    ).toEqual(['a', 'c']);
    expect(threadsByRow(threads).size).toBe(1);
    expect(
      threads
        .filter(({ rowKey }) => rowKey !== null)
        .map((thread) => describeAnchor({ ...thread, rowKey: thread.rowKey ?? '' })),
    ).toEqual(['row 1', 'gloss of 1']);
  });

  test('a row is found by its key, whatever stands in it', () => {
    expect(whereOfKey("o'clock", ['id'])).toBe(`"id" = 'o''clock'`);
    expect(whereOfKey([1, null], ['a"b', 'c'])).toBe('"a""b" = 1 AND "c" IS NULL');
    expect(whereOfKey([1, 2], ['a'])).toBeNull();
    expect(whereOfKey(1, [])).toBeNull();
  });
});

describe('people', () => {
  test('who spoke comes first, then who was asked', () => {
    const review = fakeReview({
      reviewers: ['ann', 'ben'],
      verdicts: [fakeVerdict('ben'), fakeVerdict('cat')],
    });
    expect(
      listPeople(review).map(({ name, isAsked, verdict }) => [name, isAsked, describeVerdict(verdict)]),
    ).toEqual([
      ['ben', true, 'approved'],
      ['cat', false, 'approved'],
      ['ann', true, 'was asked'],
    ]);
  });

  test('approvals count by the rules', () => {
    const verdicts = [
      fakeVerdict('you'),
      fakeVerdict('ann', { isStale: true }),
      fakeVerdict('ben', { verdict: 'changes-requested' }),
      fakeVerdict('cat'),
    ];
    const rules = fakeReview().rules;
    expect([
      countApprovals({ author: 'you', verdicts, rules }),
      countApprovals({ author: 'you', verdicts, rules: { ...rules, mayApproveOwn: false } }),
      countApprovals({ author: 'you', verdicts, rules: { ...rules, countStaleApprovals: true } }),
    ]).toEqual([2, 1, 3]);
    expect([standingOf(verdicts), standingOf([fakeVerdict('a')]), standingOf([])]).toEqual([
      'changes-requested',
      'approved',
      'none',
    ]);
  });

  test('names are read as they are written', () => {
    expect(parseNames(' @ann, ben;ann\n,')).toEqual(['ann', 'ben']);
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z][a-z .]{0,8}[a-z]$/)), (names) => {
        expect(parseNames(formatNames(names))).toEqual(names);
      }),
    );
  });
});

describe('checks', () => {
  const result = (name: string, over: Partial<CheckResult> = {}): CheckResult => ({
    name,
    severity: 'required',
    outcome: 'passed',
    failing: 0,
    failingBefore: 0,
    scope: 'all 3 rows of the merge',
    sample: [],
    keys: [],
    open: null,
    problem: null,
    elapsedMs: 3,
    ...over,
  });
  const run = (results: CheckResult[]): CheckRun => ({
    at,
    author: 'you',
    from: { branch: 'fix', version: 12 },
    into: { branch: 'main', version: 10 },
    choicesDigest: '',
    results,
    isStale: false,
  });
  const check = (name: string) => ({ name, description: '', where: 'x > 0', severity: 'required' as const });

  test('each has what its last run found; results of checks that are gone stay in sight', () => {
    const rows = listCheckRows(
      [check('a'), check('b')],
      run([result('b'), result('gone', { outcome: 'error' })]),
    );
    expect(rows.map(({ name, state, check: kept }) => [name, state, kept !== null])).toEqual([
      ['a', 'not-run', true],
      ['b', 'passed', true],
      ['gone', 'error', false],
    ]);
    expect(describeChecks(rows)).toBe('1 of 3 pass');
    expect(describeChecks(listCheckRows([check('a')], null))).toBe('1 check, not run yet');
    expect(describeChecks(listCheckRows([check('a'), check('b')], run([result('a'), result('b')])))).toBe(
      'all 2 pass',
    );
  });

  test.each([
    [{ failing: 1, failingBefore: null }, '1 row fails'],
    [{ failing: 4, failingBefore: 1 }, '4 rows fail, 3 more than before'],
    [{ failing: 4, failingBefore: 6 }, '4 rows fail, 2 fewer than before'],
    [{ failing: 4, failingBefore: 4 }, '4 rows fail, as many as before'],
  ])('%j', (found, words) => {
    const [row] = listCheckRows([check('a')], run([result('a', { outcome: 'failed', ...found })]));
    expect(row && describeResult(row)).toBe(words);
  });

  test('a draft becomes the check that it came from', () => {
    const one = { name: 'a', description: 'why', sql: 'SELECT 1', severity: 'warning' as const };
    expect(toCheck(toDraft(one))).toEqual(one);
    expect(toCheck(toDraft(check('b')))).toEqual(check('b'));
    expect(whyNotKept({ ...toDraft(one), name: 'A ' }, ['a'])).toBe('There is a check “A” already.');
    expect(whyNotKept(toDraft(null), [])).toBe('Give the check a name.');
    expect(whyNotKept({ ...toDraft(one), text: ' ' }, [])).toContain('statement');
    expect(whyNotKept(toDraft(one), [])).toBeNull();
  });

  test('a changed check keeps its place, a new one comes last', () => {
    const list = [check('a'), check('b')];
    expect(planCheckPut(list, check('c'), 'a').map(({ name }) => name)).toEqual(['c', 'b']);
    expect(planCheckPut(list, check('c'), null).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(planCheckRemoved(list, 'a').map(({ name }) => name)).toEqual(['b']);
  });
});

describe('the conversation', () => {
  const event = (kind: ReviewEvent['kind'], over: Partial<ReviewEvent> = {}): ReviewEvent => ({
    id: `${kind}${over.at ?? ''}`,
    at,
    author: 'you',
    kind,
    ...over,
  });

  test('threads and events stand by time; steps in a row are one entry; what threads tell is told once', () => {
    const items = buildTimeline(
      [fakeThread({ id: 't', at: '2026-01-03' })],
      [
        event('opened', { at: '2026-01-01' }),
        event('changed', { at: '2026-01-02', body: 'one' }),
        event('changed', { at: '2026-01-02T01', changed: { inserted: 0, updated: 0, deleted: 0 } }),
        event('changed', { at: '2026-01-02T02', body: 'two' }),
        event('commented', { at: '2026-01-03' }),
        event('approved', { at: '2026-01-04' }),
      ],
    );
    expect(
      items.map((item) => (item.kind === 'thread' ? item.id : item.events.map(({ kind }) => kind))),
    ).toEqual([['changed', 'changed'], 't', ['approved']]);
  });

  test.each<[ReviewEvent[], string]>([
    [
      [event('changed', { version: 12, changed: { inserted: 1, updated: 2, deleted: 0 } })],
      'changed fix: 2 rows changed, 1 row added · version 12',
    ],
    [[event('changed'), event('changed', { at: 'b' })], 'made 2 commits on fix'],
    [[event('approved', { version: 3 })], 'approved version 3'],
    [
      [event('checks-run', { checks: { passed: 2, failed: 1, errors: 0 } })],
      'ran the checks: 2 passed, 1 failed',
    ],
    [[event('merged', { version: 5 })], 'merged it into main as version 5'],
    [[event('reviewers', { names: ['ann', 'ben'] })], 'asked ann, ben to review'],
  ])('%#', (events, words) => {
    expect(describeEvents(events as [ReviewEvent, ...ReviewEvent[]], { from: 'fix', into: 'main' })).toBe(
      words,
    );
  });

  test('a merge repeats its own title to nobody', () => {
    const review = { title: 'Mend', id: '3' };
    expect(bodyOfEvent(event('merged', { body: 'Mend (review 3)' }), review)).toBe('');
    expect(bodyOfEvent(event('merged', { body: 'As said' }), review)).toBe('As said');
  });

  test('what is on its way stands there at once', () => {
    const threads = [fakeThread({ id: 'a' })];
    const pending = { author: 'you', at, id: 1 };
    expect(
      planPending(threads, { ...pending, body: { body: 'hi', replyTo: 'a' } })[0]?.replies.map(
        ({ body }) => body,
      ),
    ).toEqual(['hi']);
    const added = planPending(threads, { ...pending, body: { body: 'new', rowKey: 1 } });
    expect(added.map(({ body, rowKey }) => [body, rowKey])).toEqual([
      ['said', null],
      ['new', 1],
    ]);
    expect(planReplaced(added, fakeThread({ id: 'b', body: 'new' })).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('a deleted comment leaves its replies', () => {
    const reply = { ...fakeThread({ id: 'r' }) };
    const threads = [fakeThread({ id: 'a', replies: [reply] }), fakeThread({ id: 'b' })];
    expect(planDeleted(threads, 'a').map(({ id, isDeleted }) => [id, isDeleted])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    expect(planDeleted(threads, 'b').map(({ id }) => id)).toEqual(['a']);
    expect(planDeleted(threads, 'r')[0]?.replies).toEqual([]);
    expect(planReworded(threads, 'r', 'x')[0]?.replies[0]?.body).toBe('x');
    expect(countUnresolved([...threads, fakeThread({ id: 'c', resolved: { by: 'you', at } })])).toBe(2);
  });
});

describe('a title out of what was done', () => {
  const step = (version: number, message: string | null, over = {}) =>
    fakeVersion(version, { message, ...over });

  test('one message is the title, several are a list under the name of the branch', () => {
    expect(suggestReview('fix', [step(12, 'Mend the glosses\n\nAll of them'), step(11, null)])).toEqual({
      title: 'Mend the glosses',
      description: 'All of them',
    });
    expect(
      suggestReview('fix/empty_glosses', [
        step(13, 'b', { branch: 'fix/empty_glosses' }),
        step(12, 'a', { branch: 'fix/empty_glosses' }),
        step(9, 'not mine', { branch: 'main' }),
      ]),
    ).toEqual({
      title: 'Fix empty glosses',
      description: '- a\n- b',
    });
    expect(suggestReview('fix', [step(12, 'Index', { kind: 'index' })])).toEqual({
      title: 'Fix',
      description: '',
    });
    expect(titleOfBranch('---')).toBe('---');
  });

  test('what is left out is counted', () => {
    const versions = Array.from({ length: 40 }, (_, index) => step(50 - index, `step ${index}`));
    expect(suggestReview('fix', versions).description.endsWith('- and 10 more')).toBe(true);
  });
});

test('blockers say what is left with what was settled here', () => {
  const blockers = [
    { code: 'conflicts' as const, message: '3 rows', hint: 'Settle', names: [] },
    { code: 'approvals' as const, message: 'One is missing', hint: '', names: [] },
  ];
  const codes = (openConflicts: number) =>
    openBlockers(blockers, { openConflicts, hasConflicts: true }).map(({ message }) => message);
  expect(codes(2)).toEqual(['2 conflicts left to settle.', 'One is missing']);
  expect(codes(0)).toEqual(['One is missing']);
  expect(blockers.map(actionOf)).toEqual(['settle', 'approve']);
});

test('addresses say what is shown', () => {
  const view: ReviewListView = { state: 'merged', table: 'a b', text: 'x&y' };
  expect(parseListView(writeListView(view))).toEqual(view);
  expect(writeListView({ state: 'open', table: '', text: '' }).size).toBe(0);
  expect(parseTab(writeTab('changes', new URLSearchParams('column=a')))).toBe('changes');
  expect(writeTab('conversation', new URLSearchParams('tab=changes&column=a')).toString()).toBe('column=a');
});

test('drafts are kept by place, and gone when they are empty', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
  const row = draftKey('1', { kind: 'row', rowKey: 1, column: null });
  expect(row).toBe(draftKey('1', { kind: 'row', rowKey: '1', column: null }));
  expect(
    new Set([
      row,
      draftKey('1', { kind: 'comment' }),
      draftKey('1', { kind: 'reply', to: 'a' }),
      draftKey('2', { kind: 'comment' }),
    ]).size,
  ).toBe(4);
  writeDraft(storage, row, 'text');
  expect(readDraft(storage, row)).toBe('text');
  writeDraft(storage, row, ' ');
  expect(kept.size).toBe(0);
});
