import { type CellBits, setBit } from '#shared/domain/bits.ts';
import { rowChange, type ThreeWayRows } from '#shared/domain/diff.ts';
import { rowPositions } from '../write-read.ts';
import { compareCells } from './compare-cells.ts';
import {
  type CompareSidesInput,
  comparedColumns,
  type PlacedThree,
  sharedColumn,
} from './comparison-parts.ts';
import { findDelta } from './find-delta.ts';
import { readAligned } from './read-aligned.ts';

/**
 * Columns that both sides added under one name and type: base has no value there, so each value counts as a change.
 * Rows that `from` changed in nothing else come behind the others.
 */
export async function addSharedColumns(
  input: CompareSidesInput & { rows: PlacedThree },
): Promise<PlacedThree> {
  const { rows, columns, from, into, base, signal } = input;
  const added = comparedColumns(columns, 'from', 'into').filter(
    (column) => columns[column]!.base === null && columns[column]!.obstacle === null,
  );
  if (added.length === 0 || from === base || into === base) return rows;
  const columnOf = sharedColumn(columns, 'from', 'into');
  const kin = await input.kinOf(from, into);
  const delta = await findDelta({
    base: from,
    side: into,
    columns: added.map(columnOf),
    key: input.key.map(columnOf),
    trust: input.trustOf(from, into),
    changedFields: input.changedFieldsOf(from, into),
    sharedRowIds: kin.sharedRowIds,
    signal,
  });
  const differing = await compareCells(delta.pairs, { a: from, b: into, columnOf, signal });
  const names = added.map((column) => columns[column]!.from!.name);
  const [ours, theirs] = await Promise.all([
    readAligned(from, differing.baseIds, { names, signal }),
    readAligned(into, differing.sideIds, { names, signal }),
  ]);
  const whole = withRows(rows, differing, input.fromKin.sharedRowIds);
  for (const [column, bits] of differing.cells) {
    const name = columns[column]!.from!.name;
    const [was, is] = [ours.get(name)!, theirs.get(name)!];
    for (let at = 0; at < differing.baseIds.length; at++) {
      const row = whole.rowOf[at]!;
      const isDifferent = (bits[at >> 3]! >> (at & 7)) % 2 === 1;
      if (!isDifferent || whole.three.from[row] === rowChange.added || !was.getValid(at)) continue;
      mark(whole.three, 'fromCells', column, row);
      if (!is.getValid(at)) continue;
      mark(whole.three, 'intoCells', column, row);
      mark(whole.three, 'differing', column, row);
      whole.three.into[row] = rowChange.modified;
    }
  }
  return whole;
}

function mark(
  three: ThreeWayRows,
  cells: 'fromCells' | 'intoCells' | 'differing',
  column: number,
  row: number,
): void {
  let bits = three[cells].get(column);
  if (!bits) {
    bits = new Uint8Array((three.count + 7) >> 3);
    three[cells].set(column, bits);
  }
  setBit(bits, row);
}

/** The rows and, behind them, those that are not among them yet; `rowOf` says where each one is. */
function withRows(
  { three, ids }: PlacedThree,
  { baseIds: fromIds, sideIds: intoIds }: { baseIds: Float64Array; sideIds: Float64Array },
  sharedRowIds: number,
): PlacedThree & { rowOf: Int32Array } {
  const placed = Int32Array.from(ids.from.keys()).filter((row) => ids.from[row]! >= 0);
  const known = rowPositions(Float64Array.from(placed, (row) => ids.from[row]!));
  let count = three.count;
  const rowOf = Int32Array.from(fromIds, (id) => {
    const at = known(id);
    return at >= 0 ? placed[at]! : count++;
  });
  const wide = (bits: CellBits): CellBits =>
    new Map([...bits].map(([column, each]) => [column, widened(each, (count + 7) >> 3)]));
  const longer = (list: Float64Array): Float64Array => {
    const whole = new Float64Array(count).fill(-1);
    whole.set(list);
    return whole;
  };
  const whole = {
    three: {
      count,
      from: widened(three.from, count),
      into: widened(three.into, count),
      fromCells: wide(three.fromCells),
      intoCells: wide(three.intoCells),
      differing: wide(three.differing),
    },
    ids: { base: longer(ids.base), from: longer(ids.from), into: longer(ids.into) },
  };
  rowOf.forEach((row, at) => {
    if (row < three.count) return;
    const fromId = fromIds[at]!;
    whole.three.from[row] = rowChange.modified;
    whole.ids.base[row] = fromId < sharedRowIds ? fromId : -1;
    whole.ids.from[row] = fromId;
    whole.ids.into[row] = intoIds[at]!;
  });
  return { ...whole, rowOf };
}

function widened(bytes: Uint8Array, length: number): Uint8Array {
  const whole = new Uint8Array(length);
  whole.set(bytes);
  return whole;
}
