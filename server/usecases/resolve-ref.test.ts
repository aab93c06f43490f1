import { beforeEach, describe, expect, it } from 'vitest';
import { AppError, notFound } from '#shared/api/problem.ts';
import type { OpenGroup, StudioStore } from '../ports/studio-store.ts';
import type { TableHeads, TableReader } from '../ports/table-reader.ts';
import { rememberDeletedBranch, resolveRef } from './resolve-ref.ts';

const context = { signal: new AbortController().signal };

const heads: TableHeads = {
  uuid: 'u1',
  branches: [
    { name: 'main', version: 9, parent: null, createdAt: null, updatedAt: '2026-01-01T00:00:00.000Z' },
    {
      name: 'exp',
      version: 12,
      parent: { branch: 'main', version: 5 },
      createdAt: '2026-01-02T00:00:00.000Z',
      updatedAt: '2026-01-03T00:00:00.000Z',
    },
  ],
  tags: [{ name: 'golden', branch: 'exp', version: 7, createdAt: null }],
};

interface World {
  groups: Partial<OpenGroup>[];
  trash: string[];
  facts: Map<string, string>;
  cleaned: string[];
}

let world: World;

const ports = () => ({
  now: () => new Date(0),
  reader: {
    async readHeads({ table }: { table: string }) {
      if (table !== 'clips') throw notFound(`The table ${table}`);
      return heads;
    },
    listTables: async () => [
      ...['clips', 'chips', 'hidden'].map((name) => ({ name, problem: null })),
      { name: 'lost', problem: 'The table has no version.' },
    ],
    hasVersion: async ({ ref }: { ref: { branch: string; version: number } }) => ({
      exists: !world.cleaned.includes(`${ref.branch}:${ref.version}`),
    }),
  } as unknown as TableReader,
  store: {
    listOpenGroups: () => world.groups as OpenGroup[],
    pins: { listOn: () => [] },
    trash: { list: () => world.trash.map((name) => ({ name, deletedAt: '' })) },
    facts: {
      get: (key: string) => world.facts.get(key) ?? null,
      set: (key: string, value: string) => world.facts.set(key, value),
    },
  } as unknown as StudioStore,
});

beforeEach(() => {
  world = { groups: [], trash: [], facts: new Map(), cleaned: [] };
});

const resolve = (ref: string, table = 'clips') => resolveRef(ports(), table, ref, context);
const failure = async (ref: string, table?: string): Promise<AppError> => {
  const error: unknown = await resolve(ref, table).catch((thrown: unknown) => thrown);
  if (error instanceof AppError) return error;
  throw new Error('It should have failed.');
};

describe('refs resolve', () => {
  it.each<[string, object]>([
    ['', { ref: { branch: 'main', version: 9 }, isHead: true, isPinned: false, branchCreatedAt: '' }],
    ['main', { ref: { branch: 'main', version: 9 }, isHead: true, isPinned: false }],
    ['main:9', { ref: { branch: 'main', version: 9 }, isHead: true, isPinned: true }],
    ['main:1', { ref: { branch: 'main', version: 1 }, isHead: false, isPinned: true }],
    [
      'exp',
      {
        ref: { branch: 'exp', version: 12 },
        isHead: true,
        isPinned: false,
        branchCreatedAt: '2026-01-02T00:00:00.000Z',
      },
    ],
    ['exp:5', { ref: { branch: 'exp', version: 5 }, isHead: false, isPinned: true }],
    ['tag:golden', { ref: { branch: 'exp', version: 7 }, isHead: false, isPinned: false }],
  ])('%j', async (text, expected) => {
    expect(await resolve(text)).toMatchObject({ table: 'clips', uuid: 'u1', ...expected });
  });

  it('to the sealed head while a group is open, on that branch only', async () => {
    world.groups = [
      { branch: 'main', branchCreatedAt: '', fromVersion: 7 },
      { branch: 'exp', branchCreatedAt: 'another time', fromVersion: 6 },
    ];
    expect(await resolve('main')).toMatchObject({ ref: { version: 7 }, isHead: true });
    expect(await resolve('exp')).toMatchObject({ ref: { version: 12 } });
    expect((await resolve('main')).heads.branches.map(({ version }) => version)).toEqual([7, 12]);
    expect((await failure('main:8')).code).toBe('NOT_FOUND');
  });
});

describe('what cannot be', () => {
  it.each([
    ['main:0'],
    ['main:x'],
    [':3'],
    ['tag:'],
    ['tag:a/b'],
    ['a b'],
    ['../x'],
    ['curio-x'],
    ['x'.repeat(300)],
  ])('a ref %j is a bad request', async (text) => {
    const error = await failure(text);
    expect([error.code, typeof error.hint]).toEqual(['BAD_REQUEST', 'string']);
  });

  it.each([['..'], ['a/b'], ['.importing-x'], [''], ['ü'], ['x'.repeat(300)]])(
    'a table %j is a bad request',
    async (table) => {
      expect((await failure('main', table)).code).toBe('BAD_REQUEST');
    },
  );
});

describe('what is not there', () => {
  it('a table, with near names that are not in the trash', async () => {
    world.trash = ['chips'];
    expect(await failure('main', 'clipz')).toMatchObject({
      code: 'NOT_FOUND',
      hint: 'Did you mean “clips”?',
    });
    expect(await failure('main', 'zebra')).toMatchObject({ code: 'NOT_FOUND', hint: undefined });
  });

  it('a table that is listed but has no version says what is wrong with it', async () => {
    expect(await failure('main', 'lost')).toMatchObject({
      code: 'INVALID_FILE',
      message: 'The table has no version.',
      hint: expect.stringContaining('trash'),
    });
  });

  it('a branch and a tag, with near names', async () => {
    expect(await failure('exo')).toMatchObject({ code: 'NOT_FOUND', hint: 'Did you mean “exp”?' });
    expect(await failure('tag:goldne')).toMatchObject({ code: 'NOT_FOUND', hint: 'Did you mean “golden”?' });
  });

  it('a version that never was, with those that are', async () => {
    expect(await failure('exp:13')).toMatchObject({
      code: 'NOT_FOUND',
      hint: 'The branch exp goes from version 5 to 12.',
    });
    expect(await failure('exp:4')).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what is gone', () => {
  it('a table in the trash', async () => {
    world.trash = ['clips'];
    expect(await failure('main')).toMatchObject({ code: 'GONE', hint: expect.stringMatching(/Restore it/) });
  });

  it('a version that was cleaned up', async () => {
    world.cleaned = ['main:3'];
    expect(await failure('main:3')).toMatchObject({
      code: 'GONE',
      message: 'The version main:3 has been cleaned up.',
    });
  });

  it('a branch that was deleted, and its versions after the name was used again', async () => {
    rememberDeletedBranch(ports(), 'u1', 'old');
    expect(await failure('old')).toMatchObject({ code: 'GONE', message: 'The branch old has been deleted.' });
    expect(await failure('old:3')).toMatchObject({ code: 'GONE' });
    rememberDeletedBranch(ports(), 'u1', 'exp');
    expect((await resolve('exp')).ref.version).toBe(12);
    expect(await failure('exp:2')).toMatchObject({ code: 'GONE' });
  });
});
