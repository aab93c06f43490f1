import { createHash } from 'node:crypto';
import { notFound } from '#shared/api/problem.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { incarnationOf } from '../../incarnation.ts';
import type { Pinned } from '../../ports/table-reader.ts';
import type { StoredHome } from './connect.ts';
import { readBranchCreation } from './heads.ts';
import { readTableUuid } from './table-identity.ts';

export interface PinnedIdentity {
  /** Names the rows of a pinned ref for ever: a name that is used again, of a table or of a branch, has another key. */
  key: string;
  incarnation: string;
}

/** What tells a pinned ref from any other. NOT_FOUND for a branch that is not there. */
export async function readPinnedIdentity(home: StoredHome, pinned: Pinned): Promise<PinnedIdentity> {
  const { ref } = pinned;
  const { uuid, createdAt } = await readIdentity(home, pinned);
  if (ref.branch !== mainBranch && createdAt === null) throw notFound(`The branch ${ref.branch}`);
  const key = createHash('sha256')
    .update(JSON.stringify([uuid, ref.branch, createdAt, ref.version]))
    .digest('hex')
    .slice(0, 40);
  return { key, incarnation: incarnationOf(uuid, createdAt) };
}

/** The key alone. */
export const readPinnedKey = async (home: StoredHome, pinned: Pinned): Promise<string> =>
  (await readPinnedIdentity(home, pinned)).key;

async function readIdentity(
  home: StoredHome,
  { table, ref, known }: Pinned,
): Promise<{ uuid: string; createdAt: string | null }> {
  if (known) return { uuid: known.uuid, createdAt: known.branchCreatedAt || null };
  const [uuid, createdAt] = await Promise.all([
    readTableUuid(home, table),
    readBranchCreation(home, table, ref.branch),
  ]);
  return { uuid, createdAt };
}
