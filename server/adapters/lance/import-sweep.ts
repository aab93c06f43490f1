import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LanceHome } from './connect.ts';
import { stagingPrefix } from './staged-table.ts';

const foreignAgeMs = 7 * 24 * 3600 * 1000;
const scrapAgeMs = 3600 * 1000;
const scrapPrefix = '.tmp';

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

const ageOf = async (path: string): Promise<number> => {
  const facts = await stat(path).catch(() => null);
  return facts ? Date.now() - facts.mtimeMs : 0;
};

/**
 * Removes what killed imports left: all that this server's own imports staged (`owner` begins their ids), what others
 * staged over a week ago, and the scraps that a killed write leaves in a table's data, which Lance never removes.
 */
export async function sweepImports(home: LanceHome, owner: string, signal: AbortSignal): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await list(home.path)) {
    signal.throwIfAborted();
    const path = join(home.path, name);
    const isStaged = name.startsWith(stagingPrefix);
    const isOwn = name.startsWith(`${stagingPrefix}${owner}`);
    if (isStaged && (isOwn || (await ageOf(path)) > foreignAgeMs)) {
      await rm(path, { recursive: true, force: true });
      removed.push(name);
    } else if (!isStaged && name.endsWith('.lance')) {
      removed.push(...(await sweepScraps(path)));
    }
  }
  return removed;
}

async function sweepScraps(table: string): Promise<string[]> {
  const removed: string[] = [];
  const data = join(table, 'data');
  for (const name of await list(data)) {
    if (!name.startsWith(scrapPrefix) || (await ageOf(join(data, name))) < scrapAgeMs) continue;
    await rm(join(data, name), { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}
