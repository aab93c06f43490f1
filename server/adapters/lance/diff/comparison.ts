import { type CellBits, countBits, hasBit, setCell } from '#shared/domain/bits.ts';
import { findConflicts, type RowConflicts, rowChange, type ThreeWayRows } from '#shared/domain/diff.ts';
import { hasNullKey, type KeyToken, keyTokens } from '../write-keys.ts';
import { rowPositions } from '../write-read.ts';
import { addSharedColumns } from './added-on-both.ts';
import { type CompareInput, compareCells, compareInPlace, type ModifiedRows } from './compare-cells.ts';
import {
  type CompareSidesInput,
  comparedColumns,
  type PlacedThree,
  type SideName,
  type Sides,
  sharedColumn,
} from './comparison-parts.ts';
import type { PairedRows } from './find-candidates.ts';
import { findDelta, type SideDelta } from './find-delta.ts';
import { findLosses } from './find-losses.ts';
import { joinIds } from './id-lists.ts';
import type { ComparisonColumn, Kinship, SchemaPlan } from './plan-schema.ts';
import { readAligned } from './read-aligned.ts';

/** A column that one side dropped or renamed while the other changed it. */
export interface ColumnDispute {
  column: number;
  kind: NonNullable<ComparisonColumn['dispute']>;
  /** Cells that the other side changed. */
  changedCells: number;
}

/** A three-way comparison: rows by number, columns by number, no cell of them. */
export interface Comparison extends Sides, SchemaPlan {
  isTwoWay: boolean;
  /** Row ids mean the same rows on all sides. */
  hasSharedIds: boolean;
  three: ThreeWayRows;
  /** Rows that `from` changed; those behind them differ only in columns that both sides added. */
  primaryRows: number;
  conflicts: RowConflicts;
  /** Where the rows lie on each side; -1 where they do not. */
  ids: Record<keyof Sides, Float64Array>;
  disputes: ColumnDispute[];
  fromDelta: SideDelta;
  intoDelta: SideDelta;
}

/** Compares three sides of a table. Cost grows with the rows that either side touched. */
export async function compareSides(input: CompareSidesInput): Promise<Comparison> {
  const { base, from, into, columns, key, signal } = input;
  const deltaOf = (name: 'from' | 'into', kin: Kinship): Promise<SideDelta> => {
    const shared = sharedColumn(columns, 'base', name);
    return findDelta({
      base,
      side: input[name],
      columns: comparedColumns(columns, 'base', name).map(shared),
      key: key.map(shared),
      trust: input.trustOf(base, input[name]),
      changedFields: input.changedFieldsOf(base, input[name]),
      sharedRowIds: kin.sharedRowIds,
      signal,
    });
  };
  const [fromDelta, intoDelta] = await Promise.all([
    from === base ? noDelta : deltaOf('from', input.fromKin),
    into === base ? noDelta : deltaOf('into', input.intoKin),
  ]);
  const between = (a: SideName, b: SideName): CompareInput => ({
    a: input[a],
    b: input[b],
    columnOf: sharedColumn(columns, a, b),
    signal,
  });
  const modified = await compareCells(fromDelta.pairs, between('base', 'from'));
  const rows = layRows(modified, fromDelta);
  const wanted = joinIds([modified.baseIds, fromDelta.removed]);
  const intoModified = await compareCells(pairsWithin(intoDelta.pairs, wanted), between('base', 'into'));
  placeInto(rows, { intoDelta, intoModified, fromDelta });
  await findDiffering(rows, columns, between('from', 'into'));
  const primaryRows = rows.three.count;
  const whole = await addSharedColumns({ ...input, rows });
  const disputes = await findDisputes(input, {
    three: whole.three,
    intoDelta,
    between: between('base', 'into'),
  });
  return {
    base,
    from,
    into,
    columns,
    key,
    noKey: input.noKey,
    hasSharedIds: input.fromKin.sharedRowIds > 0 && input.intoKin.sharedRowIds > 0,
    isTwoWay: input.isTwoWay,
    obstacles: [
      ...input.obstacles,
      ...obstaclesOf(input, { whole, fromDelta, intoDelta }),
      ...(await findLosses(input, intoDelta)),
    ],
    three: whole.three,
    primaryRows,
    conflicts: findConflicts(whole.three),
    ids: whole.ids,
    disputes,
    fromDelta,
    intoDelta,
  };
}

