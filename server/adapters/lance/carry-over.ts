import type { PinnedRef } from '#shared/domain/ref.ts';
import type { LanceHome } from './connect.ts';
import type { Fragment, Manifest } from './manifest/manifest.ts';
import { deletionFileName, folderOf, readDeletedOffsets, readManifest } from './manifest/read-manifest.ts';
import { readIdOrder } from './rows/id-order.ts';
import { comesById } from './rows/read-rows.ts';

/** How the rows of one version follow from those of another, in stored order: some are gone, others come at the end. */
export interface CarryOver {
  /** Places of the rows that are gone, among the rows of the old version, ascending. */
  removed: Float64Array;
  /** Rows of the old version that are still there: the first ones of the new version. */
  kept: number;
  /** Rows after them. */
  added: number;
}

export interface CarryOverInput {
  table: string;
  from: PinnedRef;
  to: PinnedRef;
  /** Columns that are carried over; others may have changed in any way. */
  columns: readonly string[];
}

interface Side {
  ref: PinnedRef;
  manifest: Manifest;
  /** Ids of the fields of the columns, each with what it holds. */
  fields: Map<number, string>;
}

/**
 * Whether columns that were read at one version can be brought to another by what changed between them, from manifests
 * and deletion files alone. `null` where not: cells were rewritten in place, fragments stand in another order, columns
 * are others, or a manifest is gone. Rows that an update moved are gone from where they were and come at the end; small
 * tables, whose rows are read in the order of their ids, cannot be made by appending once they have such rows.
 */
export async function planCarryOver(
  home: LanceHome,
  { table, from, to, columns }: CarryOverInput,
): Promise<CarryOver | null> {
  const [before, after] = await Promise.all([from, to].map((ref) => readSide(home, table, ref, columns)));
  if (!before || !after || !sameFields(before.fields, after.fields)) return null;
  for (const { ref, manifest } of [before, after])
    if (comesById(rowsOf(manifest)) && (await readIdOrder(home, { table, ref }))) return null;
  const fragments = new Map(before.manifest.fragments.map((fragment) => [fragment.id, fragment]));
  const isKept = (fragment: Fragment) => fragments.has(fragment.id);
  const firstNew = after.manifest.fragments.findIndex((fragment) => !isKept(fragment));
  const split = firstNew === -1 ? after.manifest.fragments.length : firstNew;
  const staying = after.manifest.fragments.slice(0, split);
  const coming = after.manifest.fragments.slice(split);
  if (coming.some(isKept)) return null;
  const removed: Float64Array[] = [];
  let [place, next, kept] = [0, 0, 0];
  for (const fragment of before.manifest.fragments) {
    const live = liveRows(fragment);
    const now = staying[next];
    if (now?.id !== fragment.id) removed.push(Float64Array.from({ length: live }, (_, row) => place + row));
    else {
      next += 1;
      const gone = await goneFrom(home, { table, before, after, fragment, now });
      if (!gone) return null;
      removed.push(gone.map((row) => place + row));
      kept += live - gone.length;
    }
    place += live;
  }
  if (next !== staying.length) return null;
  return { removed: joined(removed), kept, added: coming.reduce((sum, one) => sum + liveRows(one), 0) };
}

const liveRows = ({ physicalRows, deletion }: Fragment): number =>
  physicalRows - (deletion?.deletedRows ?? 0);

const rowsOf = ({ fragments }: Manifest): number =>
  fragments.reduce((sum, fragment) => sum + liveRows(fragment), 0);

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function readSide(
  home: LanceHome,
  table: string,
  ref: PinnedRef,
  columns: readonly string[],
): Promise<Side | null> {
  const manifest = await readManifest(home, table, ref);
  if (!manifest || manifest.fragments.some(({ hasOverlays }) => hasOverlays)) return null;
  const wanted = new Set(columns);
  const fields = new Map<number, string>();
  for (const { id, parentId, name, logicalType, nullable } of manifest.fields)
    if (parentId === -1 ? wanted.has(name) : fields.has(parentId))
      fields.set(id, `${parentId} ${name} ${logicalType} ${nullable}`);
  return { ref, manifest, fields };
}

const sameFields = (a: Side['fields'], b: Side['fields']): boolean =>
  a.size === b.size && [...a].every(([id, text]) => b.get(id) === text);

/** The files that hold the fields in a fragment; the same files hold the same cells. */
function filesOf({ manifest, ref, fields }: Side, table: string, fragment: Fragment): string {
  return fragment.files
    .filter((file) => file.fields.some((id) => fields.has(id)))
    .map(({ path, baseId, fields: held }) => {
      const shown = held.map((id) => (fields.has(id) ? id : '')).join(',');
      return `${folderOf(manifest, table, ref, baseId)}/${path}:${shown}`;
    })
    .sort()
    .join('\n');
}

/** Deleted offsets that were read last: the next version is compared with them. Their files never change. */
const lastRead = new WeakMap<LanceHome, Map<string, Promise<Uint32Array>>>();
const maxKeptFiles = 64;

function deletedOffsets(
  home: LanceHome,
  table: string,
  { ref, manifest }: Side,
  fragment: Fragment,
): Promise<Uint32Array> {
  const { deletion } = fragment;
  if (!deletion) return Promise.resolve(new Uint32Array(0));
  const kept = lastRead.get(home) ?? new Map<string, Promise<Uint32Array>>();
  lastRead.set(home, kept);
  const folder = folderOf(manifest, table, ref, deletion.baseId);
  const key = `${folder}/${deletionFileName(fragment.id, deletion)}/${deletion.deletedRows}`;
  const read = kept.get(key) ?? readDeletedOffsets(home, { table, ref, manifest, fragment });
  kept.delete(key);
  kept.set(key, read);
  read.catch(() => kept.delete(key));
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKeptFiles) break;
    kept.delete(oldest);
  }
  return read;
}

interface FragmentPair {
  table: string;
  before: Side;
  after: Side;
  fragment: Fragment;
  now: Fragment;
}

/** Places among the live rows of a fragment that were deleted since; `null` where it holds other cells now. */
async function goneFrom(
  home: LanceHome,
  { table, before, after, fragment, now }: FragmentPair,
): Promise<Float64Array | null> {
  if (fragment.physicalRows !== now.physicalRows) return null;
  if (filesOf(before, table, fragment) !== filesOf(after, table, now)) return null;
  const [old, fresh] = await Promise.all([
    deletedOffsets(home, table, before, fragment),
    deletedOffsets(home, table, after, now),
  ]);
  const gone = new Float64Array(Math.max(0, fresh.length - old.length));
  let [seen, count] = [0, 0];
  for (const offset of fresh) {
    if (old[seen] === offset) seen += 1;
    else if (old[seen] !== undefined && (old[seen] as number) < offset) return null;
    else {
      if (count === gone.length) return null;
      gone[count] = offset - seen;
      count += 1;
    }
  }
  return seen === old.length ? gone : null;
}
