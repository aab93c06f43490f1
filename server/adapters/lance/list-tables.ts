import { AppError, isAppError } from '#shared/api/problem.ts';
import { assertTableName } from '#shared/domain/names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { StoredTable } from '../../ports/table-reader.ts';
import type { StoredHome } from './connect.ts';
import { tableFolder, versionOfManifest, versionsFolder } from './table-files.ts';

const suffix = tableFolder('');

const nameProblem = (name: string): string | null => {
  try {
    assertTableName(name);
    return null;
  } catch (error) {
    return isAppError(error)
      ? `${error.message} Rename its folder to open it.`
      : 'The table has a name that cannot be used.';
  }
};

/**
 * Every Lance table of the home by its folder, with a reason where it cannot be opened. Names that begin with a dot
 * are not tables: imports build theirs under such a name until they are complete.
 */
export async function listTables(home: StoredHome, signal: AbortSignal): Promise<StoredTable[]> {
  const folders = await home.storage.list('');
  const names = folders
    .filter((folder) => folder.endsWith(suffix) && !folder.startsWith('.'))
    .map((folder) => folder.slice(0, -suffix.length));
  const tables = await Promise.all(
    names.map(async (name) => {
      signal.throwIfAborted();
      return { name, problem: nameProblem(name) ?? (await versionProblem(home, name)) };
    }),
  );
  return tables.sort((a, b) => a.name.localeCompare(b.name));
}

async function versionProblem(home: StoredHome, name: string): Promise<string | null> {
  try {
    const files = await home.storage.list(versionsFolder(name, mainBranch));
    return files.some((file) => versionOfManifest(file) !== null)
      ? null
      : 'The table has no version: its files are lost or it was not written to the end.';
  } catch (error) {
    return error instanceof AppError ? error.message : 'The table cannot be read.';
  }
}
