import { AppError } from '#shared/api/problem.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { LanceHome } from './connect.ts';
import { withLanceErrors } from './lance-errors.ts';
import { openPinned } from './open-table.ts';
import { tagsFolder } from './table-files.ts';

const tagFile = (table: string, name: string): string =>
  `${tagsFolder(table)}/${encodeURIComponent(name)}.json`;

/** Names a version of any branch. EXISTS when the name is taken. */
export async function createTag(
  home: LanceHome,
  { table, name, ref }: { table: string; name: string; ref: PinnedRef },
  { signal }: CallContext,
): Promise<void> {
  const handle = await openPinned(home, table, ref);
  signal.throwIfAborted();
  if (await home.storage.stat(tagFile(table, name)))
    throw new AppError({
      code: 'EXISTS',
      message: `${table} has a tag ${name} already.`,
      hint: 'Choose another name, or delete the tag first.',
    });
  await withLanceErrors({ table, ref, home: home.path }, async () => {
    const tags = await handle.tags();
    await tags.create(name, ref.version);
  });
}

export async function deleteTag(
  home: LanceHome,
  { table, name }: { table: string; name: string },
  { signal }: CallContext,
): Promise<void> {
  signal.throwIfAborted();
  await withLanceErrors({ table, home: home.path }, async () => {
    const tags = await (await home.connection.openTable(table)).tags();
    await tags.delete(name);
  });
}
