import type { Fragment } from '../manifest/manifest.ts';
import { fewRows } from './few-rows.ts';
import { joinIds } from './id-lists.ts';
import type { Side } from './side.ts';

/** A column on both sides of a comparison, by the ids of its parts. */
export interface ComparedColumn {
  column: number;
  baseIds: readonly number[];
  sideIds: readonly number[];
}

/** Rows of one side that have no place in common with the other. */
export interface LooseRows {
  ids: Float64Array;
  /** The version that last changed each row; NaN where that is not known. */
  updates: Float64Array;
}

/** Rows of both sides, one by one the same, that can differ in some columns. */
export interface PairedRows {
  columns: readonly number[];
  baseIds: Float64Array;
  sideIds: Float64Array;
}

export interface Candidates {
  gone: LooseRows;
  come: LooseRows;
  /** Rows at the same place on both sides, in files that differ for some columns. */
  placed: PairedRows[];
}

/**
 * Which rows can differ at all, from the manifests alone: rows of fragments that only one side has, rows that only one
 * side deleted, and rows of fragments whose files differ for a compared column. All others lie in the same files on both
 * sides, so they are the same. `trust` tells by the versions that last changed a row at the same place whether it is
 * untouched; asked only where whole fragments would have to be read.
 */
export async function findCandidates(
  base: Side,
  side: Side,
  { columns, trust }: { columns: readonly ComparedColumn[]; trust: TrustVersions },
): Promise<Candidates> {
  const gone = new RowCollector();
  const come = new RowCollector();
  const placed = new Map<string, { columns: number[]; base: RowCollector; side: RowCollector }>();
  const partner = pairFragments(base, side);
  for (const index of base.manifest.fragments.keys())
    if (!partner.fromBase.has(index)) gone.add(base, index, await liveOffsets(base, index));
  for (const index of side.manifest.fragments.keys()) {
    const other = partner.fromSide.get(index);
    if (other === undefined) {
      come.add(side, index, await liveOffsets(side, index));
      continue;
    }
    const before = base.manifest.fragments[other]!;
    const after = side.manifest.fragments[index]!;
    if (!isSameDeletion(before, after)) {
      const [was, is] = await Promise.all([base.deletedIn(other), side.deletedIn(index)]);
      gone.add(base, other, without(is, was));
      come.add(side, index, without(was, is));
    }
    const changed = changedColumns(before, after, columns);
    if (changed.length === 0) continue;
    const offsets = await liveInBoth(base, other, side, index);
    const name = changed.join();
    let group = placed.get(name);
    if (!group) {
      group = { columns: changed, base: new RowCollector(), side: new RowCollector() };
      placed.set(name, group);
    }
    const touched = await touchedOffsets(base, other, side, index, { offsets, trust });
    group.base.add(base, other, touched);
    group.side.add(side, index, touched);
  }
  return {
    gone: gone.rows(),
    come: come.rows(),
    placed: [...placed.values()].map((group) => ({
      columns: group.columns,
      baseIds: group.base.rows().ids,
      sideIds: group.side.rows().ids,
    })),
  };
}

/** Whether a row whose last changes are of these versions is the same on both sides; `null` when versions say nothing. */
export type TrustVersions = () => Promise<((baseUpdate: number, sideUpdate: number) => boolean) | null>;

async function touchedOffsets(
  base: Side,
  other: number,
  side: Side,
  index: number,
  { offsets, trust }: { offsets: Uint32Array; trust: TrustVersions },
): Promise<Uint32Array> {
  if (offsets.length <= fewRows) return offsets;
  const isUntouched = await trust();
  const [was, is] = isUntouched ? [base.updatesIn(other), side.updatesIn(index)] : [null, null];
  if (!isUntouched || !was || !is) return offsets;
  return offsets.filter((offset) => !isUntouched(was(offset), is(offset)));
}

