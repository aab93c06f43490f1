import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { remove, serveAnimals, set } from '../../testing/animals.ts';
import { ReviewDriver } from '../../testing/review-driver.ts';
import { makeTable } from '../../testing/tables.ts';
import { recoverReviews } from '../../usecases/reviews/settle-landed.ts';

const animals = serveAnimals();
const reviews = new ReviewDriver(animals);

interface Version {
  version: number;
  kind: string;
  message: string | null;
  editId: string;
}

const newestOfMain = async (): Promise<Version> => {
  const { versions } = await reviews.send<{ versions: Version[] }>(
    'GET',
    `/tables/${animals.table}/history?ref=main`,
  );
  return versions[0]!;
};

const detailOf = async (editId: string): Promise<Record<string, unknown>> =>
  animals.server.ports.store.getEdit(editId)?.detail as Record<string, unknown>;

describe('merging a review', () => {
  test('lands its changes as one step that names it, and keeps it readable when the branch is deleted', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.edit('exp', set('bee', { legs: 6 }));
    await animals.editMain(set('dog', { legs: 3 }));
    const { id, refs, changes } = await reviews.open({ description: 'Insects have six.' });
    await reviews.comment(id, { body: 'Good', rowKey: 'ant', column: 'legs' });
    const { review, merge } = await reviews.merge(id, { deleteBranch: true });
    expect(merge).toMatchObject({ status: 'merged', rows: { updated: 2 } });
    expect(review).toMatchObject({
      state: 'merged',
      ended: { by: 'you' },
      merged: { version: merge.version, isSquashed: false },
      refs,
      changes,
      canMerge: false,
      blockers: [{ code: 'not-open' }],
      may: { merge: false, close: false, reopen: false },
      notices: [],
    });
    expect(review.timeline.map(({ kind }) => kind).slice(-2)).toEqual(['merged', 'branch-deleted']);
    const newest = await newestOfMain();
    expect(newest).toMatchObject({
      version: merge.version,
      kind: 'merge',
      message: `Count legs (review ${id})`,
    });
    expect(await detailOf(newest.editId)).toMatchObject({ review: id, isSquashed: false });
    const graph = await animals.ok<{ versions: Record<string, unknown>[] }>('graph', { branches: ['main'] });
    expect(graph.versions[0]).toMatchObject({ version: merge.version, review: id });
    const cell = { ref: 'main', key: 'ant', column: 'legs' };
    expect(await animals.ok('rows/history', cell)).toMatchObject({
      events: [{ kind: 'merge', author: 'you', review: id, cells: [{ before: '4', after: '6' }] }, {}],
    });
    expect(review.merged?.steps).toMatchObject([{ kind: 'edit', author: 'you' }, { kind: 'edit' }]);

    const { branches } = await reviews.send<{ branches: { name: string }[] }>(
      'GET',
      `/tables/${animals.table}/branches`,
    );
    expect(branches.map(({ name }) => name)).not.toContain('exp');
    await reviews.refused(410, 'GET', `/tables/${animals.table}?ref=exp`);
    await reviews.refused(409, 'POST', `/tables/${animals.table}/branches`, { name: 'exp' });
    await animals.editMain(set('ant', { legs: 0 }), remove('bee'));

    const later = await reviews.get(id);
    expect(later).toMatchObject({ changes, threads: [{ since: { state: 'same', now: { preview: '6' } } }] });
    expect(later.compare).toEqual({
      from: `exp:${refs.from?.version}`,
      into: `main:${refs.into?.version}`,
      base: `main:${refs.base?.version}`,
    });
    const { rows } = await animals.changedRows({ ...later.compare });
    expect(rows.map(({ _key, base, from }) => [_key, base?.legs, from?.legs])).toEqual([
      ['ant', '4', '6'],
      ['bee', '4', '6'],
    ]);
    await reviews.comment(id, { body: 'Said later' });
    await reviews.refused(409, 'POST', `/reviews/${id}/approve`, {});
    await reviews.refused(409, 'POST', `/reviews/${id}/merge`, {});
    await reviews.refused(409, 'POST', `/reviews/${id}/close`, {});
    await reviews.refused(409, 'POST', `/reviews/${id}/reopen`, {});
  });

  test('tells who made the steps that it got meanwhile, also when its branch is deleted', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const { id } = await reviews.open();
    await animals.ok('edits', { branch: 'exp', message: 'Bees too', ops: [set('bee', { legs: 6 })] });
    const { review } = await reviews.merge(id, { deleteBranch: true });
    expect(review.timeline.filter(({ kind }) => kind === 'changed')).toMatchObject([
      { author: 'you', body: 'Bees too', changed: { updated: 1 } },
    ]);
  });

  test('squashed leaves out the steps of the branch; the rules can settle that', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const first = await reviews.open();
    expect((await reviews.merge(first.id, { squash: true })).review.merged).toMatchObject({
      isSquashed: true,
      steps: null,
    });
    await reviews.rules({ squash: 'never', deleteBranchAfterMerge: true });
    await animals.edit('exp', set('ant', { legs: 8 }));
    const second = await reviews.open();
    const { review } = await reviews.merge(second.id, { squash: true, message: 'Eight' });
    expect(review).toMatchObject({ merged: { isSquashed: false, steps: [{ kind: 'edit' }] } });
    expect(review.timeline.at(-1)?.kind).toBe('branch-deleted');
    expect((await newestOfMain()).message).toBe('Eight');
  });

  test('answers conflicts as every merge does, and takes choices', async () => {
    await animals.plantConflicts();
    const { id, blockers, canMerge } = await reviews.open();
    expect([canMerge, blockers.map(({ code }) => code)]).toEqual([false, ['conflicts']]);
    const { merge, review } = await reviews.merge(id);
    expect([merge.status, merge.conflictCount, review.state]).toEqual(['conflicts', 4, 'open']);
    expect((await reviews.merge(id, { take: 'into' })).review.state).toBe('merged');
  });

  test('is refused when a head is not where it was seen', async () => {
    const { version } = await animals.edit('exp', set('ant', { legs: 6 }));
    const { id, refs } = await reviews.open();
    await animals.edit('exp', set('ant', { legs: 8 }));
    expect(
      await reviews.refused(409, 'POST', `/reviews/${id}/merge`, { expected: { from: version } }),
    ).toMatchObject({ code: 'HEAD_MOVED' });
    await animals.editMain(set('dog', { legs: 3 }));
    await reviews.refused(409, 'POST', `/reviews/${id}/merge`, { expected: { into: refs.into?.version } });
    expect((await reviews.merge(id)).review.state).toBe('merged');
  });

  test('happens once when two ask at the same time, also of two reviews into one branch', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.branch('other');
    await animals.edit('other', set('bee', { legs: 6 }));
    const first = await reviews.open();
    const second = await reviews.open({ from: 'other' });
    const ask = async (id: string): Promise<number> =>
      (await animals.server.post(`/api/v1/reviews/${id}/merge`, {})).status;
    const answers = await Promise.all([ask(first.id), ask(first.id), ask(second.id)]);
    expect(answers.sort()).toEqual([200, 200, 409]);
    const rows = await animals.rows('main');
    expect([rows.ant?.[0], rows.bee?.[0]]).toEqual(['6', '6']);
    expect((await reviews.list(`table=${animals.table}&state=all`)).counts).toEqual({
      open: 0,
      merged: 2,
      closed: 0,
    });
  });

  test('is known when somebody merged the branch without it', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const { id } = await reviews.open();
    const { version } = await animals.merge();
    expect((await reviews.list(`table=${animals.table}`)).counts).toEqual({ open: 0, merged: 1, closed: 0 });
    expect(await reviews.get(id)).toMatchObject({
      state: 'merged',
      merged: { version },
      changes: { rows: { modified: 1 } },
    });
  });

  test('says why the branch was not deleted after it', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    await animals.branch('child', 'exp');
    const { id } = await reviews.open();
    const { review } = await reviews.merge(id, { deleteBranch: true });
    expect(review).toMatchObject({ state: 'merged', notices: [expect.stringContaining('child')] });
    expect(review.timeline.at(-1)?.kind).toBe('merged');
  });
});

