import { canCast } from '#shared/domain/can-cast.ts';
import type { ThreeWayRows } from '#shared/domain/diff.ts';
import type { DataType } from '../../../arrow/arrow.ts';
import type { SharedColumn } from './delta-parts.ts';
import type { TrustVersions } from './find-candidates.ts';
import { type ComparisonColumn, type Kinship, mergedField, type SchemaPlan } from './plan-schema.ts';
import type { Side } from './side.ts';
import type { ChangedFields } from './trust-versions.ts';

export interface Sides {
  base: Side;
  from: Side;
  into: Side;
}

export type SideName = keyof Sides;

export interface CompareSidesInput extends Sides, SchemaPlan {
  isTwoWay: boolean;
  fromKin: Kinship;
  intoKin: Kinship;
  trustOf(base: Side, side: Side): TrustVersions;
  changedFieldsOf(base: Side, side: Side): ChangedFields;
  kinOf(base: Side, side: Side): Promise<Kinship>;
  signal: AbortSignal;
}

/** The names of a column on two sides. */
export const sharedColumn =
  (columns: readonly ComparisonColumn[], a: SideName, b: SideName) =>
  (column: number): SharedColumn => ({
    column,
    baseName: columns[column]![a]!.name,
    sideName: columns[column]![b]!.name,
    as: comparedAs(columns[column]!, a, b),
  });

/** A column that one side retyped is compared as the merged table will have it. */
function comparedAs(column: ComparisonColumn, a: SideName, b: SideName): DataType | null {
  const [was, is] = [column[a]!.type, column[b]!.type];
  const merged = mergedField(column);
  if (was === is || !merged) return null;
  const canBeRead = [was, is].every((type) => type === merged.type || canCast(type, merged.type));
  return canBeRead ? merged.arrow.type : null;
}

/** Numbers of the columns that are on all the named sides and are compared. */
export const comparedColumns = (columns: readonly ComparisonColumn[], ...names: SideName[]): number[] =>
  [...columns.keys()].filter(
    (column) => !columns[column]!.isKey && names.every((name) => columns[column]![name]),
  );

/** Rows by number, and where they lie on each side; -1 where they do not. */
export interface PlacedThree {
  three: ThreeWayRows;
  ids: Record<SideName, Float64Array>;
}
