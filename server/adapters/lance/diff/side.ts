import type { Table } from '@lancedb/lancedb';
import { AppError } from '#shared/api/problem.ts';
import { formatColumnType } from '#shared/domain/column-type.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { SchemaField } from '#shared/domain/schema-diff.ts';
import type { Field, Schema } from '../../../arrow/arrow.ts';
import { isBlobField, toColumnType } from '../column-type-arrow.ts';
import type { LanceHome } from '../connect.ts';
import { keyOf } from '../describe.ts';
import { withLanceErrors } from '../lance-errors.ts';
import type { Manifest, ManifestField } from '../manifest/manifest.ts';
import { readDeletedOffsets, readManifest } from '../manifest/read-manifest.ts';
import { type RowIdSequence, readRowIds, readVersionRuns, type VersionRun } from '../manifest/row-ids.ts';
import { openPinned } from '../open-table.ts';

/** A column of a side: as the domain sees it, with its Arrow field and the ids of all its parts. */
export interface SideField extends SchemaField {
  arrow: Field;
  isBlob: boolean;
  /** Of the column and of what is nested in it, in schema order. */
  partIds: number[];
}

/** A table at a pinned ref, with what its manifest says about where rows lie. */
export interface Side {
  table: string;
  ref: PinnedRef;
  handle: Table;
  manifest: Manifest;
  schema: Schema;
  fields: SideField[];
  /** Names of the key columns, declared or hidden; empty when there are none. */
  key: string[];
  /** Offsets of deleted physical rows of a fragment (by its position in the manifest), ascending. */
  deletedIn(fragment: number): Promise<Uint32Array>;
  /** The row ids of a fragment by physical row: stable ids, or addresses where the table has none. */
  idsIn(fragment: number): RowIdSequence;
  /** The version that last changed a physical row, where the manifest says. */
  updatesIn(fragment: number): VersionLookup | null;
}

const fragmentSpan = 2 ** 32;

/** Opens one side of a comparison. GONE when the version is not stored any more. */
export async function openSide(home: LanceHome, table: string, ref: PinnedRef): Promise<Side> {
  const [manifest, handle] = await Promise.all([
    readManifest(home, table, ref),
    openPinned(home, table, ref),
  ]);
  if (!manifest) {
    throw new AppError({
      code: 'GONE',
      message: `The version ${formatRef(ref)} of ${table} has been cleaned up.`,
      hint: 'Compare with a newer version; tag a version to keep it.',
    });
  }
  const schema = await withLanceErrors({ table, ref, home: home.path }, () => handle.schema());
  const deleted = new Map<number, Promise<Uint32Array>>();
  return {
    table,
    ref,
    handle,
    manifest,
    schema,
    fields: sideFields(schema, manifest),
    key: keyOf(schema),
    deletedIn(index) {
      let offsets = deleted.get(index);
      if (!offsets) {
        offsets = readDeletedOffsets(home, { table, ref, manifest, fragment: manifest.fragments[index]! });
        deleted.set(index, offsets);
      }
      return offsets;
    },
    idsIn(index) {
      const { id, physicalRows, rowIds } = manifest.fragments[index]!;
      if (rowIds) return readRowIds(rowIds);
      if (manifest.hasStableRowIds && physicalRows > 0) throw externalIds(table);
      return { length: physicalRows, at: (offset) => id * fragmentSpan + offset };
    },
    updatesIn(index) {
      const { lastUpdated, physicalRows } = manifest.fragments[index]!;
      if (!lastUpdated) return null;
      return versionLookup(readVersionRuns(lastUpdated), physicalRows);
    },
  };
}

/** Gives the version of a physical row; quickest in ascending order. */
export type VersionLookup = (offset: number) => number;

/** Runs stay runs: ten million rows of one version take no memory. `null` where they do not cover the rows. */
function versionLookup(runs: readonly VersionRun[], rows: number): VersionLookup | null {
  const ends: number[] = [];
  for (const { length } of runs) ends.push((ends.at(-1) ?? 0) + length);
  if ((ends.at(-1) ?? 0) !== rows) return null;
  let at = 0;
  return (offset) => {
    if (at > 0 && offset < ends[at - 1]!) at = 0;
    while (offset >= ends[at]!) at += 1;
    return runs[at]!.version;
  };
}

const externalIds = (table: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `${table} keeps its row ids outside its manifest, which Curio cannot compare.`,
    hint: 'Import the table anew.',
  });

/** Lance's own entries say how a column is stored, not what it means. */
const isStorageEntry = (key: string): boolean =>
  key.startsWith('ARROW:') || key.startsWith('lance') || key.startsWith('packed');

function sideFields(schema: Schema, manifest: Manifest): SideField[] {
  const topLevel = manifest.fields.filter(({ parentId }) => parentId < 0);
  return schema.fields.map((arrow) => {
    const stored = topLevel.find(({ name }) => name === arrow.name);
    const facts = [...arrow.metadata].filter(([key]) => !isStorageEntry(key));
    return {
      id: stored?.id ?? -1,
      name: arrow.name,
      type: formatColumnType(toColumnType(arrow)),
      facts: Object.fromEntries(facts),
      arrow,
      isBlob: isBlobField(arrow),
      partIds: stored ? partsOf(stored, manifest.fields) : [],
    };
  });
}

function partsOf(field: ManifestField, fields: readonly ManifestField[]): number[] {
  const children = fields.filter(({ parentId }) => parentId === field.id);
  return [field.id, ...children.flatMap((child) => partsOf(child, fields))];
}

/** Live rows of a side, by its manifest. */
export const countLiveRows = ({ manifest }: Pick<Side, 'manifest'>): number =>
  manifest.fragments.reduce(
    (sum, { physicalRows, deletion }) => sum + physicalRows - (deletion?.deletedRows ?? 0),
    0,
  );
