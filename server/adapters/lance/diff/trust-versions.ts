import type { LanceHome } from '../connect.ts';
import type { Lineage } from '../lines.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { type OperationKind, readTransaction, readUpdatedFields } from '../manifest/transaction.ts';
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

/** Operations that change no cell of a row that stays. */
const keepsCells: ReadonlySet<OperationKind> = new Set([
  'append',
  'delete',
  'create-index',
  'rewrite',
  'reserve-fragments',
  'project',
  'update-config',
  'clone',
]);

/** Ids of the fields that can differ in rows that are on both sides under one id; `null` when nobody can tell. */
export type ChangedFields = () => Promise<ReadonlySet<number> | null>;

/**
 * Which fields the versions since the fork have set, as their transactions say: an update names its fields, also where it
 * wrote whole rows. All other fields of a row are as they were.
 */
export function createChangedFields(
  home: LanceHome,
  base: Side,
  side: Side,
  { fork, since }: Lineage,
): ChangedFields {
  return async () => {
    const isStable = base.manifest.hasStableRowIds && side.manifest.hasStableRowIds;
    if (!fork || !isStable || since.length > maxSteps) return null;
    const fields = new Set<number>();
    for (const ref of since) {
      const manifest = await readManifest(home, side.table, ref);
      const transaction =
        manifest && (await readTransaction(home, { table: side.table, branch: ref.branch, manifest }));
      if (!transaction || manifest.writerMajor < firstHonestMajor) return null;
      if (keepsCells.has(transaction.operation)) continue;
      const named = transaction.operation === 'update' ? readUpdatedFields(transaction.detail) : [];
      if (named.length === 0) return null;
      for (const id of named) fields.add(id);
    }
    return fields;
  };
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
