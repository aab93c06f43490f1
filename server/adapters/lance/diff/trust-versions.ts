import type { LanceHome } from '../connect.ts';
import type { Lineage } from '../lines.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { type OperationKind, readTransaction } from '../manifest/transaction.ts';
import type { TrustVersions } from './find-candidates.ts';
import type { Side } from './side.ts';

/** Operations that keep the last-updated versions of rows right, as measured with this Lance. */
const honest: ReadonlySet<OperationKind> = new Set([
  'append',
  'delete',
  'create-index',
  'rewrite',
  'restore',
  'reserve-fragments',
  'update',
  'project',
  'update-config',
  'clone',
]);

const maxSteps = 300;
const firstHonestMajor = 12;

/**
 * Whether the versions that last changed a row tell that it is untouched: both sides saw the same last change, before
 * they parted. Only where every version since was made by an operation and a Lance that keep them right; a file that was
 * replaced by hand, or a version that was cleaned up, and cells are compared instead.
 */
export function createTrust(
  home: LanceHome,
  base: Side,
  side: Side,
  { fork, since }: Lineage,
): TrustVersions {
  let answer: ReturnType<TrustVersions> | null = null;
  return () => {
    answer ??= decide();
    return answer;
  };

  async function decide(): ReturnType<TrustVersions> {
    const isStable = base.manifest.hasStableRowIds && side.manifest.hasStableRowIds;
    if (!fork || !isStable || since.length > maxSteps) return null;
    for (const ref of since) {
      const manifest = await readManifest(home, side.table, ref);
      const transaction =
        manifest && (await readTransaction(home, { table: side.table, branch: ref.branch, manifest }));
      if (!manifest || !transaction || !honest.has(transaction.operation)) return null;
      if (manifest.writerMajor < firstHonestMajor) return null;
    }
    const { version } = fork;
    return (baseUpdate, sideUpdate) => baseUpdate === sideUpdate && baseUpdate <= version;
  }
}

/** Whether the table was written anew under its name since the two parted, so that field ids mean other columns. */
export async function wasOverwritten(
  home: LanceHome,
  table: string,
  { fork, since }: Lineage,
): Promise<boolean> {
  if (!fork || since.length > maxSteps) return true;
  for (const ref of since) {
    const manifest = await readManifest(home, table, ref);
    const transaction = manifest && (await readTransaction(home, { table, branch: ref.branch, manifest }));
    if (!transaction || transaction.operation === 'overwrite' || transaction.operation === 'unknown')
      return true;
  }
  return false;
}
