import { readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError, formatProblem } from '#shared/api/problem.ts';
import { makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';
import { translateLanceError, withLanceErrors } from './lance-errors.ts';
import { openHead, openPinned } from './open-table.ts';
import { filesOfQuery } from './rows/files-of-query.ts';

let home: TestHome;
const columns = {
  n: { type: 'int64', values: [1n, 2n] },
  text: { type: 'utf8', values: ['a', 'b'] },
  at: { type: 'timestamp[us]', values: [0n, 1n] },
};

beforeAll(async () => {
  home = await makeTestHome();
  await makeTable(home, 't', columns);
});
afterAll(() => home.remove());

async function failure(work: () => Promise<unknown>): Promise<AppError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It should have failed.');
}

const scan = async (table: string, where?: string): Promise<void> => {
  const handle = await openHead(home, table, 'main');
  const query = where === undefined ? handle.query() : handle.query().where(where);
  for await (const _file of filesOfQuery(query, {
    place: { table, home: home.path },
    signal: new AbortController().signal,
  }));
};

it.each([
  ["chr(n + 1114111) = 'x'", 'SQL_BIND', 'Unicode'],
  ["split_part(text, ',', 0) = 'x'", 'SQL_BIND', 'position'],
  [`text LIKE '${'%a'.repeat(20_000)}b'`, 'SQL_SYNTAX', 'too large'],
])('what a filter cannot compute is said to be its fault: %.40s', async (where, code, words) => {
  const error = await failure(() => scan('t', where));
  expect([error.code, formatProblem(error, 'id').detail]).toEqual([code, expect.stringContaining(words)]);
  expect(JSON.stringify(formatProblem(error, 'id'))).not.toMatch(/cargo|\.rs|lance error/);
});

/** No path, no source place, no stack in what a person sees. */
const expectClean = (error: AppError): void => {
  expect(JSON.stringify(formatProblem(error))).not.toMatch(
    /\.rs|\.lance\/|\/tmp|cargo|LanceError|GenericFailure/,
  );
};

describe('errors of filters', () => {
  it.each<[string, string, RegExp]>([
    ['nope = 1', 'SQL_BIND', /no column “nope”/],
    ['n = = 1', 'SQL_SYNTAX', /syntax error: .*EOF|syntax error: .*=/],
    ["n = 'x", 'SQL_SYNTAX', /syntax error/],
    ['nofunction(n) = 1', 'SQL_BIND', /nofunction/],
    ['case when n = 1 then true end', 'UNSUPPORTED', /cannot do/],
    ['cast(text as bigint) = 1', 'SQL_BIND', /do not fit/],
    ["regexp_like(text, '(')", 'SQL_SYNTAX', /regular expression/],
    ["at > '2024-01-01'", 'SQL_BIND', /./],
  ])('%s', async (where, code, message) => {
    const error = await failure(() => scan('t', where));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(error.hint).toBeTruthy();
    expectClean(error);
  });
});

describe('errors of files', () => {
  const dataFile = async (table: string): Promise<string> => {
    const folder = join(home.path, `${table}.lance/data`);
    return join(folder, (await readdir(folder))[0]!);
  };

  it('a table, a version and a branch that are not there', async () => {
    const found = await Promise.all([
      failure(() => openHead(home, 'nowhere', 'main')),
      failure(() => openPinned(home, 't', { branch: 'main', version: 99 })),
      failure(() => openPinned(home, 't', { branch: 'nope', version: 1 })),
    ]);
    expect(found.map(({ code }) => code)).toEqual(['NOT_FOUND', 'GONE', 'GONE']);
    expect(found[1]!.message).toBe('The table t at main:99 is no longer there.');
    found.forEach(expectClean);
  });

  it('a data file that is missing or cut off', async () => {
    await makeTable(home, 'missing', columns);
    await rm(await dataFile('missing'));
    const missing = await failure(() => scan('missing'));
    await makeTable(home, 'cut', columns);
    await truncate(await dataFile('cut'), 40);
    const cut = await failure(() => scan('cut'));
    expect([missing.code, cut.code]).toEqual(['INVALID_FILE', 'INVALID_FILE']);
    expect(missing.message).toMatch(/^The table missing cannot be read: one of its files is missing/);
    expect(cut.message).toMatch(/^The table cut cannot be read: one of its files is damaged/);
    [missing, cut].forEach(expectClean);
  });
});

describe('other errors', () => {
  it.each<[string, string]>([
    ['Query timeout after 1 ms', 'TIMEOUT'],
    ['Resources exhausted: Failed to allocate additional 1.5 GB for X', 'MEMORY'],
    [
      'Retryable commit conflict for version 4: This Merge transaction was preempted by concurrent transaction Append',
      'CONFLICT',
    ],
    ['Ref conflict error: Branch exp is referenced by tag golden, /usr/x.rs:1:2', 'CONFLICT'],
    ['LanceError(IO): Generic S3 error: error sending request for url', 'UPSTREAM'],
    ['IO error: No space left on device (os error 28)', 'MEMORY'],
    ['Panic in async function', 'ENGINE_CRASHED'],
    ["EACCES: permission denied, rename '/home/x/t.lance' -> '/home/x/.importing-1'", 'FORBIDDEN'],
    ['Something nobody has seen', 'INTERNAL'],
  ])('%s', (text, code) => {
    const error = translateLanceError(new Error(text), { table: 't' });
    expect(error.code).toBe(code);
    expectClean(error);
  });

  it('rows of a home that was moved name the cause', () => {
    const place = { table: 't', home: '/new/home' };
    const error = translateLanceError(
      new Error('Not found: old/home/t.lance/data/x.lance, /usr/y.rs:3:4'),
      place,
    );
    expect([error.code, error.hint]).toEqual([
      'INVALID_FILE',
      expect.stringMatching(/^Move the folder of the tables back/),
    ]);
    expect(translateLanceError(new Error('Not found: new/home/t.lance/data/x.lance'), place).message).toMatch(
      /one of its files is missing/,
    );
  });

  it('errors of Curio pass as they are', async () => {
    const own = new AppError({ code: 'RANGE', message: 'x' });
    await expect(withLanceErrors({}, () => Promise.reject(own))).rejects.toBe(own);
  });
});
