import { type ColumnPlan, planColumns } from '#shared/domain/merge-columns.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import type { LanceHome } from '../connect.ts';
import { type Lineage, readLineage } from '../lines.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import type { Side, SideField } from './side.ts';
import { wasOverwritten } from './trust-versions.ts';

/** How base and another side hang together: which row and field ids mean the same on both. */
export interface Kinship {
  lineage: Lineage;
  /** Row ids below it are those of the same rows; 0 where ids say nothing. */
  sharedRowIds: number;
  isSharedField(id: number): boolean;
}

export async function readKinship(home: LanceHome, base: Side, side: Side): Promise<Kinship> {
  const { table } = base;
  const lineage = await readLineage(home, { table, a: base.ref, b: side.ref });
  const fork = await manifestAt(home, lineage, base, side);
  const isStable = base.manifest.hasStableRowIds && side.manifest.hasStableRowIds;
  const ids = new Set(fork?.fields.map(({ id }) => id) ?? []);
  const isRenamed = base.fields.some(({ id, name }) =>
    side.fields.some((field) => ids.has(id) && field.id === id && field.name !== name),
  );
  const isTrusted = !isRenamed || !(await wasOverwritten(home, table, lineage));
  return {
    lineage,
    sharedRowIds: isStable ? (fork?.nextRowId ?? 0) : 0,
    isSharedField: (id) => isTrusted && ids.has(id),
  };
}

async function manifestAt(
  home: LanceHome,
  { fork }: Lineage,
  base: Side,
  side: Side,
): Promise<Manifest | null> {
  if (!fork) return null;
  for (const { ref, manifest } of [base, side])
    if (ref.branch === fork.branch && ref.version === fork.version) return manifest;
  return readManifest(home, base.table, fork);
}

/** A column of the comparison; its number is its place in the list. */
export interface ComparisonColumn extends ColumnPlan {
  base: SideField | null;
  from: SideField | null;
  into: SideField | null;
  /** Part of the row key, or the hidden key: never a changed column. */
  isKey: boolean;
}

/** The side whose type a column has in the merged table. */
export const mergedField = ({ from, into, retypedBy }: ComparisonColumn): SideField | null =>
  retypedBy === 'from' ? from : (into ?? from);

export interface SchemaPlan {
  columns: ComparisonColumn[];
  /** Numbers of the key columns in their order; empty where rows are known by their ids only. */
  key: number[];
  /** Why the table cannot be merged, with the way out. */
  obstacles: string[];
  /** The table has no key at all; the obstacle of a merge, unless row ids will do. */
  noKey: string | null;
}

export interface SchemaInput {
  base: Side;
  from: Side;
  into: Side;
  fromKin: Kinship;
  intoKin: Kinship;
}

/** Columns and key of a comparison. */
export function planSchema({ base, from, into, fromKin, intoKin }: SchemaInput): SchemaPlan {
  const plans = planColumns({
    base: base.fields,
    from: from.fields,
    into: into.fields,
    isSharedWithFrom: fromKin.isSharedField,
    isSharedWithInto: intoKin.isSharedField,
  }) as Omit<ComparisonColumn, 'isKey'>[];
  const { key, obstacles, noKey } = planKey({ base, from, into }, plans);
  const columns = plans.map((plan, number) => ({
    ...plan,
    isKey: key.includes(number) || nameOf(plan) === hiddenKeyColumn,
  }));
  return { columns, key, obstacles, noKey };
}

const nameOf = ({ from, into, base }: Pick<ColumnPlan, 'from' | 'into' | 'base'>): string =>
  (from ?? into ?? base)?.name ?? '';

function planKey(
  { base, from, into }: Pick<SchemaInput, 'base' | 'from' | 'into'>,
  plans: readonly Omit<ComparisonColumn, 'isKey'>[],
): Pick<SchemaPlan, 'key' | 'obstacles' | 'noKey'> {
  const { table } = into;
  const owner = [into, from, base].find((side) => side.key.length > 0);
  if (!owner) {
    return {
      key: [],
      obstacles: [],
      noKey: `${table} has no row key, so rows cannot be matched for a merge. Declare the columns that identify a row as its key, in the table’s settings or by PATCH /api/v1/tables/${table} with {"key": […]}.`,
    };
  }
  const sideOf = owner === into ? 'into' : owner === from ? 'from' : 'base';
  const key = owner.key.map((name) => plans.findIndex((plan) => plan[sideOf]?.name === name));
  const missing = key.find((number) => {
    const plan = plans[number];
    return !plan?.base || !plan.from || !plan.into || plan.from.type !== plan.into.type;
  });
  if (missing === undefined) return { key, obstacles: [], noKey: null };
  const name = nameOf(plans[missing]!);
  return {
    key: [],
    obstacles: [
      `The key column ${name} is not the same on all sides: it was added, dropped or retyped on one of them. Bring it back there first.`,
    ],
    noKey: null,
  };
}
