import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface TemporaryFolder {
  path: string;
  remove(): void;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * A folder below `parent` for what native code puts aside: processes that are killed leave it lying. What servers left
 * that are gone is removed first.
 */
export function openTemporaryFolder(parent: string): TemporaryFolder {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const pid = /^(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) removeQuietly(join(parent, name));
  }
  const path = mkdtempSync(join(parent, `${process.pid}-`));
  return { path, remove: () => removeQuietly(path) };
}

/** What cannot be removed now is removed at the next start. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // As above.
  }
}
