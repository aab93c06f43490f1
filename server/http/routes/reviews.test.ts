import { describe, expect, test } from 'vitest';
import type { Session } from '#shared/api/session.ts';
import type { BranchInfo } from '#shared/api/tables.ts';
import { insert, remove, serveAnimals, set } from '../../testing/animals.ts';
import { ReviewDriver } from '../../testing/review-driver.ts';

const animals = serveAnimals();
const reviews = new ReviewDriver(animals);

describe('a review', () => {
  test('shows its changes live, and is in lists, in the session and at its branch', async () => {
    const { version } = await animals.edit('exp', set('ant', { legs: 6 }), insert('yak', 4));
    const opened = await reviews.open({ description: 'An **ant** has six.', reviewers: ['ann', 'ann'] });
    expect(opened).toMatchObject({
      table: animals.table,
      from: 'exp',
      into: 'main',
      author: 'you',
      state: 'open',
      reviewers: ['ann'],
      refs: { from: { branch: 'exp', version }, base: { branch: 'main' }, into: { branch: 'main' } },
      compare: { from: 'exp', into: 'main' },
      changes: { rows: { added: 1, removed: 0, modified: 1 }, conflicts: { rows: 0 }, mergeable: true },
      canMerge: true,
      blockers: [],
      timeline: [{ kind: 'opened', author: 'you', version }],
      may: { merge: true, approve: true, close: true, reopen: false },
    });
    const next = await animals.edit('exp', set('bee', { legs: 6 }));
    expect(await reviews.get(opened.id)).toMatchObject({
      refs: { from: { version: next.version } },
      changes: { rows: { modified: 2 } },
      timeline: [{ kind: 'opened' }, { kind: 'changed', version: next.version, changed: { updated: 1 } }],
    });
    const listed = await reviews.list(`table=${animals.table}&text=legs&branch=exp&person=ann`);
    expect(listed).toMatchObject({
      reviews: [{ id: opened.id, comments: { threads: 0 } }],
      counts: { open: 1, merged: 0, closed: 0 },
      total: 1,
    });
    expect((await reviews.list(`table=${animals.table}&text=wings`)).total).toBe(0);
    const session = await reviews.send<Session>('GET', '/session');
    expect(session.reviews?.tables[animals.table]).toBe(1);
    const branches = session.tables.find(({ name }) => name === animals.table)?.branches;
    expect(branches?.find(({ name }) => name === 'exp')?.review).toEqual({ id: opened.id, into: 'main' });
  });

  test('is refused where there can be none', async () => {
    const { table } = animals;
    const refuse = (status: number, body: Record<string, unknown>) =>
      reviews.refused(status, 'POST', '/reviews', { table, from: 'exp', title: 'x', ...body });
    expect(await refuse(404, { from: 'expp' })).toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('exp'),
    });
    expect(await refuse(404, { table: 'nothing' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refuse(400, { from: 'main' })).toMatchObject({ detail: expect.stringContaining('itself') });
    expect(await refuse(400, { from: 'exp:2' })).toMatchObject({
      detail: expect.stringContaining('version'),
    });
    expect(await refuse(400, { title: '  ' })).toMatchObject({ code: 'BAD_REQUEST' });
    const { id } = await reviews.open();
    expect(await refuse(409, {})).toMatchObject({
      code: 'EXISTS',
      hint: expect.stringContaining(`/reviews/${id}`),
    });
    await reviews.refused(404, 'GET', '/reviews/0');
    await reviews.refused(404, 'GET', '/reviews/99999999999999999999');
    await reviews.refused(404, 'POST', '/reviews/99999/approve', {});
  });

  test('of a branch without changes says so, and cannot be merged', async () => {
    const { id, blockers, canMerge } = await reviews.open();
    expect([canMerge, blockers.map(({ code }) => code)]).toEqual([false, ['nothing-to-merge']]);
    expect(await reviews.refused(409, 'POST', `/reviews/${id}/merge`, {})).toMatchObject({
      code: 'CONFLICT',
      issues: [{ path: 'nothing-to-merge' }],
    });
  });

  test('changes its words and reviewers', async () => {
    const { id } = await reviews.open();
    const changed = await reviews.send('PATCH', `/reviews/${id}`, { title: 'Legs', reviewers: ['bob'] });
    expect(changed).toMatchObject({
      title: 'Legs',
      reviewers: ['bob'],
      timeline: [{ kind: 'opened' }, { kind: 'edited', body: 'Legs' }, { kind: 'reviewers', names: ['bob'] }],
    });
  });
});

