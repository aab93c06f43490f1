import type { DatabaseSync } from 'node:sqlite';
import type { StudioStore } from '../../ports/studio-store.ts';
import { createEditLog } from './edit-log.ts';
import { createGroupJournal } from './group-journal.ts';
import { createJobArchive } from './job-archive.ts';
import { openDatabase, translateSqliteError } from './open-database.ts';
import { createPinStore } from './pin-store.ts';
import { createQueryStore } from './query-store.ts';
import { createReviewStore } from './review-store.ts';

/** Studio state in one SQLite file; `:memory:` for tests that do not reopen it. */
export function openStudioStore(path: string): StudioStore {
  const database = openDatabase(path);
  const log = createEditLog(database);
  return translated({
    ...log,
    ...createGroupJournal(database, log.addEdit),
    ...createProtection(database),
    trash: translated(createTrash(database)),
    jobs: translated(createJobArchive(database)),
    reviews: translated(createReviewStore(database)),
    queries: translated(createQueryStore(database)),
    pins: translated(createPinStore(database)),
    facts: translated(createFacts(database)),
    close: () => database.close(),
  });
}

function createProtection(
  database: DatabaseSync,
): Pick<StudioStore, 'listProtectedBranches' | 'setProtectedBranch'> {
  const list = database.prepare('SELECT branch FROM protected_branches WHERE table_uuid = ? ORDER BY branch');
  const add = database.prepare('INSERT OR IGNORE INTO protected_branches (table_uuid, branch) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM protected_branches WHERE table_uuid = ? AND branch = ?');
  return {
    listProtectedBranches: (tableUuid) => list.all(tableUuid).map((row) => String(row.branch)),
    setProtectedBranch(tableUuid, branch, isProtected) {
      (isProtected ? add : remove).run(tableUuid, branch);
    },
  };
}

/** Every ref that is resolved asks for the trash, so it is also held in memory. */
function createTrash(database: DatabaseSync): StudioStore['trash'] {
  const add = database.prepare(
    'INSERT INTO trash (name, deleted_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET deleted_at = excluded.deleted_at',
  );
  const remove = database.prepare('DELETE FROM trash WHERE name = ?');
  const list = database.prepare('SELECT name, deleted_at FROM trash ORDER BY deleted_at DESC, name');
  let kept: ReturnType<StudioStore['trash']['list']> | null = null;
  const read = () => list.all().map((row) => ({ name: String(row.name), deletedAt: String(row.deleted_at) }));
  return {
    add(table, at) {
      kept = null;
      add.run(table, at);
    },
    remove(table) {
      kept = null;
      remove.run(table);
    },
    list() {
      kept ??= read();
      return [...kept];
    },
  };
}

function createFacts(database: DatabaseSync): StudioStore['facts'] {
  const get = database.prepare('SELECT value FROM facts WHERE key = ?');
  const set = database.prepare(
    'INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  const remove = database.prepare('DELETE FROM facts WHERE key = ?');
  return {
    get: (key) => (get.get(key)?.value as string | undefined) ?? null,
    set: (key, value) => void (value === null ? remove.run(key) : set.run(key, value)),
  };
}

/** The same object, with SQLite's errors told in Curio's words. */
function translated<T extends object>(target: T): T {
  const entries = Object.entries(target).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value];
    const call = (...args: unknown[]): unknown => {
      try {
        const result: unknown = value(...args);
        return result instanceof Promise
          ? result.catch((error: unknown) => Promise.reject(translateSqliteError(error)))
          : result;
      } catch (error) {
        throw translateSqliteError(error);
      }
    };
    return [name, call];
  });
  return Object.fromEntries(entries) as T;
}
