import type { DiffOverview } from '#shared/api/edits.ts';
import { hasBit } from '#shared/domain/bits.ts';
import { type ColumnShift, countShift, type ShiftCounter } from '#shared/domain/column-shift.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import {
  type CellChange,
  type ComparedKind,
  changeToken,
  comparedKindOf,
  countEqualChanges,
  type EqualChange,
  type EqualChangeCounter,
  matchesChange,
} from '#shared/domain/equal-changes.ts';
import { parseFieldFacts } from '#shared/domain/field-facts.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import { columnNamed } from './column-named.ts';
import type { Comparison } from './comparison.ts';
import { breathe, readAligned } from './read-aligned.ts';
import { shownName } from './summarize.ts';

const rowsPerRead = 50_000;
const keptMatches = 4;

interface ComparedColumn {
  /** Its number in the comparison. */
  column: number;
  name: string;
  kind: ComparedKind;
  type: string;
}

const overviews = new WeakMap<Comparison, DiffOverview>();

/** How the values of every changed column moved and which changes are equal, over all changed cells. Made once per comparison. */
export async function overviewOf(comparison: Comparison, signal: AbortSignal): Promise<DiffOverview> {
  const known = overviews.get(comparison);
  if (known) return known;
  const counters = changedColumns(comparison).map((column) => ({
    ...column,
    shift: countShift(column.kind, column.type),
    equal: countEqualChanges(column.name, column.kind),
  }));
  await readCells(comparison, counters, signal, ({ shift, equal }, _row, cell) => {
    shift.add(cell);
    equal.add(cell);
  });
  const overview = finish(comparison, counters);
  overviews.set(comparison, overview);
  return overview;
}

interface Counter extends ComparedColumn {
  shift: ShiftCounter;
  equal: EqualChangeCounter;
}

const shownGroups = 50;

function finish(comparison: Comparison, counters: readonly Counter[]): DiffOverview {
  const shifts: [string, ColumnShift][] = counters.flatMap(({ name, shift }) => {
    const moved = shift.finish();
    return moved ? [[name, moved]] : [];
  });
  const groups = counters.flatMap(({ equal }) => equal.groups()).sort((a, b) => b.rows - a.rows);
  return {
    from: comparison.from.ref,
    into: comparison.into.ref,
    shifts: Object.fromEntries(shifts),
    groups: groups.slice(0, shownGroups),
    groupCount: groups.length,
    ungrouped: counters.filter(({ equal }) => !equal.isComplete()).map(({ name }) => name),
  };
}

const matched = new WeakMap<Comparison, Map<string, ReadonlySet<number>>>();

/** Whether each row changed as `change` says. BAD_REQUEST for a column that is not there. */
export async function matchEqualChange(
  comparison: Comparison,
  change: EqualChange,
  signal: AbortSignal,
): Promise<(row: number) => boolean> {
  const known = matched.get(comparison) ?? new Map<string, ReadonlySet<number>>();
  matched.set(comparison, known);
  const token = changeToken(change);
  const rows = known.get(token) ?? (await findEqual(comparison, change, signal));
  known.delete(token);
  known.set(token, rows);
  for (const oldest of [...known.keys()].slice(0, -keptMatches)) known.delete(oldest);
  return (row) => rows.has(row);
}

async function findEqual(
  comparison: Comparison,
  change: EqualChange,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  const column = columnNamed(comparison, change.column);
  const asked = changedColumns(comparison).filter((each) => each.column === column);
  const rows = new Set<number>();
  const matches = asked.map(({ kind, name }) => matchesChange({ ...change, column: name }, kind));
  await readCells(comparison, asked, signal, (_column, row, cell) => {
    if (matches[0]?.(cell)) rows.add(row);
  });
  return rows;
}

function changedColumns({ columns, three, ...rest }: Comparison): ComparedColumn[] {
  return [...three.fromCells.keys()].flatMap((column) => {
    const { base, from } = columns[column]!;
    if (!base || !from) return [];
    const name = shownName({ columns, ...rest }, column);
    const kind = comparedKindOf(
      parseColumnType(from.type),
      parseFieldFacts(from.arrow.metadata).role ?? null,
    );
    return kind ? [{ column, name, kind, type: from.type }] : [];
  });
}

/** Reads old and new of every changed cell of the columns, so many rows at a time. */
async function readCells<C extends ComparedColumn>(
  { three, primaryRows, ids, base, from, columns }: Comparison,
  asked: readonly C[],
  signal: AbortSignal,
  take: (column: C, row: number, cell: CellChange) => void,
): Promise<void> {
  const touched: number[] = [];
  for (let row = 0; row < primaryRows; row++)
    if (asked.some(({ column }) => hasBit(three.fromCells.get(column), row))) touched.push(row);
  for (let start = 0; start < touched.length; start += rowsPerRead) {
    await breathe(signal);
    const rows = touched.slice(start, start + rowsPerRead);
    const here = asked.filter(({ column }) => rows.some((row) => hasBit(three.fromCells.get(column), row)));
    const read = async (side: 'base' | 'from') => {
      const names = here.map(({ column }) => columns[column]![side]!.name);
      const at = Float64Array.from(rows, (row) => ids[side][row]!);
      const data = await readAligned(side === 'base' ? base : from, at, { names, signal });
      return names.map((name) => data.get(name)!);
    };
    const [old, next] = await Promise.all([read('base'), read('from')]);
    for (const [at, column] of here.entries()) {
      const bits = three.fromCells.get(column.column);
      for (const [place, row] of rows.entries()) {
        if (!hasBit(bits, row)) continue;
        take(column, row, {
          before: dataCellToJson(old[at]!, place),
          after: dataCellToJson(next[at]!, place),
        });
      }
    }
  }
}
