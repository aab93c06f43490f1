import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/api/problem.ts';

/** SQLite's `SQLITE_BUSY`. */
const busyCode = 5;

/**
 * Takes a state folder for this process alone; the result gives it back. The lock is the operating system's (held by
 * SQLite on `lock.db`), so that it ends with its process however that ends. Throws EXISTS naming the process that has it,
 * FORBIDDEN where nothing can be written.
 */
export function lockState(state: string): () => void {
  const pidFile = join(state, 'lock.pid');
  const lock = openLock(state);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: unknown }).errcode !== busyCode) throw unusable(cause);
    throw new AppError({
      code: 'EXISTS',
      message: `Another Curio (process ${readPid(pidFile)}) uses the state folder.`,
      hint: 'Use that one, stop it, or set CURIO_STATE and CURIO_HOME to other folders.',
      cause,
    });
  }
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    lock.close();
  };
}

function openLock(state: string): DatabaseSync {
  try {
    mkdirSync(state, { recursive: true });
    return new DatabaseSync(join(state, 'lock.db'));
  } catch (cause) {
    throw unusable(cause);
  }
}

const unusable = (cause: unknown): AppError =>
  new AppError({
    code: 'FORBIDDEN',
    message: 'The state folder cannot be made or written to.',
    hint: 'CURIO_STATE (the folder .curio in CURIO_HOME, unless set) must be a folder that Curio may write to.',
    cause,
  });

function readPid(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}
