import type { Pinned } from '../../ports/table-reader.ts';
import type { LanceHome, StoredHome } from './connect.ts';
import { folderOf, readManifest } from './manifest/read-manifest.ts';

/** Sizes of the folders of blobs beside a data file: written once with it. */
const known = new Map<string, number>();
const maxKnown = 50_000;

async function folderBytes(home: StoredHome, path: string): Promise<number> {
  const size = known.get(path);
  if (size !== undefined) return size;
  let total = 0;
  for (const name of await home.storage.list(path))
    total += (await home.storage.stat(`${path}/${name}`))?.sizeBytes ?? 0;
  if (known.size >= maxKnown) known.clear();
  known.set(path, total);
  return total;
}

/** Files in another table's folder, as of a shallow clone, are that table's. */
function ownFolder(find: () => string): string | null {
  try {
    return find();
  } catch {
    return null;
  }
}

/** Bytes of the blobs that lie beside the data files, which Lance's own statistics leave out. */
export async function readBlobBytes(home: LanceHome, { table, ref }: Pinned): Promise<number> {
  const manifest = await readManifest(home, table, ref);
  if (!manifest) return 0;
  let total = 0;
  for (const { files } of manifest.fragments) {
    for (const { path, baseId } of files) {
      const folder = ownFolder(() => folderOf(manifest, table, ref, baseId));
      if (folder !== null) total += await folderBytes(home, `${folder}/data/${path.replace(/\.lance$/, '')}`);
    }
  }
  return total;
}
