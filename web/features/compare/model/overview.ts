import type { DiffOverview, DiffSummary } from '#shared/api/edits.ts';
import { type ColumnShift, countShift } from '#shared/domain/column-shift.ts';
import type { ColumnType } from '#shared/domain/column-type.ts';
import {
  type CellChange,
  type ComparedKind,
  comparedKindOf,
  countEqualChanges,
  type EqualChange,
  matchesChange,
} from '#shared/domain/equal-changes.ts';
import { type GridColumn, toJson } from '../../grid/index.ts';
import { type Change, sidesOf } from './change.ts';

/** How columns moved and which changes are equal; `rows` are the changed rows that it was counted over. */
export type Overview = Pick<DiffOverview, 'shifts' | 'groups' | 'groupCount' | 'ungrouped'>;

type ComparedColumn = Pick<GridColumn, 'name' | 'type' | 'parsed' | 'role'>;

export interface OverviewOptions {
  mode: DiffSummary['mode'];
  columns: readonly ComparedColumn[];
}

const mostGroups = 50;

/** The overview of changes that are all there; the server makes the same of those that are not. */
export function planOverview(changes: readonly Change[], { mode, columns }: OverviewOptions): Overview {
  const counters = columns.flatMap((column) => {
    const kind = comparedKindOf(column.parsed, column.role);
    if (kind === null) return [];
    return [
      { column, shift: countShift(kind, column.type), equal: countEqualChanges(column.name, kind), cells: 0 },
    ];
  });
  const byName = new Map(counters.map((counter) => [counter.column.name, counter]));
  for (const change of changes) {
    if (change.kind !== 'modified') continue;
    for (const name of change.columns) {
      const counter = byName.get(name);
      if (!counter) continue;
      const cell = cellChangeOf(change, counter.column, mode);
      counter.shift.add(cell);
      counter.equal.add(cell);
    }
  }
  const groups = counters.flatMap(({ equal }) => equal.groups()).sort((a, b) => b.rows - a.rows);
  return {
    shifts: Object.fromEntries(
      counters.flatMap(({ column, shift }): [string, ColumnShift][] => {
        const moved = shift.finish();
        return moved ? [[column.name, moved]] : [];
      }),
    ),
    groups: groups.slice(0, mostGroups),
    groupCount: groups.length,
    ungrouped: counters.filter(({ equal }) => !equal.isComplete()).map(({ column }) => column.name),
  };
}

/** How a column moved; columns may be called as what every object has. */
export const shiftOf = ({ shifts }: Pick<Overview, 'shifts'>, name: string): ColumnShift | undefined =>
  Object.hasOwn(shifts, name) ? shifts[name] : undefined;

/** Old and new of one cell, as the server writes them. */
function cellChangeOf(
  change: Change,
  { name, parsed }: Pick<ComparedColumn, 'name' | 'parsed'>,
  mode: DiffSummary['mode'],
): CellChange {
  const { before, after } = sidesOf(change, mode);
  return { before: comparable(before?.[name], parsed), after: comparable(after?.[name], parsed) };
}

/** As the server writes a cell as JSON: exact, floats with all their digits. */
function comparable(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return null;
  switch (type.kind) {
    case 'dictionary':
      return comparable(value, type.value);
    case 'float16':
    case 'float32':
    case 'float64':
      return Number.isFinite(value) ? value : String(value);
    case 'list':
    case 'large_list':
    case 'fixed_size_list':
      return Array.from(value as Iterable<unknown>, (item) => comparable(item, type.item));
    default:
      return toJson(value, type);
  }
}

/** Whether a change is one of the equal ones. */
export function equalTo(equal: EqualChange, { mode, columns }: OverviewOptions): (change: Change) => boolean {
  const column = columns.find(({ name }) => name === equal.column);
  const kind: ComparedKind | null = column ? comparedKindOf(column.parsed, column.role) : null;
  if (!column || kind === null) return () => false;
  const matches = matchesChange(equal, kind);
  return (change) =>
    change.kind === 'modified' &&
    change.columns.includes(column.name) &&
    matches(cellChangeOf(change, column, mode));
}