describe('the branch of an open review', () => {
  test('cannot be deleted; when another program deletes it the review says so and can be closed', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const { id } = await reviews.open();
    expect(await reviews.refused(409, 'DELETE', `/tables/${animals.table}/branches/exp`)).toMatchObject({
      code: 'CONFLICT',
      detail: expect.stringContaining(`review ${id}`),
    });
    const handle = await animals.server.home.connection.openTable(animals.table);
    await (await handle.branches()).delete('exp');
    const orphan = await reviews.get(id);
    expect(orphan).toMatchObject({
      canMerge: false,
      changes: null,
      compare: null,
      blockers: [{ code: 'branch-gone' }],
    });
    await reviews.refused(410, 'POST', `/reviews/${id}/merge`, {});
    await reviews.refused(410, 'POST', `/reviews/${id}/approve`, {});
    expect(await reviews.act(id, 'close')).toMatchObject({ state: 'closed', compare: null });
    await reviews.refused(410, 'POST', `/reviews/${id}/reopen`, {});
    await animals.branch('exp');
    expect(await reviews.open()).toMatchObject({ state: 'open' });
    await reviews.refused(410, 'POST', `/reviews/${id}/reopen`, {});
  });

  test('can be closed and opened again, and keeps its rows when deleted on closing', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const { id } = await reviews.open();
    const closed = await reviews.act(id, 'close', { body: 'Not now' });
    expect(closed).toMatchObject({
      state: 'closed',
      changes: { rows: { modified: 1 } },
      may: { reopen: true },
    });
    expect(closed.timeline.at(-1)).toMatchObject({ kind: 'closed', body: 'Not now' });
    const other = await reviews.open();
    await reviews.refused(409, 'POST', `/reviews/${id}/reopen`, {});
    await reviews.act(other.id, 'close');
    expect(await reviews.act(id, 'reopen')).toMatchObject({ state: 'open', canMerge: true });
    expect(await reviews.act(id, 'close', { deleteBranch: true })).toMatchObject({ state: 'closed' });
    const { compare } = await reviews.get(id);
    const { rows } = await animals.changedRows({ ...compare });
    expect(rows.map(({ from }) => from?.legs)).toEqual(['6']);
  });

  test('is not that of another table of the name, and a broken table keeps nothing from starting', async () => {
    const { table } = animals;
    await animals.edit('exp', set('ant', { legs: 6 }));
    const { id } = await reviews.open();
    await reviews.send('DELETE', `/tables/${table}`, undefined, 204);
    await reviews.send('DELETE', `/trash/${table}`, undefined, 204);
    await mkdir(join(animals.server.settings.home, `${table}.lance`, '_versions'), { recursive: true });
    const goneNow = { state: 'open', blockers: [{ code: 'table-gone' }] };
    expect(await reviews.get(id)).toMatchObject(goneNow);
    await recoverReviews(animals.server.ports, { signal: new AbortController().signal });
    await rm(join(animals.server.settings.home, `${table}.lance`), { recursive: true });
    await makeTable(animals.server.home, table, { name: { type: 'utf8', values: ['ant'] } });
    expect(await reviews.get(id)).toMatchObject(goneNow);
    expect(await reviews.act(id, 'close')).toMatchObject({ state: 'closed' });
  });

  test('and its table can go to the trash: the review is readable still', async () => {
    await animals.edit('exp', set('ant', { legs: 6 }));
    const open = await reviews.open();
    await animals.branch('other');
    await animals.edit('other', set('bee', { legs: 6 }));
    const merged = await reviews.open({ from: 'other' });
    await reviews.merge(merged.id);
    await reviews.send('DELETE', `/tables/${animals.table}`, undefined, 204);
    expect(await reviews.get(open.id)).toMatchObject({ state: 'open', blockers: [{ code: 'table-gone' }] });
    expect(await reviews.get(merged.id)).toMatchObject({
      state: 'merged',
      compare: null,
      changes: { rows: { modified: 1 } },
      notices: [expect.stringContaining('trash')],
    });
  });
});