const noDelta: SideDelta = {
  added: new Float64Array(0),
  removed: new Float64Array(0),
  addedKeys: null,
  pairs: [],
  duplicateKeys: [],
  keylessRows: 0,
  sideIdOf: (baseId) => baseId,
};

/** Modified rows, then removed ones, then added ones; what `into` did is not known yet. */
function layRows(modified: ModifiedRows, { removed, added }: SideDelta): PlacedThree {
  const [kept, gone] = [modified.baseIds.length, removed.length];
  const count = kept + gone + added.length;
  const change = new Uint8Array(count).fill(rowChange.modified, 0, kept);
  change.fill(rowChange.removed, kept, kept + gone).fill(rowChange.added, kept + gone);
  const ids = { base: emptyIds(count), from: emptyIds(count), into: emptyIds(count) };
  ids.base.set(modified.baseIds);
  ids.base.set(removed, kept);
  ids.from.set(modified.sideIds);
  ids.from.set(added, kept + gone);
  const fromCells: CellBits = new Map();
  for (const [column, bits] of modified.cells) {
    const wide = new Uint8Array((count + 7) >> 3);
    wide.set(bits);
    fromCells.set(column, wide);
  }
  return {
    three: {
      count,
      from: change,
      into: new Uint8Array(count),
      fromCells,
      intoCells: new Map(),
      differing: new Map(),
    },
    ids,
  };
}

const emptyIds = (count: number): Float64Array => new Float64Array(count).fill(-1);

function pairsWithin(groups: readonly PairedRows[], wanted: Float64Array): PairedRows[] {
  if (wanted.length === 0) return [];
  const positionOf = rowPositions(wanted);
  return groups.map(({ columns, baseIds, sideIds }) => ({
    columns,
    baseIds: baseIds.filter((id) => positionOf(id) >= 0),
    sideIds: sideIds.filter((_id, row) => positionOf(baseIds[row]!) >= 0),
  }));
}

interface IntoChanges {
  intoDelta: SideDelta;
  intoModified: ModifiedRows;
  fromDelta: SideDelta;
}

/** Finds what `into` did to each row, and where the row lies there. */
function placeInto({ three, ids }: PlacedThree, { intoDelta, intoModified, fromDelta }: IntoChanges): void {
  const isRemoved = rowPositions(intoDelta.removed);
  const modifiedAt = rowPositions(intoModified.baseIds);
  for (let row = 0; row < three.count; row++) {
    const baseId = ids.base[row]!;
    if (baseId < 0) continue;
    const at = modifiedAt(baseId);
    if (at >= 0) {
      three.into[row] = rowChange.modified;
      ids.into[row] = intoModified.sideIds[at]!;
      for (const [column, bits] of intoModified.cells)
        if (hasBit(bits, at)) setCell(three.intoCells, three.count, column, row);
    } else if (isRemoved(baseId) >= 0) three.into[row] = rowChange.removed;
    else ids.into[row] = intoDelta.sideIdOf(baseId);
  }
  placeAdded({ three, ids }, fromDelta, intoDelta);
}

function placeAdded({ three, ids }: PlacedThree, fromDelta: SideDelta, intoDelta: SideDelta): void {
  const [ours, theirs] = [fromDelta.addedKeys, intoDelta.addedKeys];
  if (!ours || !theirs || ours.length === 0 || theirs.length === 0) return;
  const rows = new Map<KeyToken, number>();
  const [ourToken, theirToken] = [keyTokens(ours), keyTokens(theirs)];
  for (let row = 0; row < theirs.length; row++) if (!hasNullKey(theirs, row)) rows.set(theirToken(row), row);
  const first = three.count - ours.length;
  for (let row = 0; row < ours.length; row++) {
    const other = hasNullKey(ours, row) ? undefined : rows.get(ourToken(row));
    if (other === undefined) continue;
    three.into[first + row] = rowChange.added;
    ids.into[first + row] = intoDelta.added[other]!;
  }
}

