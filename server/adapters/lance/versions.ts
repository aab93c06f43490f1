import { notFound } from '#shared/api/problem.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { StoredVersion, TableReader } from '../../ports/table-reader.ts';
import type { LanceHome } from './connect.ts';
import type { Manifest } from './manifest/manifest.ts';
import { readManifest } from './manifest/read-manifest.ts';
import { type OperationKind, readTransaction } from './manifest/transaction.ts';
import { versionOfManifest, versionsFolder } from './table-files.ts';
import { countChangedRows, countNetRows } from './version-rows.ts';

const kinds: Partial<Record<OperationKind, string>> = {
  append: 'edit',
  update: 'edit',
  delete: 'edit',
  'data-replacement': 'edit',
  'data-overlay': 'edit',
  merge: 'schema',
  project: 'schema',
  'update-config': 'schema',
  'create-index': 'index',
  rewrite: 'compaction',
  'reserve-fragments': 'compaction',
  restore: 'restore',
};

const noRows = { inserted: 0, updated: 0, deleted: 0 };
const manifestsAtOnce = 16;

/** Versions of a branch that are stored, newest first, by the names of their manifests. */
async function listVersionNumbers(home: LanceHome, table: string, branch: string): Promise<number[]> {
  const names = await home.storage.list(versionsFolder(table, branch));
  return names
    .map(versionOfManifest)
    .filter((version) => version !== null)
    .sort((a, b) => b - a);
}

interface Reading {
  home: LanceHome;
  table: string;
  branch: string;
}

async function describeVersion(
  { home, table, branch }: Reading,
  manifest: Manifest,
  previous: Manifest | null,
): Promise<StoredVersion | null> {
  const operation = (await readTransaction(home, { table, branch, manifest }))?.operation ?? 'unknown';
  if (operation === 'clone' && branch !== mainBranch) return null;
  const kind = operation === 'overwrite' ? (previous ? 'other' : 'create') : (kinds[operation] ?? 'other');
  const rows =
    kind === 'edit' || operation === 'overwrite'
      ? countChangedRows(manifest, previous)
      : kind === 'restore'
        ? countNetRows(manifest, previous)
        : noRows;
  return { version: manifest.version, at: manifest.committedAt.toISOString(), kind, rows };
}

/**
 * Versions of a branch from `before` (exclusive) down, newest first, without the one that it was forked at: what each
 * did, read from the manifests of the page alone.
 */
export async function listVersions(
  home: LanceHome,
  { table, branch, before = Number.POSITIVE_INFINITY, limit }: Parameters<TableReader['versions']>[0],
  { signal }: CallContext,
): Promise<{ versions: StoredVersion[]; isComplete: boolean }> {
  const numbers = (await listVersionNumbers(home, table, branch)).filter((version) => version < before);
  if (numbers.length === 0 && before === Number.POSITIVE_INFINITY)
    throw notFound(`The branch ${branch} of ${table}`);
  const page = numbers.slice(0, limit + 1);
  const manifests: (Manifest | null)[] = [];
  for (let at = 0; at < page.length; at += manifestsAtOnce) {
    signal.throwIfAborted();
    const some = page.slice(at, at + manifestsAtOnce);
    manifests.push(
      ...(await Promise.all(some.map((version) => readManifest(home, table, { branch, version })))),
    );
  }
  const described = await Promise.all(
    manifests
      .slice(0, limit)
      .map(
        (manifest, at) =>
          manifest && describeVersion({ home, table, branch }, manifest, manifests[at + 1] ?? null),
      ),
  );
  const versions = described.filter((version) => version !== null);
  return {
    versions,
    isComplete:
      numbers.length <= limit || (numbers.length === limit + 1 && branch !== mainBranch && (await isFork())),
  };

  /** The oldest manifest of a branch is a copy of the version that it was forked at, and is not shown. */
  async function isFork(): Promise<boolean> {
    const oldest = manifests[limit];
    return oldest ? (await describeVersion({ home, table, branch }, oldest, null)) === null : true;
  }
}
