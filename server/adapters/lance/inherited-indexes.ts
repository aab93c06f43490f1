import { mainBranch, type PinnedRef } from '#shared/domain/ref.ts';
import type { LanceHome } from './connect.ts';
import { readLine } from './lines.ts';
import { readManifest } from './manifest/read-manifest.ts';
import { branchFolder } from './table-files.ts';

const indexFolder = (table: string, branch: string, uuid: string): string =>
  `${branchFolder(table, branch)}/_indices/${uuid}`;

/**
 * Lance (0.39) looks for the indexes of a branch that was made from a branch in the folder of the branch that it came
 * from, also where that one had them from its own parent: then every filter on an indexed column fails. So the files are
 * made to be there too.
 */
export async function shareInheritedIndexes(
  home: LanceHome,
  { table, name, from }: { table: string; name: string; from: PinnedRef },
): Promise<void> {
  if (from.branch === mainBranch) return;
  const manifest = await readManifest(home, table, { branch: name, version: from.version });
  if (!manifest || manifest.indexUuids.length === 0) return;
  const ancestors = (await readLine(home, table, from.branch)).slice(1);
  for (const uuid of manifest.indexUuids) {
    const wanted = indexFolder(table, from.branch, uuid);
    if ((await home.storage.list(wanted)).length > 0) continue;
    for (const { name: ancestor } of ancestors) {
      const folder = indexFolder(table, ancestor, uuid);
      const files = await home.storage.list(folder);
      await Promise.all(files.map((file) => home.storage.share(`${folder}/${file}`, `${wanted}/${file}`)));
      if (files.length > 0) break;
    }
  }
}