describe('threads', () => {
  test('stay on their cell and row while the branch moves, and say what changed', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }), remove('hen'));
    const { id } = await reviews.open();
    const cell = await reviews.comment(id, { body: 'Six? @ann', rowKey: 'ant', column: 'legs' });
    expect(cell).toMatchObject({
      rowKey: 'ant',
      column: 'legs',
      mentions: ['ann'],
      since: { state: 'same', before: { preview: '6' }, now: { preview: '6' } },
    });
    const row = await reviews.comment(id, { body: 'Odd one', rowKey: 'bee' });
    const gone = await reviews.comment(id, { body: 'Why remove it?', rowKey: 'hen' });
    expect(gone.since).toEqual({ state: 'same', before: null, now: null });
    await reviews.comment(id, { body: 'In general' });
    await animals.edit('exp', set('ant', { legs: 8 }), remove('bee'), insert('hen', 2));
    const { threads, comments } = await reviews.get(id);
    expect(comments).toEqual({ threads: 4, unresolved: 4 });
    expect(threads.map(({ since }) => since?.state ?? null)).toEqual([
      'changed',
      'row-removed',
      'changed',
      null,
    ]);
    expect(threads[0]?.since).toMatchObject({ before: { preview: '6' }, now: { preview: '8' } });
    await animals.edit('exp', set('ant', { legs: 6 }), insert('bee', 4));
    const later = (await reviews.get(id)).threads;
    expect(later[0]?.since?.state).toBe('same');
    expect(later.find((thread) => thread.id === row.id)?.since).toMatchObject({
      state: 'changed',
      columns: ['weight', 'tags'],
    });
  });

  test('are answered, resolved, edited and deleted', async () => {
    const { id } = await reviews.open();
    const first = await reviews.comment(id, { body: 'Why?' });
    const threaded = await reviews.comment(id, { body: 'Because.', replyTo: first.id });
    expect(threaded).toMatchObject({ id: first.id, replies: [{ body: 'Because.' }] });
    const path = `/reviews/${id}/comments/${first.id}`;
    expect(await reviews.send('PATCH', path, { body: 'Why, @bob?', isResolved: true })).toMatchObject({
      body: 'Why, @bob?',
      mentions: ['bob'],
      editedAt: expect.any(String),
      resolved: { by: 'you' },
    });
    expect((await reviews.get(id)).timeline.map(({ kind, body }) => body ?? kind)).toEqual([
      'opened',
      'Why, @bob?',
      'Because.',
      'resolved',
    ]);
    await reviews.send('DELETE', path, undefined, 204);
    const { threads, timeline } = await reviews.get(id);
    expect(timeline.map(({ kind }) => kind)).toEqual(['opened', 'commented', 'resolved']);
    expect(JSON.stringify(timeline)).not.toContain('Why');
    expect(threads).toMatchObject([{ body: '', isDeleted: true, replies: [{ body: 'Because.' }] }]);
    await reviews.refused(404, 'DELETE', path);
    const [reply] = threads[0]!.replies;
    await reviews.send('DELETE', `/reviews/${id}/comments/${reply?.id}`, undefined, 204);
    expect((await reviews.get(id)).threads).toEqual([]);
  });

  test('are refused on places that are not there', async () => {
    const { id } = await reviews.open();
    const refuse = (status: number, body: unknown) =>
      reviews.refused(status, 'POST', `/reviews/${id}/comments`, body);
    expect(await refuse(404, { body: 'x', rowKey: 'yeti' })).toMatchObject({ code: 'NOT_FOUND' });
    await refuse(400, { body: 'x', rowKey: ['ant', 1] });
    await refuse(400, { body: 'x', rowKey: 'ant', column: 'wings' });
    await refuse(400, { body: 'x', column: 'legs' });
    await refuse(400, { body: '' });
    await refuse(404, { body: 'x', replyTo: 'nothing' });
  });
});

