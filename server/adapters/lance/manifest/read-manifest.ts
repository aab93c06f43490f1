import { AppError } from '#shared/api/problem.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { LanceHome } from '../connect.ts';
import { branchFolder, manifestNames, tableFolder, versionsFolder } from '../table-files.ts';
import { readDeletions } from './deletions.ts';
import { type DeletionFile, type Fragment, type Manifest, parseManifest } from './manifest.ts';

/** The manifest of a version of a branch, or null when it is not stored (any more). */
export async function readManifest(
  home: LanceHome,
  table: string,
  { branch, version }: PinnedRef,
): Promise<Manifest | null> {
  for (const name of manifestNames(version)) {
    const bytes = await home.storage.read(`${versionsFolder(table, branch)}/${name}`);
    if (bytes) return parseManifest(bytes);
  }
  return null;
}

/**
 * The folder of a file of the table, relative to the home. Branches keep the files of what they left by the absolute
 * path of that folder; Curio's tables never leave their own folder, so what follows its name is enough.
 */
export function folderOf(
  { basePaths }: Pick<Manifest, 'basePaths'>,
  table: string,
  { branch }: PinnedRef,
  baseId: number | null,
): string {
  if (baseId === null) return branchFolder(table, branch);
  const path = `/${basePaths.find(({ id }) => id === baseId)?.path ?? ''}`.replace(/\/+$/, '');
  const at = `${path}/`.lastIndexOf(`/${tableFolder(table)}/`);
  if (at === -1) {
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${table} keeps rows in another table’s folder, which Curio cannot compare.`,
      hint: 'Make a full copy of the table.',
    });
  }
  return path.slice(at + 1);
}

/** Offsets of the deleted physical rows of a fragment, ascending. */
export async function readDeletedOffsets(
  home: LanceHome,
  {
    table,
    ref,
    manifest,
    fragment,
  }: { table: string; ref: PinnedRef; manifest: Manifest; fragment: Fragment },
): Promise<Uint32Array> {
  const { deletion } = fragment;
  if (!deletion) return new Uint32Array(0);
  const path = `${folderOf(manifest, table, ref, deletion.baseId)}/_deletions/${deletionFileName(fragment.id, deletion)}`;
  const bytes = await home.storage.read(path);
  if (!bytes) {
    throw new AppError({
      code: 'INVALID_FILE',
      message: `A file that lists deleted rows of ${table} at ${formatRef(ref)} is missing.`,
      hint: 'Open an older version, or restore the table’s files from a backup.',
    });
  }
  return readDeletions(bytes, deletion.kind);
}

/** Deletion files are named by fragment, version and id; the same name means the same rows. */
export const deletionFileName = (fragmentId: number, { kind, readVersion, id }: DeletionFile): string =>
  `${fragmentId}-${readVersion}-${id}.${kind === 'bitmap' ? 'bin' : 'arrow'}`;
