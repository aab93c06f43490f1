import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JobInfo } from '#shared/api/jobs.ts';
import type { EditRecord, OpenGroup, StudioStore } from '../../ports/studio-store.ts';
import { openStudioStore } from './studio-store.ts';

const signal = new AbortController().signal;
let folder: string;
let path: string;
let store: StudioStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curio-store-'));
  path = join(folder, 'studio.db');
  store = openStudioStore(path);
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const reopen = (): StudioStore => {
  store.close();
  store = openStudioStore(path);
  return store;
};

const record = (changes: Partial<EditRecord> = {}): EditRecord => ({
  id: 'e1',
  tableUuid: 'u1',
  branch: 'exp',
  branchCreatedAt: '2024-05-01T10:00:00.000Z',
  kind: 'edit',
  fromVersion: 3,
  toVersion: 4,
  author: 'you',
  message: 'Set label on 2 rows',
  changed: { inserted: 0, updated: 2, deleted: 0 },
  at: '2024-05-01T10:01:00.000Z',
  undoes: null,
  mergedFrom: null,
  mergeBase: null,
  detail: null,
  ...changes,
});

const group = (changes: Partial<OpenGroup> = {}): OpenGroup => ({
  id: 'g1',
  table: 'clips',
  tableUuid: 'u1',
  branch: 'exp',
  branchCreatedAt: '2024-05-01T10:00:00.000Z',
  fromVersion: 3,
  kind: 'merge',
  plan: { author: 'you', steps: 2 },
  at: '2024-05-01T10:01:00.000Z',
  ...changes,
});

describe('edit log', () => {
  test('keeps every field of a record over a restart', () => {
    const full = record({
      undoes: 'e0',
      message: null,
      mergedFrom: { branch: 'fix', version: 7 },
      mergeBase: { branch: 'main', version: 2 },
      detail: { choices: [{ key: 'ä', take: 'from' }] },
    });
    store.addEdit(full);
    expect(reopen().getEdit('e1')).toEqual(full);
  });

  test('lists the newest first, of one incarnation of one branch of one table', () => {
    store.addEdit(record({ id: 'a' }));
    store.addEdit(record({ id: 'other table', tableUuid: 'u2' }));
    store.addEdit(record({ id: 'other branch', branch: 'fix' }));
    store.addEdit(record({ id: 'earlier branch of the name', branchCreatedAt: '2023-01-01T00:00:00.000Z' }));
    store.addEdit(record({ id: 'b' }));
    const filter = { tableUuid: 'u1', branch: 'exp', branchCreatedAt: '2024-05-01T10:00:00.000Z' };
    expect(store.listEdits(filter).map((edit) => edit.id)).toEqual(['b', 'a']);
    expect(store.listEdits({ ...filter, limit: 1 }).map((edit) => edit.id)).toEqual(['b']);
  });

  test('has no record of an id that it never saw', () => {
    expect(store.getEdit('nothing')).toBeNull();
  });
});

describe('journal', () => {
  test('a group that is open survives a restart with its redo', async () => {
    const redo = new Uint8Array(9 * 1024 * 1024).map((_, index) => index % 251);
    await store.keepRedo('g1', redo, signal);
    store.openGroup(group());
    reopen();
    expect(store.listOpenGroups()).toEqual([group()]);
    expect(store.listOpenGroups('u1')).toEqual([group()]);
    expect(store.listOpenGroups('u2')).toEqual([]);
    expect(Buffer.compare(store.readRedo('g1') as Uint8Array, redo)).toBe(0);
  });

  test('sealing keeps the record and forgets the group and its redo, in one step', async () => {
    await store.keepRedo('g1', new Uint8Array([1, 2, 3]), signal);
    store.openGroup(group());
    store.sealGroup('g1', record());
    for (const next of [() => store, reopen]) {
      const each = next();
      expect(each.listOpenGroups()).toEqual([]);
      expect(each.readRedo('g1')).toBeNull();
      expect(each.getEdit('e1')).toEqual(record());
    }
  });

  test('a seal that cannot keep its record leaves the group open', () => {
    store.addEdit(record());
    store.openGroup(group());
    expect(() => store.sealGroup('g1', record())).toThrow();
    expect(store.listOpenGroups()).toEqual([group()]);
    expect(reopen().listOpenGroups()).toEqual([group()]);
  });

  test('dropping forgets the group without a record', () => {
    store.openGroup(group());
    store.dropGroup('g1');
    expect(reopen().listOpenGroups()).toEqual([]);
    expect(
      store.listEdits({ tableUuid: 'u1', branch: 'exp', branchCreatedAt: group().branchCreatedAt }),
    ).toEqual([]);
  });

  test('a redo whose group was never opened is gone after a restart', async () => {
    await store.keepRedo('g1', new Uint8Array([1]), signal);
    expect(reopen().readRedo('g1')).toBeNull();
  });

  test('keeping a redo can be given up, and leaves nothing', async () => {
    const given = AbortSignal.abort();
    await expect(store.keepRedo('g1', new Uint8Array([1]), given)).rejects.toThrow();
    expect(store.readRedo('g1')).toBeNull();
  });
});