describe('approvals', () => {
  test('belong to the version they saw; the rules say whether older ones count', async () => {
    await reviews.rules({ approvalsNeeded: 1 });
    const { version } = await animals.edit('exp', set('ant', { legs: 6 }));
    const { id, blockers } = await reviews.open();
    expect(blockers.map(({ code }) => code)).toEqual(['approvals']);
    expect(
      await reviews.refused(409, 'POST', `/reviews/${id}/approve`, { expected: { from: 1 } }),
    ).toMatchObject({ code: 'HEAD_MOVED' });
    expect((await reviews.act(id, 'approve', { expected: { from: version } })).canMerge).toBe(true);
    const { job } = await animals.ok<{ job: { id: string } }>(
      'indexes?branch=exp',
      { column: 'weight', kind: 'btree', branch: 'exp' },
      202,
    );
    await reviews.ended(job.id);
    const indexed = await reviews.get(id);
    expect([indexed.refs.from?.version, indexed.canMerge]).toEqual([version + 1, true]);
    await animals.edit('exp', set('bee', { legs: 6 }));
    const moved = await reviews.get(id);
    expect(moved).toMatchObject({
      canMerge: false,
      verdicts: [{ verdict: 'approved', fromVersion: version, isStale: true }],
      blockers: [{ code: 'approvals', hint: expect.stringContaining('earlier version') }],
    });
    expect(await reviews.refused(409, 'POST', `/reviews/${id}/merge`, {})).toMatchObject({
      code: 'CONFLICT',
    });
    const [listed] = (await reviews.list(`table=${animals.table}`)).reviews;
    expect(listed?.verdicts).toMatchObject([{ verdict: 'approved', isStale: true }]);
    await reviews.rules({ approvalsNeeded: 1, countStaleApprovals: true });
    expect((await reviews.get(id)).canMerge).toBe(true);
    await reviews.rules({ approvalsNeeded: 1, mayApproveOwn: false, countStaleApprovals: true });
    expect((await reviews.get(id)).canMerge).toBe(false);
    await reviews.refused(403, 'POST', `/reviews/${id}/approve`, {});
  });

  test('give way to a request for changes, which can be taken back', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const { id } = await reviews.open();
    await reviews.act(id, 'approve');
    await reviews.refused(400, 'POST', `/reviews/${id}/request-changes`, {});
    const asked = await reviews.act(id, 'request-changes', { body: 'Eight, I think' });
    expect(asked).toMatchObject({
      canMerge: false,
      verdicts: [{ verdict: 'changes-requested', body: 'Eight, I think' }],
      blockers: [{ code: 'changes-requested', names: ['you'] }],
    });
    expect(await reviews.act(id, 'withdraw')).toMatchObject({ canMerge: true, verdicts: [] });
  });

  test('wait for threads where the rules want them resolved, and for those who may merge', async () => {
    await reviews.rules({ needsResolvedThreads: true, mayMerge: ['ann'], reviewers: ['ann'] });
    await animals.edit('exp', set('ant', { legs: 6 }));
    const { id, reviewers } = await reviews.open();
    expect(reviewers).toEqual(['ann']);
    await reviews.comment(id, { body: 'Sure?' });
    expect((await reviews.get(id)).blockers.map(({ code }) => code)).toEqual(['may-not-merge', 'threads']);
    expect(await reviews.refused(403, 'POST', `/reviews/${id}/merge`, {})).toMatchObject({
      code: 'FORBIDDEN',
      hint: expect.stringContaining('ann'),
    });
    await reviews.refused(403, 'POST', `/tables/${animals.table}/merge`, { from: 'exp' });
  });
});

describe('the rules of a table', () => {
  test('can let protected branches take reviews only', async () => {
    await reviews.rules({ mergeByReviewOnly: true }, ['main', 'exp']);
    const { branches } = await reviews.send<{ branches: BranchInfo[] }>(
      'GET',
      `/tables/${animals.table}/branches`,
    );
    expect(branches.filter(({ isReviewOnly }) => isReviewOnly).map(({ name }) => name)).toEqual([
      'main',
      'exp',
    ]);
    await animals.branch('work', 'exp');
    await animals.edit('work', set('ant', { legs: 6 }));
    for (const into of ['main', 'exp'])
      expect(
        await reviews.refused(403, 'POST', `/tables/${animals.table}/merge`, { from: 'work', into }),
      ).toMatchObject({ code: 'PROTECTED_BRANCH', hint: expect.stringContaining('review') });
    const { id } = await reviews.open({ from: 'work', into: 'exp' });
    expect((await reviews.merge(id)).review.state).toBe('merged');
    expect(await reviews.send('GET', `/tables/${animals.table}/review-rules`)).toMatchObject({
      rules: { mergeByReviewOnly: true, approvalsNeeded: 0 },
      protectedBranches: ['main', 'exp'],
    });
    await reviews.refused(404, 'PUT', `/tables/${animals.table}/review-rules`, {
      rules: {},
      protectedBranches: ['nothing'],
    });
    await reviews.refused(400, 'PUT', `/tables/${animals.table}/review-rules`, {
      rules: { approvalsNeeded: -1 },
    });
  });
});
