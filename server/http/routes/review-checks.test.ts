import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CheckRun } from '#shared/api/review-parts.ts';
import { insert, remove, serveAnimals, set } from '../../testing/animals.ts';
import { ReviewDriver } from '../../testing/review-driver.ts';

const animals = serveAnimals();
const reviews = new ReviewDriver(animals);

const evenLegs = { name: 'even legs', where: 'legs % 2 = 0' };

/** Names of all branches on disk, hidden ones too. */
const storedBranches = async (): Promise<string[]> => {
  const folder = join(animals.server.settings.home, `${animals.table}.lance`, '_refs', 'branches');
  return (await readdir(folder)).map((file) => decodeURIComponent(file).replace(/\.json$/, ''));
};

describe('checks', () => {
  test('are kept with the table, and can be run on a ref before they are', async () => {
    const checks = [evenLegs, { name: 'heavy', sql: `SELECT * FROM ${animals.table} WHERE weight > 100` }];
    await reviews.keepChecks(checks);
    const kept = await reviews.send('GET', `/tables/${animals.table}/checks`);
    expect(kept).toMatchObject({
      checks: [{ ...evenLegs, severity: 'required', description: '' }, { name: 'heavy' }],
      notices: [],
    });
    const metadata = (await (await animals.server.home.connection.openTable(animals.table)).schema())
      .fields[0]?.metadata;
    expect(JSON.parse(metadata?.get('curio:checks') ?? '')).toMatchObject(checks);
    const { job } = await reviews.send<{ job: { id: string } }>(
      'POST',
      `/tables/${animals.table}/checks/run`,
      { ref: 'main', checks: [{ name: 'five', where: 'legs = 5 or name = ‘ant’'.replace(/[‘’]/g, "'") }] },
      202,
    );
    expect((await reviews.ended(job.id)).result).toMatchObject({
      ref: { branch: 'main' },
      results: [
        { outcome: 'failed', failing: 7, sample: expect.arrayContaining([{ name: 'bee', legs: '4' }]) },
      ],
    });
    await reviews.keepChecks([]);
    expect(await reviews.send('GET', `/tables/${animals.table}/checks`)).toMatchObject({ checks: [] });
  });

  test('that cannot run are refused with the place, and two of one name', async () => {
    const refuse = (checks: unknown[], more = {}) =>
      reviews.send<Record<string, unknown>>(
        'PUT',
        `/tables/${animals.table}/checks`,
        { checks, ...more },
        'expectedVersion' in more ? 409 : 400,
      );
    expect(await refuse([{ name: 'x', where: 'wings = 2' }])).toMatchObject({
      code: 'SQL_BIND',
      at: { line: 1 },
      detail: expect.stringContaining('“x”'),
    });
    expect(await refuse([{ name: 'x', where: 'legs = 2) or (1 = 1' }])).toMatchObject({ code: 'SQL_SYNTAX' });
    expect(await refuse([{ name: 'x', sql: 'SELECT FROM' }])).toMatchObject({ code: 'SQL_SYNTAX' });
    await refuse([{ name: 'x', where: 'true', sql: 'SELECT 1' }]);
    await refuse([{ name: 'x' }]);
    await refuse([evenLegs, { ...evenLegs, name: 'EVEN legs' }]);
    expect(await refuse([evenLegs], { expectedVersion: 1 })).toMatchObject({ code: 'HEAD_MOVED' });
    const write = { name: 'x', sql: `DROP TABLE ${animals.table}` };
    expect(
      (
        await reviews.send<{ code: string }>(
          'PUT',
          `/tables/${animals.table}/checks`,
          { checks: [write] },
          403,
        )
      ).code,
    ).toBe('FORBIDDEN');
  });

  test('run on what the merge would give, and block it while a required one fails', async () => {
    await reviews.keepChecks([
      evenLegs,
      { name: 'light', where: 'weight < 7', severity: 'warning' },
      {
        name: 'no name twice in other case',
        sql: `SELECT lower(name) AS n, count(*) AS times FROM ${animals.table} GROUP BY 1 HAVING count(*) > 1`,
      },
      {
        name: 'share of four legs within 20 points of main',
        sql: `WITH now AS (SELECT avg((legs = 4)::INT) AS share FROM ${animals.table}),
              was AS (SELECT avg((legs = 4)::INT) AS share FROM "${animals.table}@main")
              SELECT now.share, was.share AS before FROM now, was WHERE abs(now.share - was.share) > 0.2`,
      },
    ]);
    await animals.edit('exp', set('ant', { legs: 5 }), set('bee', { legs: 6 }));
    await animals.editMain(set('dog', { legs: 3 }), remove('eel'));
    const { id, blockers } = await reviews.open();
    expect(blockers).toMatchObject([
      { code: 'checks-not-run', names: [evenLegs.name, expect.any(String), expect.any(String)] },
    ]);
    const before = await storedBranches();
    const run = await reviews.check(id);
    expect(await storedBranches()).toEqual(before);
    expect(run.results).toMatchObject([
      {
        name: 'even legs',
        outcome: 'failed',
        failing: 2,
        failingBefore: 1,
        scope: 'all 7 rows of the merge',
        sample: expect.arrayContaining([
          { name: 'ant', legs: '5' },
          { name: 'dog', legs: '3' },
        ]),
        keys: expect.arrayContaining(['ant', 'dog']),
        open: { covers: 'all 2 failing rows' },
        problem: null,
      },
      { name: 'light', severity: 'warning', outcome: 'failed', failing: 1, failingBefore: 1, keys: ['hen'] },
      { name: 'no name twice in other case', outcome: 'passed', failing: 0, keys: [], open: null },
      { name: 'share of four legs within 20 points of main', outcome: 'failed', failing: 1 },
    ]);
    const [legs] = run.results;
    expect(await animals.rowsWhere({ ref: legs?.open?.ref, where: legs?.open?.where })).toHaveLength(2);
    const blocked = await reviews.get(id);
    expect(blocked).toMatchObject({
      canMerge: false,
      checkRun: { isStale: false },
      checkJob: null,
      blockers: [{ code: 'checks-failed', names: ['even legs', expect.stringContaining('share')] }],
    });
    expect(blocked.timeline.at(-1)).toMatchObject({
      kind: 'checks-run',
      checks: { passed: 1, failed: 3, errors: 0 },
    });
    expect(await reviews.refused(409, 'POST', `/reviews/${id}/merge`, {})).toMatchObject({
      code: 'CONFLICT',
      detail: expect.stringContaining('even legs'),
    });

    await animals.edit('exp', set('ant', { legs: 4 }), set('bee', { legs: 4 }), set('dog', { weight: 1 }));
    await animals.editMain(set('dog', { legs: 4 }));
    expect(await reviews.get(id)).toMatchObject({
      checkRun: { isStale: true },
      blockers: [{ code: 'checks-not-run' }],
    });
    const again = await reviews.check(id, { checks: ['even legs'] });
    expect(again.results).toMatchObject([{ outcome: 'passed', failing: 0, failingBefore: null }]);
    expect((await reviews.get(id)).blockers).toMatchObject([
      { code: 'checks-not-run', names: { length: 2 } },
    ]);
    expect((await reviews.check(id)).results.map(({ outcome }) => outcome)).toEqual([
      'passed',
      'failed',
      'passed',
      'passed',
    ]);
    expect((await reviews.merge(id)).review).toMatchObject({ state: 'merged' });
    expect((await animals.rows('main')).dog).toEqual(['4', 1]);
  });

  test('open failing rows where most of them are, and say how many that are', async () => {
    await reviews.keepChecks([{ name: 'few legs', where: 'legs < 10' }]);
    await animals.edit('exp', insert('yak', 40));
    await animals.editMain(insert('zebra', 40));
    const { id } = await reviews.open();
    const [one] = (await reviews.check(id)).results;
    expect(one).toMatchObject({
      failing: 2,
      failingBefore: 1,
      open: { ref: expect.stringMatching(/^exp:/), covers: '1 of the 2 failing rows' },
    });
    await animals.branch('both', 'main');
    await animals.edit('both', insert('emu', 20));
    const [other] = (await reviews.check((await reviews.open({ from: 'both' })).id)).results;
    expect(other?.open).toMatchObject({ ref: expect.stringMatching(/^both:/), covers: 'all 2 failing rows' });
  });

  test('whose statement breaks on the result are errors that block', async () => {
    await reviews.keepChecks([{ name: 'weighs', where: 'weight > 0' }]);
    await animals.branch('work');
    await animals.edit('work', { op: 'dropColumn', name: 'weight' });
    const { id } = await reviews.open({ from: 'work' });
    expect((await reviews.check(id)).results).toMatchObject([
      { outcome: 'error', failing: null, problem: { code: 'SQL_BIND', at: { line: 1, column: 1 } } },
    ]);
    expect((await reviews.get(id)).blockers.map(({ code }) => code)).toContain('checks-failed');
  });

  test('wait for conflicts to be settled, then run with these choices', async () => {
    await reviews.keepChecks([{ name: 'six at most', where: 'legs <= 6' }]);
    await animals.branch('work');
    await animals.edit('work', set('ant', { legs: 6 }));
    await animals.editMain(set('ant', { legs: 8 }));
    const { id, blockers } = await reviews.open({ from: 'work' });
    expect(blockers.map(({ code }) => code)).toEqual(['conflicts', 'checks-not-run']);
    expect(await reviews.refused(409, 'POST', `/reviews/${id}/checks`, {})).toMatchObject({
      code: 'CONFLICT',
    });
    const standings = () => reviews.send('POST', '/reviews/standings', { ids: [id, '404'] });
    expect(await standings()).toMatchObject({
      standings: [
        {
          id,
          conflicts: { rows: 1 },
          checks: { passed: 0, failed: 0, waiting: 1, total: 1 },
          canMerge: false,
        },
      ],
    });
    const run = await reviews.check(id, { take: 'from' });
    expect(await standings()).toMatchObject({
      standings: [{ checks: { passed: 1, failed: 0, waiting: 0 }, blockers: [{ code: 'conflicts' }] }],
    });
    expect(run.results).toMatchObject([{ outcome: 'passed' }]);
    expect(await reviews.refused(409, 'POST', `/reviews/${id}/merge`, { take: 'into' })).toMatchObject({
      issues: [{ path: 'checks-not-run' }],
    });
    const choices = [{ key: 'ant', column: 'legs', take: 'from' }];
    await reviews.refused(409, 'POST', `/reviews/${id}/merge`, { choices });
    expect((await reviews.check(id, { choices })).results).toMatchObject([{ outcome: 'passed' }]);
    expect((await reviews.merge(id, { choices })).merge).toMatchObject({ status: 'merged' });
    expect(await standings()).toEqual({ standings: [] });
    expect((await animals.rows('main')).ant?.[0]).toBe('6');
  });

  test('count all failing rows where there are many, and give the first keys', async () => {
    const many = Array.from({ length: 1500 }, (_, at) => ({ name: `n${at}`, legs: 3 }));
    await animals.edit('exp', { op: 'insert', rows: many });
    await reviews.keepChecks([
      evenLegs,
      { name: 'by sql', sql: `SELECT name FROM ${animals.table} WHERE legs % 2 <> 0` },
    ]);
    const { id } = await reviews.open();
    const { results }: CheckRun = await reviews.check(id);
    for (const result of results)
      expect(result).toMatchObject({
        failing: 1500,
        keys: { length: 1000 },
        sample: { length: 20 },
        open: { covers: 'the first 1,000 of 1,500 failing rows' },
      });
  });

  test('of nothing, or by names that are not there, are refused', async () => {
    await animals.edit('exp', insert('yak', 4));
    const { id } = await reviews.open();
    await reviews.refused(400, 'POST', `/reviews/${id}/checks`, {});
    await reviews.keepChecks([evenLegs]);
    expect(
      await reviews.refused(400, 'POST', `/reviews/${id}/checks`, { checks: ['even leg'] }),
    ).toMatchObject({ hint: expect.stringContaining('even legs') });
    await reviews.refused(400, 'POST', `/reviews/${id}/checks`, { checks: [] });
  });
});
