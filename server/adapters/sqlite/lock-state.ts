import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#shared/api/problem.ts';

/**
 * Takes a state folder for this process alone; the result gives it back. The lock is the operating system's (held by
 * SQLite on `lock.db`), so that it ends with its process however that ends. Throws EXISTS naming the process that has it.
 */
export function lockState(state: string): () => void {
  mkdirSync(state, { recursive: true });
  const pidFile = join(state, 'lock.pid');
  const lock = new DatabaseSync(join(state, 'lock.db'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    lock.close();
    throw new AppError({
      code: 'EXISTS',
      message: `Another Curio (process ${readPid(pidFile)}) uses the state folder.`,
      hint: 'Use that one, stop it, or set CURIO_STATE and CURIO_HOME to other folders.',
      cause,
    });
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    lock.close();
  };
}

function readPid(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim() || 'unknown';
  } catch {
    return 'unknown';
  }
}
