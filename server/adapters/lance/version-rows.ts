import type { RowCounts } from '#shared/domain/edits.ts';
import type { Fragment, Manifest } from './manifest/manifest.ts';
import { readVersionRuns, type VersionRun } from './manifest/row-ids.ts';

const liveRows = ({ fragments }: Manifest): number =>
  fragments.reduce((sum, { physicalRows, deletion }) => sum + physicalRows - (deletion?.deletedRows ?? 0), 0);

const sameBytes = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === b || (a !== null && b !== null && a.length === b.length && Buffer.compare(a, b) === 0);

/** Rows of a fragment that the version created, and those from before that it updated; in physical rows. */
function touchedRows(
  { physicalRows, createdAt, lastUpdated }: Fragment,
  version: number,
): { created: number; updated: number } {
  const all: VersionRun[] = [{ length: physicalRows, version: 0 }];
  const createdRuns = createdAt ? readVersionRuns(createdAt) : all;
  const updatedRuns = lastUpdated ? readVersionRuns(lastUpdated) : all;
  let created = 0;
  let updated = 0;
  let [c, u] = [0, 0];
  let createdLeft = createdRuns[0]?.length ?? 0;
  let updatedLeft = updatedRuns[0]?.length ?? 0;
  while (c < createdRuns.length && u < updatedRuns.length) {
    const length = Math.min(createdLeft, updatedLeft);
    if (createdRuns[c]!.version === version) created += length;
    else if (updatedRuns[u]!.version === version) updated += length;
    createdLeft -= length;
    updatedLeft -= length;
    if (createdLeft === 0) createdLeft = createdRuns[++c]?.length ?? 0;
    if (updatedLeft === 0) updatedLeft = updatedRuns[++u]?.length ?? 0;
  }
  return { created, updated };
}

function countByStamps(manifest: Manifest, previous: Manifest | null): RowCounts {
  const before = new Map(previous?.fragments.map((fragment) => [fragment.id, fragment]));
  let inserted = 0;
  let updated = 0;
  for (const fragment of manifest.fragments) {
    const old = before.get(fragment.id);
    if (
      old &&
      sameBytes(old.createdAt, fragment.createdAt) &&
      sameBytes(old.lastUpdated, fragment.lastUpdated)
    )
      continue;
    const touched = touchedRows(fragment, manifest.version);
    inserted += touched.created;
    updated += touched.updated;
  }
  const deleted = previous ? Math.max(0, liveRows(previous) + inserted - liveRows(manifest)) : 0;
  return { inserted, updated, deleted };
}

/** Without stable row ids nothing says which rows are which: moved rows count as updated. */
function countBySize(manifest: Manifest, previous: Manifest | null): RowCounts {
  const known = new Set(previous?.fragments.map(({ id }) => id));
  const written = manifest.fragments
    .filter(({ id }) => !known.has(id))
    .reduce((sum, { physicalRows }) => sum + physicalRows, 0);
  const gone = previous ? liveRows(previous) + written - liveRows(manifest) : 0;
  const updated = Math.min(written, gone);
  return { inserted: written - updated, updated, deleted: gone - updated };
}

/** How many rows a version inserted, updated and deleted, from its manifest and that of the version before. */
export const countChangedRows = (manifest: Manifest, previous: Manifest | null): RowCounts =>
  manifest.hasStableRowIds ? countByStamps(manifest, previous) : countBySize(manifest, previous);

/** What a restore did to the number of rows. */
export function countNetRows(manifest: Manifest, previous: Manifest | null): RowCounts {
  const more = previous ? liveRows(manifest) - liveRows(previous) : 0;
  return { inserted: Math.max(0, more), updated: 0, deleted: Math.max(0, -more) };
}
