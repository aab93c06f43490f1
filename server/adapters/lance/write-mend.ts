import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LanceHome } from './connect.ts';
import { tableFolder, versionOfManifest } from './table-files.ts';

const scrapPrefix = '.tmp';
const scrapAgeMs = 3600 * 1000;
/** A manifest is renamed into its place when it is whole: an empty one is older than this only after a crash. */
const brokenAgeMs = 5_000;

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/**
 * Mends what a crash of this or another program left in the tables: the newest manifest of a branch that was never
 * filled, which would keep the whole branch from opening, and scraps of data that no version uses and Lance never
 * removes. Gives the paths that were removed, relative to the home.
 */
export async function mendHome(home: LanceHome, signal: AbortSignal): Promise<{ removed: string[] }> {
  const removed: string[] = [];
  for (const name of await list(home.path)) {
    if (!name.endsWith(tableFolder('')) || name.startsWith('.')) continue;
    for (const folder of [name, ...(await branchFolders(home.path, join(name, 'tree')))]) {
      signal.throwIfAborted();
      removed.push(...(await mendBranch(home.path, folder)));
    }
  }
  return { removed };
}

/** Folders of branches: names have parts, so a branch is where there are versions. */
async function branchFolders(home: string, folder: string): Promise<string[]> {
  const names = await list(join(home, folder));
  const inside = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const isBranch = (await list(join(home, path))).includes('_versions');
      return [...(isBranch ? [path] : []), ...(isInnerFolder(name) ? await branchFolders(home, path) : [])];
    }),
  );
  return inside.flat();
}

const isInnerFolder = (name: string): boolean =>
  !['_versions', '_transactions', '_deletions', '_indices', '_refs', 'data'].includes(name);

async function mendBranch(home: string, folder: string): Promise<string[]> {
  const removed: string[] = [];
  const remove = async (path: string) => {
    await rm(join(home, path), { recursive: true, force: true });
    removed.push(path);
  };
  const manifests = (await list(join(home, folder, '_versions')))
    .map((file) => ({ path: join(folder, '_versions', file), version: versionOfManifest(file) }))
    .filter((manifest) => manifest.version !== null)
    .sort((a, b) => b.version! - a.version!);
  const [newest, before] = manifests;
  if (
    newest &&
    before &&
    (await isEmptyFile(join(home, newest.path))) &&
    !(await isEmptyFile(join(home, before.path)))
  )
    await remove(newest.path);
  for (const name of await list(join(home, folder, 'data'))) {
    const path = join(folder, 'data', name);
    if (name.startsWith(scrapPrefix) && (await ageOf(join(home, path))) > scrapAgeMs) await remove(path);
  }
  return removed;
}

async function ageOf(path: string): Promise<number> {
  const facts = await stat(path).catch(() => null);
  return facts ? Date.now() - facts.mtimeMs : 0;
}

async function isEmptyFile(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts !== null && facts.size === 0 && Date.now() - facts.mtimeMs > brokenAgeMs;
}
