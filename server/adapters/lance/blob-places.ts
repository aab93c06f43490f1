import { AppError } from '#shared/api/problem.ts';
import type { Data, Vector } from '../../arrow/arrow.ts';
import type { BlobPlace, Pinned } from '../../ports/table-reader.ts';
import type { LanceHome } from './connect.ts';
import { folderOf, readManifest } from './manifest/read-manifest.ts';
import type { MediaCell } from './media-cells.ts';
import type { PinnedTable } from './pinned-tables.ts';

/** Where the bytes of cells of a blob column lie; `null` for cells without a value, `unplaced` for those that only Lance can read. */
type Found = { place: BlobPlace; sizeBytes: number } | null | 'unplaced';

const maxKnown = 200_000;
const maxManifests = 32;
const provedBytes = 4096;
const nearRows = 64;
const maxNear = 500;

/** Kinds of values as blob columns tell them (lance `rust/lance-core/src/datatypes.rs`, `BlobKind`). */
const kinds = { inline: 0, packed: 1, dedicated: 2 } as const;

/** Sidecar files are named by the 32 bits of their number, the lowest first. */
export const blobFileName = (id: number): string =>
  `${Array.from(id.toString(2).padStart(32, '0')).reverse().join('')}.blob`;

/**
 * Finds once, through Lance, in which file and where the bytes of blob cells lie, so that they can be read without it.
 * A file counts only after a cell of it was read in both ways alike; whatever is not understood stays with Lance.
 */
export class BlobPlaces {
  #home: LanceHome;
  #known = new Map<string, Found>();
  #files = new Map<string, Promise<Map<number, string>>>();
  #proved = new Map<string, Promise<boolean>>();
  #near = new Map<string, Promise<Map<bigint, Found> | null>>();

  constructor(home: LanceHome) {
    this.#home = home;
  }

  /** Cells by row id, in the order of the ids: `null` for nulls and for rows that are not there, `unplaced` for Lance. */
  async cells(
    table: PinnedTable,
    pinned: Pinned,
    { column, rowIds }: { column: string; rowIds: readonly bigint[] },
  ): Promise<(MediaCell | null | 'unplaced')[]> {
    const nameOf = (id: bigint): string => `${table.key}/${column}/${id}`;
    const cells = new Map<bigint, Found>();
    for (const id of rowIds) {
      const found = this.#known.get(nameOf(id));
      if (found !== undefined) cells.set(id, found);
    }
    const missing = new Set(rowIds.filter((id) => !cells.has(id)));
    if (missing.size > 0) {
      if (this.#known.size + missing.size > maxKnown) this.#known.clear();
      for (const [id, found] of await this.#find(table, pinned, { column, rowIds: [...missing] })) {
        cells.set(id, found);
        this.#known.set(nameOf(id), found);
      }
    }
    return rowIds.map((id) => {
      const found = cells.get(id) ?? null;
      if (found === null || found === 'unplaced') return found;
      const { place, sizeBytes } = found;
      const read = (start: number, end: number) => this.#read(place, start, end);
      return { sizeBytes, place, read };
    });
  }

  async #read({ path, start: from }: BlobPlace, start: number, end: number): Promise<Uint8Array> {
    try {
      return await this.#home.storage.readFixed(path, from + start, from + end);
    } catch (error) {
      throw new AppError({
        code: 'GONE',
        message: 'The file with these bytes has been cleaned up or cut off.',
        hint: 'Open the newest version of the branch, or restore the table’s files from a backup.',
        cause: error,
      });
    }
  }