function rowsWhere(count: number, isAsked: (row: number) => boolean): Int32Array {
  const rows = new Int32Array(count);
  let found = 0;
  for (let row = 0; row < count; row++) if (isAsked(row)) rows[found++] = row;
  return rows.slice(0, found);
}

/** Compares `from` with `into` where both changed a cell, and where both added the row. */
async function findDiffering(
  { three, ids }: PlacedThree,
  columns: readonly ComparisonColumn[],
  between: CompareInput,
): Promise<void> {
  const compare = async (rows: Int32Array, asked: readonly number[]) => {
    if (rows.length === 0) return;
    const group = {
      columns: asked,
      baseIds: Float64Array.from(rows, (row) => ids.from[row]!),
      sideIds: Float64Array.from(rows, (row) => ids.into[row]!),
    };
    for (const [column, differs] of await compareInPlace(group, between))
      rows.forEach((row, at) => {
        if (differs[at] === 1) setCell(three.differing, three.count, column, row);
      });
  };
  for (const [column, ours] of three.fromCells) {
    const theirs = three.intoCells.get(column);
    if (theirs)
      await compare(
        rowsWhere(three.count, (row) => hasBit(ours, row) && hasBit(theirs, row)),
        [column],
      );
  }
  const added = rowsWhere(
    three.count,
    (row) => three.from[row] === rowChange.added && three.into[row] === rowChange.added,
  );
  await compare(added, comparedColumns(columns, 'from', 'into'));
}

interface DisputeInput {
  three: ThreeWayRows;
  intoDelta: SideDelta;
  between: CompareInput;
}

async function findDisputes(
  { columns, into, signal }: CompareSidesInput,
  { three, intoDelta, between }: DisputeInput,
): Promise<ColumnDispute[]> {
  const disputes: ColumnDispute[] = [];
  for (const [column, { dispute: kind, isKey, into: field }] of columns.entries()) {
    if (kind === null || (isKey && kind !== 'renamed')) continue;
    let changedCells = 0;
    if (kind === 'dropped-by-into')
      changedCells = countBits(three.fromCells.get(column) ?? new Uint8Array(0));
    if (kind === 'dropped-by-from') {
      const pairs = intoDelta.pairs
        .filter((group) => group.columns.includes(column))
        .map((group) => ({ ...group, columns: [column] }));
      changedCells = (await compareCells(pairs, between)).baseIds.length;
      const values = await readAligned(into, intoDelta.added, { names: [field!.name], signal });
      changedCells += countValid(values.get(field!.name)!);
    }
    if (kind === 'renamed' || changedCells > 0) disputes.push({ column, kind, changedCells });
  }
  return disputes;
}

const countValid = ({ length, nullCount }: { length: number; nullCount: number }): number =>
  length - nullCount;

function obstaclesOf(
  { columns, isTwoWay, from, into }: CompareSidesInput,
  { whole, fromDelta, intoDelta }: { whole: PlacedThree; fromDelta: SideDelta; intoDelta: SideDelta },
): string[] {
  const obstacles: string[] = [];
  for (const [column, { obstacle, base, from: ours, into: theirs }] of columns.entries()) {
    if (obstacle === null) continue;
    const isTheirType = base && ours && theirs && ours.type === base.type && theirs.type !== base.type;
    const isUntouched = !whole.three.fromCells.has(column) && fromDelta.added.length === 0;
    if (!isTheirType || !isUntouched) obstacles.push(obstacle);
  }
  for (const [side, { duplicateKeys }] of [
    [from, fromDelta],
    [into, intoDelta],
  ] as const) {
    if (duplicateKeys.length > 0)
      obstacles.push(
        `The key ${duplicateKeys.slice(0, 3).join(', ')} stands in more than one row of ${side.ref.branch}. Delete or correct the duplicates first.`,
      );
  }
  if (fromDelta.keylessRows > 0)
    obstacles.push(
      `${fromDelta.keylessRows} of the rows on ${from.ref.branch} have no key. Give each row a key of its own first.`,
    );
  if (isTwoWay)
    obstacles.push(
      'The two refs have no version in common, so there is nothing to merge against. Compare them, and carry rows over by cherry-pick.',
    );
  return obstacles;
}