test('protected branches, trash and facts survive a restart', () => {
  store.setProtectedBranch('u1', 'release', true);
  store.setProtectedBranch('u1', 'release', true);
  store.setProtectedBranch('u1', 'gone', true);
  store.setProtectedBranch('u1', 'gone', false);
  store.trash.add('old', '2024-01-01T00:00:00.000Z');
  store.trash.add('old', '2024-01-02T00:00:00.000Z');
  store.trash.add('older', '2023-01-01T00:00:00.000Z');
  store.trash.add('back', '2024-01-01T00:00:00.000Z');
  store.trash.remove('back');
  store.facts.set('demo.made', '1');
  store.facts.set('demo.made', '2');
  store.facts.set('no', 'x');
  store.facts.set('no', null);
  reopen();
  expect(store.listProtectedBranches('u1')).toEqual(['release']);
  expect(store.listProtectedBranches('u2')).toEqual([]);
  expect(store.trash.list()).toEqual([
    { name: 'old', deletedAt: '2024-01-02T00:00:00.000Z' },
    { name: 'older', deletedAt: '2023-01-01T00:00:00.000Z' },
  ]);
  expect(store.facts.get('demo.made')).toBe('2');
  expect(store.facts.get('no')).toBeNull();
});

describe('jobs', () => {
  const job = (id: string, changes: Partial<JobInfo> = {}): JobInfo => ({
    id,
    kind: 'import',
    title: `Import ${id}`,
    state: 'done',
    done: 3,
    total: 3,
    unit: 'rows',
    message: 'Done',
    result: { table: id, notices: ['ä'] },
    createdAt: '2024-05-01T10:00:00.000Z',
    updatedAt: '2024-05-01T10:01:00.000Z',
    ...changes,
  });
  const idsOf = (jobs: JobInfo[]) => jobs.map(({ id }) => id);

  test('are kept over a restart as they were last, in the order in which they came, newest first', () => {
    const failed = job('a', {
      state: 'failed',
      error: { code: 'INVALID_FILE', detail: 'Bad.', hint: 'Mend.' },
    });
    store.jobs.keep(job('a', { state: 'queued' }));
    store.jobs.keep(job('b'));
    store.jobs.keep(failed);
    expect(reopen().jobs.list()).toEqual([job('b'), failed]);
  });

  test('are the last 200, and none that has not ended is dropped', () => {
    store.jobs.keep(job('old'));
    store.jobs.keep(job('waits', { state: 'queued' }));
    store.jobs.keep(job('runs', { state: 'running' }));
    const newer = Array.from({ length: 200 }, (_, index) => `n${index}`);
    for (const id of newer.slice(0, 197)) store.jobs.keep(job(id));
    expect(idsOf(store.jobs.list())).toContain('old');
    for (const id of newer.slice(197)) store.jobs.keep(job(id));
    const list = () => idsOf(reopen().jobs.list());
    expect(list()).toEqual([...newer.toReversed(), 'runs', 'waits']);
    store.jobs.keep(job('waits'));
    expect(list()).toEqual([...newer.toReversed(), 'runs']);
  });

  test('find their place in a file from before they were kept', () => {
    store.addEdit(record());
    store.close();
    const old = new DatabaseSync(path);
    const first = ['edits', 'open_groups', 'redo', 'protected_branches', 'trash', 'facts'];
    const tables = old.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const name of tables.map((row) => String(row.name)).toReversed())
      if (!first.includes(name) && !name.startsWith('sqlite_')) old.exec(`DROP TABLE IF EXISTS ${name}`);
    old.exec('PRAGMA user_version = 1');
    old.close();
    store = openStudioStore(path);
    store.jobs.keep(job('a'));
    expect([reopen().jobs.list(), store.getEdit('e1')]).toEqual([[job('a')], record()]);
  });
});

test('the file is kept with a write-ahead log', () => {
  const other = new DatabaseSync(path);
  expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  other.close();
});

test('a file of a newer Curio is refused, with the way out', () => {
  store.close();
  const other = new DatabaseSync(path);
  const { user_version: version } = other.prepare('PRAGMA user_version').get() as { user_version: number };
  other.exec('PRAGMA user_version = 999');
  other.close();
  expect(() => openStudioStore(path)).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED', hint: expect.stringContaining('newer Curio') }),
  );
  const mend = new DatabaseSync(path);
  mend.exec(`PRAGMA user_version = ${version}`);
  mend.close();
  store = openStudioStore(path);
});

test('a file that is no database is refused, without its path in the message', () => {
  const broken = join(folder, 'broken.db');
  writeFileSync(broken, 'this is no database, and long enough to be looked at as one'.repeat(20));
  const open = () => openStudioStore(broken);
  expect(open).toThrow(expect.objectContaining({ code: 'INVALID_FILE' }));
  expect(open).not.toThrow(folder);
});