  /** What is found is told when all of it is proved: who asks meanwhile must not meet half an answer. */
  async #find(
    table: PinnedTable,
    pinned: Pinned,
    { column, rowIds }: { column: string; rowIds: bigint[] },
  ): Promise<Map<bigint, Found>> {
    const [only] = rowIds;
    const near =
      rowIds.length === 1 && only !== undefined
        ? await this.#locateNear(table, pinned, { column, id: only })
        : null;
    const located = near ?? (await this.#locate(table, pinned, { column, rowIds }));
    const cells = new Map<bigint, Found>();
    for (const id of rowIds) {
      const found = located.get(id) ?? null;
      const isTrusted =
        found === null || found === 'unplaced' || (await this.#prove(table, { column, id, found }));
      cells.set(id, isTrusted ? found : 'unplaced');
    }
    return cells;
  }

  /**
   * Places of a row and of those beside it, which are seldom asked for alone; Lance takes hardly longer for all of them.
   * `null` where they cannot be had at once, as when rows in between were deleted.
   */
  #locateNear(
    table: PinnedTable,
    pinned: Pinned,
    { column, id }: { column: string; id: bigint },
  ): Promise<Map<bigint, Found> | null> {
    const first = id - (id % BigInt(nearRows));
    const name = `${table.key}/${column}/${first}`;
    let near = this.#near.get(name);
    if (!near) {
      const rowIds = Array.from({ length: nearRows }, (_none, at) => first + BigInt(at));
      near = this.#locate(table, pinned, { column, rowIds }).catch(() => null);
      if (this.#near.size >= maxNear) this.#near.delete(this.#near.keys().next().value as string);
      this.#near.set(name, near);
    }
    return near;
  }

  /** Places as Lance tells them, not proved yet. */
  async #locate(
    table: PinnedTable,
    pinned: Pinned,
    { column, rowIds }: { column: string; rowIds: bigint[] },
  ): Promise<Map<bigint, Found>> {
    const files = await this.#filesOf(table, pinned, column);
    const taken = await table.handle.takeRowIds(rowIds).select([column, '_rowaddr']).withRowId().toArrow();
    const cells = new Map<bigint, Found>();
    for (const batch of taken.batches) {
      const ids = (batch.getChild('_rowid') as Vector).toArray() as BigUint64Array;
      const addresses = (batch.getChild('_rowaddr') as Vector).toArray() as BigUint64Array;
      const data = batch.data.children[batch.schema.fields.findIndex(({ name }) => name === column)] as Data;
      const read = descriptorsOf(data);
      for (const [row, id] of ids.entries()) {
        const file = files.get(Number((addresses[row] as bigint) >> 32n));
        cells.set(id, file === undefined ? 'unplaced' : placeIn(file, read(row)));
      }
    }
    return cells;
  }

  /** Whether a cell of a file is the same by Lance and by its place; asked once per file. */
  #prove(
    { handle }: PinnedTable,
    { column, id, found }: { column: string; id: bigint; found: Exclude<Found, null | 'unplaced'> },
  ): Promise<boolean> {
    const { place, sizeBytes } = found;
    if (sizeBytes === 0) return Promise.resolve(true);
    let proof = this.#proved.get(place.path);
    if (proof) return proof;
    const prove = async (): Promise<boolean> => {
      const [file] = await handle.fetchBlobFiles(column, [id]);
      if (!file || Number(file.size()) !== sizeBytes) return false;
      const end = Math.min(sizeBytes, provedBytes);
      const [theirs, ours] = await Promise.all([
        file.readRange(0n, BigInt(end)),
        this.#home.storage.readFixed(place.path, place.start, place.start + end),
      ]);
      return Buffer.from(theirs).equals(ours);
    };
    proof = prove().catch(() => false);
    if (this.#proved.size > maxKnown) this.#proved.clear();
    this.#proved.set(place.path, proof);
    return proof;
  }

  /** The data file with the column, by fragment. */
  #filesOf({ key }: PinnedTable, pinned: Pinned, column: string): Promise<Map<number, string>> {
    const name = `${key}/${column}`;
    let files = this.#files.get(name);
    if (!files) {
      files = this.#readFiles(pinned, column);
      files.catch(() => this.#files.delete(name));
      this.#files.set(name, files);
      if (this.#files.size > maxManifests) this.#files.delete(this.#files.keys().next().value as string);
    }
    return files;
  }

  async #readFiles({ table, ref }: Pinned, column: string): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const manifest = await readManifest(this.#home, table, ref);
    const field = manifest?.fields.find(({ name, parentId }) => parentId === -1 && name === column);
    if (!manifest || !field) return found;
    for (const { id, files, hasOverlays } of manifest.fragments) {
      const file = hasOverlays ? undefined : files.find(({ fields }) => fields.includes(field.id));
      if (file) found.set(id, `${folderOf(manifest, table, ref, file.baseId)}/data/${file.path}`);
    }
    return found;
  }
}

interface Descriptor {
  kind: number;
  position: number;
  size: number;
  blobId: number;
  uri: string;
}

function descriptorsOf(data: Data): (row: number) => Descriptor | null {
  const child = (name: string) => {
    const at = data.type.children.findIndex((field: { name: string }) => field.name === name);
    return data.children[at] as Data;
  };
  const [kind, position, size, blobId, uri] = ['kind', 'position', 'size', 'blob_id', 'blob_uri'].map(child);
  if (!kind || !position || !size || !blobId || !uri) return () => ({ ...unknown });
  const offsets = uri.valueOffsets as Int32Array;
  return (row) =>
    data.getValid(row)
      ? {
          kind: (kind.values as Uint8Array)[row] as number,
          position: Number((position.values as BigUint64Array)[row]),
          size: Number((size.values as BigUint64Array)[row]),
          blobId: (blobId.values as Uint32Array)[row] as number,
          uri: offsets[row + 1] === offsets[row] ? '' : 'elsewhere',
        }
      : null;
}

const unknown: Descriptor = { kind: -1, position: 0, size: 0, blobId: 0, uri: '' };

function placeIn(file: string, descriptor: Descriptor | null): Found {
  if (descriptor === null) return null;
  const { kind, position, size: sizeBytes, blobId, uri } = descriptor;
  if (uri !== '') return 'unplaced';
  if (kind === kinds.inline) return { place: { path: file, start: position }, sizeBytes };
  if (kind !== kinds.packed && kind !== kinds.dedicated) return 'unplaced';
  return {
    place: { path: `${file.replace(/\.lance$/, '')}/${blobFileName(blobId)}`, start: position },
    sizeBytes,
  };
}
