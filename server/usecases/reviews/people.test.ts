import { describe, expect, test } from 'vitest';
import { isAppError } from '#shared/api/problem.ts';
import { insert, serveAnimals, set } from '../../testing/animals.ts';
import { ReviewDriver } from '../../testing/review-driver.ts';
import { addComment, deleteComment, patchComment } from './comments.ts';
import { closeReview } from './end-review.ts';
import { getReview } from './get-review.ts';
import { mergeReview } from './merge-review.ts';
import { openReview } from './open-review.ts';
import type { By } from './review-ports.ts';
import { startReviewChecks } from './run-review-checks.ts';
import { giveVerdict } from './verdicts.ts';

const animals = serveAnimals();
const reviews = new ReviewDriver(animals);

const by = (name: string): By => ({
  principal: { name, kind: 'local' },
  signal: new AbortController().signal,
});

const codeOf = (work: Promise<unknown> | (() => unknown)): Promise<unknown> =>
  (typeof work === 'function' ? Promise.resolve().then(work) : work).then(
    () => null,
    (error: unknown) => (isAppError(error) ? error.code : error),
  );

const open = async (): Promise<string> => {
  const { table } = animals;
  const body = { table, from: 'exp', into: 'main', title: 'Legs', description: '' };
  return (await openReview(animals.server.ports, body, by('ann'))).id;
};

describe('several people', () => {
  test('approve what others opened, each once, and merge by the rules', async () => {
    const { ports } = animals.server;
    await reviews.rules({ approvalsNeeded: 2, mayApproveOwn: false, mayMerge: ['cem'] });
    await animals.edit('exp', set('ant', { legs: 6 }));
    const id = await open();
    const say = (name: string, verdict: 'approved' | 'changes-requested') =>
      giveVerdict(ports, { id, verdict, body: '' }, by(name));
    expect(await codeOf(say('ann', 'approved'))).toBe('FORBIDDEN');
    await say('bob', 'changes-requested');
    await say('cem', 'approved');
    expect((await getReview(ports, { id }, by('cem'))).blockers.map(({ code }) => code)).toEqual([
      'changes-requested',
      'approvals',
    ]);
    await say('bob', 'approved');
    const seen = await getReview(ports, { id }, by('bob'));
    expect(seen.verdicts.map(({ author, verdict }) => [author, verdict])).toEqual([
      ['cem', 'approved'],
      ['bob', 'approved'],
    ]);
    expect([seen.canMerge, seen.may.merge, seen.may.approve]).toEqual([false, false, true]);
    expect(await codeOf(mergeReview(ports, { id }, by('bob')))).toBe('FORBIDDEN');
    expect((await mergeReview(ports, { id }, by('cem'))).review).toMatchObject({
      state: 'merged',
      ended: { by: 'cem' },
    });
  });

  test('change and delete their own words only, and resolve each other’s threads', async () => {
    const { ports } = animals.server;
    const id = await open();
    const { id: comment } = await addComment(ports, { id, body: 'Why?' }, by('bob'));
    expect(await codeOf(patchComment(ports, { id, comment, body: 'Mine' }, by('ann')))).toBe('FORBIDDEN');
    expect(await codeOf(() => deleteComment(ports, { id, comment }, by('ann').principal))).toBe('FORBIDDEN');
    const resolved = await patchComment(ports, { id, comment, isResolved: true }, by('ann'));
    expect(resolved).toMatchObject({ body: 'Why?', resolved: { by: 'ann' } });
    const again = await patchComment(ports, { id, comment, isResolved: false }, by('bob'));
    expect(again.resolved).toBeNull();
    expect(await codeOf(patchComment(ports, { id: '99999', comment, body: 'x' }, by('bob')))).toBe(
      'NOT_FOUND',
    );
    const other = await open().catch(() => null);
    expect(other).toBeNull();
    deleteComment(ports, { id, comment }, by('bob').principal);
    expect((await getReview(ports, { id }, by('ann'))).threads).toEqual([]);
  });
});

describe('a run of checks', () => {
  test('is one per review: the same again joins it, another takes its place, and it can be cancelled', async () => {
    const { ports } = animals.server;
    await reviews.keepChecks([
      { name: 'even', where: 'legs % 2 = 0' },
      { name: 'some', where: 'legs > 0' },
    ]);
    await animals.edit('exp', insert('yak', 4));
    await animals.editMain(set('ant', { legs: 6 }));
    const id = await open();
    const first = await startReviewChecks(ports, { id }, by('ann'));
    const same = await startReviewChecks(ports, { id, take: 'from' }, by('bob'));
    expect(same.id).toBe(first.id);
    expect((await getReview(ports, { id, withChanges: false }, by('ann'))).checkJob).toBe(first.id);
    const other = await startReviewChecks(ports, { id, checks: ['even'] }, by('ann'));
    expect(other.id).not.toBe(first.id);
    ports.jobs.cancel(other.id);
    for (const job of [first, other]) {
      let state = '';
      for await (const info of ports.jobs.follow(job.id, by('ann').signal)) state = info.state;
      expect(state).toBe('cancelled');
    }
    const { checkRun, checkJob } = await getReview(ports, { id }, by('ann'));
    expect([checkRun, checkJob]).toEqual([null, null]);
    expect(ports.store.reviews.listScratch()).toEqual([]);
  });
});

test('two who close and merge at once: one of them is told', async () => {
  const { ports } = animals.server;
  await animals.edit('exp', set('ant', { legs: 6 }));
  const id = await open();
  const codes = await Promise.all([
    codeOf(mergeReview(ports, { id }, by('ann'))),
    codeOf(closeReview(ports, { id, body: '', deleteBranch: false }, by('bob'))),
  ]);
  const { state } = await getReview(ports, { id }, by('ann'));
  const legs = (await animals.rows('main')).ant?.[0];
  expect([state, legs, ...codes]).toEqual(
    state === 'merged' ? ['merged', '6', null, 'CONFLICT'] : ['closed', '4', 'CONFLICT', null],
  );
});
