import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { serveAnimals, set } from '../testing/animals.ts';
import { ReviewDriver } from '../testing/review-driver.ts';
import { runCommand } from './run-command.ts';

const animals = serveAnimals();
const reviews = new ReviewDriver(animals);

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = new PassThrough();
  const err = new PassThrough();
  const texts = Promise.all([text(out), text(err)]);
  const code = await runCommand([...args, '--url', animals.server.url], {
    env: {},
    out,
    err: err as never,
    signal: new AbortController().signal,
  });
  out.end();
  err.end();
  const [outText, errText] = await texts;
  return { code, out: outText, err: errText };
}

it('opens a review, runs its checks, merges it, and ends with codes for scripts', async () => {
  const { table } = animals;
  await reviews.keepChecks([{ name: 'even legs', where: 'legs % 2 = 0' }]);
  await animals.branch('work');
  await animals.edit('work', set('ant', { legs: 5 }));
  const opened = await run('review', 'open', table, 'work', '--title', 'Ants', '--reviewer', 'ann', '--json');
  expect(opened.code).toBe(0);
  const { id } = JSON.parse(opened.out) as { id: string };
  expect((await run('reviews', table)).out).toMatch(
    new RegExp(`^${id} +open +${table} +work → main +you .+ Ants$`, 'm'),
  );
  expect(await run('review', 'merge', id)).toMatchObject({
    code: 5,
    err: expect.stringContaining('not run'),
  });
  expect(await run('review', 'checks', id)).toMatchObject({
    code: 5,
    out: '✗ even legs: 1 failing, of all 8 rows of the merge; 0 fail in the receiving branch already\n    name ant, legs 5\n',
  });
  expect(await run('review', 'show', id)).toMatchObject({
    code: 5,
    out: expect.stringContaining('even legs'),
  });
  await animals.edit('work', set('ant', { legs: 6 }));
  expect(await run('review', 'checks', id)).toMatchObject({
    code: 0,
    out: '✓ even legs: all 8 rows of the merge\n',
  });
  expect(await run('review', 'merge', id, '--expect-from', '1')).toMatchObject({ code: 4 });
  expect(await run('review', 'approve', id)).toMatchObject({
    code: 0,
    out: expect.stringContaining('It can be merged.'),
  });
  expect(await run('review', 'merge', id, '--squash', '--delete-branch')).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 updated'),
  });
  expect(await run('review', 'show', id)).toMatchObject({
    code: 0,
    out: expect.stringContaining('merged at main:'),
  });
  expect((await run('reviews', table)).err).toBe('There are no open reviews.\n');
});

it('takes checks along in files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'curio-checks-'));
  try {
    await reviews.keepChecks([{ name: 'even legs', where: 'legs % 2 = 0' }]);
    const file = join(folder, 'animals.parquet');
    expect(await run('export', animals.table, file)).toMatchObject({ code: 0 });
    const copy = `${animals.table}-copy`;
    expect(await run('import', file, '--table', copy)).toMatchObject({ code: 0 });
    expect(await reviews.send('GET', `/tables/${copy}/checks`)).toMatchObject({
      checks: [{ name: 'even legs', where: 'legs % 2 = 0' }],
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('says what it does not understand', async () => {
  for (const args of [
    ['review'],
    ['review', 'eat', '1'],
    ['review', 'open', 'a', 'b'],
    ['review', 'show'],
    ['reviews', 'a', 'b'],
    ['review', 'merge', '1', '--dry-run'],
  ])
    expect((await run(...args)).code, args.join(' ')).toBe(2);
  expect(await run('review', 'close', '99999')).toMatchObject({ code: 1 });
});
