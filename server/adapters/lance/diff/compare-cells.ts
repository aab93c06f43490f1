import { type CellBits, createBits, setBit } from '#shared/domain/bits.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { createCellsEqual } from '../../../arrow/cells-equal.ts';
import { gather } from '../../../arrow/gather.ts';
import { differingBlobs } from './blob-cells.ts';
import { cellBytes, rowsPerBlock } from './block-rows.ts';
import type { SharedColumn } from './delta-parts.ts';
import type { PairedRows } from './find-candidates.ts';
import { flagged, joinIds, pickIds } from './id-lists.ts';
import { breathe } from './read-aligned.ts';
import { isScan, readBlock } from './read-block.ts';
import { countLiveRows, type Side } from './side.ts';

export interface CompareInput {
  a: Side;
  b: Side;
  /** The names of a column on the two sides. */
  columnOf(column: number): SharedColumn;
  signal: AbortSignal;
}

/** Rows that differ in some column, and which. */
export interface ModifiedRows {
  baseIds: Float64Array;
  sideIds: Float64Array;
  cells: CellBits;
}

/** Compares the cells of paired rows, in blocks of bounded size, and keeps the rows that differ. */
export async function compareCells(
  groups: readonly PairedRows[],
  input: CompareInput,
): Promise<ModifiedRows> {
  const found = new Found();
  for (const group of groups) {
    const blockRows = blockRowsOf(group, input);
    for (let start = 0; start < group.baseIds.length; start += blockRows) {
      const block = {
        columns: group.columns,
        baseIds: cut(group.baseIds, start, blockRows),
        sideIds: cut(group.sideIds, start, blockRows),
      };
      found.add(block, await differingCells(block, input));
    }
  }
  return found.rows();
}

/** The list itself where it is one block: what was read ahead for it is known by it. */
const cut = (ids: Float64Array, start: number, rows: number): Float64Array =>
  ids.length <= rows ? ids : ids.subarray(start, start + rows);

const blockRowsOf = ({ columns }: PairedRows, { a, columnOf }: CompareInput): number =>
  rowsPerBlock(
    a,
    columns.map((column) => columnOf(column).baseName),
  );

/** As {@link compareCells}, keeping the rows in their places: per column that differs anywhere, one byte per row. */
export async function compareInPlace(
  group: PairedRows,
  input: CompareInput,
): Promise<Map<number, Uint8Array>> {
  const whole = new Map<number, Uint8Array>();
  const blockRows = blockRowsOf(group, input);
  for (let start = 0; start < group.baseIds.length; start += blockRows) {
    const baseIds = group.baseIds.subarray(start, start + blockRows);
    const sideIds = group.sideIds.subarray(start, start + blockRows);
    const differing = await differingCells({ columns: group.columns, baseIds, sideIds }, input);
    for (const [column, differs] of differing) {
      const mask = whole.get(column) ?? new Uint8Array(group.baseIds.length);
      mask.set(differs, start);
      whole.set(column, mask);
    }
  }
  return whole;
}

/** Per column, which of the paired rows hold different values: one byte per row. */
async function differingCells(
  { columns, baseIds, sideIds }: PairedRows,
  { a, b, columnOf, signal }: CompareInput,
): Promise<Map<number, Uint8Array>> {
  const result = new Map<number, Uint8Array>();
  for (const some of columnsAtOnce(columns, baseIds.length, { a, b, columnOf, signal })) {
    const shared = some.map(columnOf);
    const [before, after] = await Promise.all([
      readBlock(a, baseIds, { columns: shared.map(({ baseName: name, as }) => ({ name, as })), signal }),
      readBlock(b, sideIds, { columns: shared.map(({ sideName: name, as }) => ({ name, as })), signal }),
    ]);
    for (const { column, baseName, sideName } of shared) {
      const [was, is] = [before.columns.get(baseName) as Data, after.columns.get(sideName) as Data];
      const differs = isBlob(a, baseName)
        ? await differingBlobs(
            { side: a, name: baseName, data: gather(was, before.rowOf), ids: baseIds },
            { side: b, name: sideName, data: gather(is, after.rowOf), ids: sideIds },
            signal,
          )
        : differingValues({ data: was, rowOf: before.rowOf }, { data: is, rowOf: after.rowOf });
      if (differs.includes(1)) result.set(column, differs);
      await breathe(signal);
    }
  }
  return result;
}

const isBlob = ({ fields }: Side, name: string): boolean =>
  fields.find((field) => field.name === name)?.isBlob ?? false;

interface PlacedCells {
  data: Data;
  rowOf: Int32Array;
}

function differingValues(was: PlacedCells, is: PlacedCells): Uint8Array {
  const equal = createCellsEqual(was.data, is.data);
  const [left, right] = [was.rowOf, is.rowOf];
  const differs = new Uint8Array(left.length);
  for (let row = 0; row < left.length; row++) if (!equal(left[row]!, right[row]!)) differs[row] = 1;
  return differs;
}

const scanBytes = 24 * 1024 * 1024;

/** Where whole columns are read, only as many at once as fit. */
function columnsAtOnce(columns: readonly number[], rows: number, { a, columnOf }: CompareInput): number[][] {
  if (!isScan(a, rows)) return [[...columns]];
  const whole = countLiveRows(a);
  const groups: number[][] = [];
  let left = 0;
  for (const column of columns) {
    const bytes = whole * cellBytes(a, columnOf(column).baseName);
    if (groups.length === 0 || bytes > left) {
      groups.push([]);
      left = scanBytes;
    }
    groups.at(-1)!.push(column);
    left -= bytes;
  }
  return groups;
}

class Found {
  #baseIds: Float64Array[] = [];
  #sideIds: Float64Array[] = [];
  #columns: { column: number; differs: Uint8Array; start: number }[] = [];
  #count = 0;

  add({ baseIds, sideIds }: PairedRows, differing: Map<number, Uint8Array>): void {
    if (differing.size === 0) return;
    const masks = [...differing.values()];
    const kept = flagged(masks.length === 1 ? masks[0]! : union(masks));
    this.#baseIds.push(pickIds(baseIds, kept));
    this.#sideIds.push(pickIds(sideIds, kept));
    for (const [column, differs] of differing) {
      const some = new Uint8Array(kept.length);
      for (let at = 0; at < kept.length; at++) some[at] = differs[kept[at]!]!;
      this.#columns.push({ column, start: this.#count, differs: some });
    }
    this.#count += kept.length;
  }

  rows(): ModifiedRows {
    const cells: CellBits = new Map();
    for (const { column, differs, start } of this.#columns) {
      const bits = cells.get(column) ?? createBits(this.#count);
      cells.set(column, bits);
      for (let row = 0; row < differs.length; row++) if (differs[row] === 1) setBit(bits, start + row);
    }
    return { baseIds: joinIds(this.#baseIds), sideIds: joinIds(this.#sideIds), cells };
  }
}

function union(masks: readonly Uint8Array[]): Uint8Array {
  const whole = Uint8Array.from(masks[0]!);
  for (const mask of masks.slice(1))
    for (let row = 0; row < mask.length; row++) if (mask[row] === 1) whole[row] = 1;
  return whole;
}