/** Fragments that share a file have the same rows in the same places: a file belongs to one fragment only. */
function pairFragments(base: Side, side: Side): { fromBase: Set<number>; fromSide: Map<number, number> } {
  const owners = new Map<string, number>();
  base.manifest.fragments.forEach(({ files }, index) => {
    for (const { path } of files) owners.set(path, index);
  });
  const fromBase = new Set<number>();
  const fromSide = new Map<number, number>();
  side.manifest.fragments.forEach((fragment, index) => {
    for (const { path } of fragment.files) {
      const other = owners.get(path);
      const before = other === undefined ? undefined : base.manifest.fragments[other];
      if (other === undefined || !before) continue;
      const isAlike =
        before.physicalRows === fragment.physicalRows && !before.hasOverlays && !fragment.hasOverlays;
      if (!isAlike) continue;
      fromBase.add(other);
      fromSide.set(index, other);
      return;
    }
  });
  return { fromBase, fromSide };
}

function isSameDeletion({ deletion: a }: Fragment, { deletion: b }: Fragment): boolean {
  if (!a || !b) return a === b;
  return (
    a.kind === b.kind && a.readVersion === b.readVersion && a.id === b.id && a.deletedRows === b.deletedRows
  );
}

function changedColumns(before: Fragment, after: Fragment, columns: readonly ComparedColumn[]): number[] {
  if (sameFiles(before, after)) {
    return columns
      .filter(({ baseIds, sideIds }) => baseIds.join() !== sideIds.join())
      .map(({ column }) => column);
  }
  const [was, is] = [filesByField(before), filesByField(after)];
  return columns
    .filter(({ baseIds, sideIds }) => placeOf(was, baseIds) !== placeOf(is, sideIds))
    .map(({ column }) => column);
}

const sameFiles = (a: Fragment, b: Fragment): boolean =>
  a.files.length === b.files.length &&
  a.files.every(({ path, fields }, index) => {
    const other = b.files[index]!;
    return path === other.path && fields.join() === other.fields.join();
  });

function filesByField({ files }: Fragment): Map<number, string> {
  const places = new Map<number, string>();
  for (const { path, fields } of files) for (const id of fields) if (id >= 0) places.set(id, `${path}#${id}`);
  return places;
}

/** Where a column's values are kept; columns without a file are null in every row. */
const placeOf = (places: Map<number, string>, ids: readonly number[]): string =>
  ids.map((id) => places.get(id) ?? '-').join();

async function liveOffsets(side: Side, index: number): Promise<Uint32Array> {
  return liveOf(side.manifest.fragments[index]!.physicalRows, await side.deletedIn(index));
}

async function liveInBoth(base: Side, other: number, side: Side, index: number): Promise<Uint32Array> {
  const [was, is] = await Promise.all([base.deletedIn(other), side.deletedIn(index)]);
  const live = liveOf(side.manifest.fragments[index]!.physicalRows, is);
  return was.length === 0 ? live : without(live, was);
}

function liveOf(rows: number, deleted: Uint32Array): Uint32Array {
  const live = new Uint32Array(rows - deleted.length);
  let [at, next] = [0, 0];
  for (let offset = 0; offset < rows; offset++) {
    if (deleted[next] === offset) next += 1;
    else live[at++] = offset;
  }
  return live;
}

/** What the first list has and the second has not; both ascending. */
function without(offsets: Uint32Array, others: Uint32Array): Uint32Array {
  const rest = new Uint32Array(offsets.length);
  let [count, next] = [0, 0];
  for (const offset of offsets) {
    while (next < others.length && others[next]! < offset) next += 1;
    if (others[next] !== offset) rest[count++] = offset;
  }
  return rest.subarray(0, count);
}

class RowCollector {
  #parts: LooseRows[] = [];

  add(side: Side, fragment: number, offsets: Uint32Array): void {
    if (offsets.length === 0) return;
    const sequence = side.idsIn(fragment);
    const versions = side.updatesIn(fragment);
    const ids = new Float64Array(offsets.length);
    const updates = new Float64Array(offsets.length);
    for (let row = 0; row < offsets.length; row++) {
      ids[row] = sequence.at(offsets[row]!);
      updates[row] = versions ? versions(offsets[row]!) : Number.NaN;
    }
    this.#parts.push({ ids, updates });
  }

  rows(): LooseRows {
    return {
      ids: joinIds(this.#parts.map(({ ids }) => ids)),
      updates: joinIds(this.#parts.map(({ updates }) => updates)),
    };
  }
}
