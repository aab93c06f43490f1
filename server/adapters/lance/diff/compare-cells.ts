import { type CellBits, createBits, setBit } from '#shared/domain/bits.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { createCellsEqual } from '../../../arrow/cells-equal.ts';
import { differingBlobs } from './blob-cells.ts';
import type { PairedRows } from './find-candidates.ts';
import type { SharedColumn } from './find-delta.ts';
import { breathe, readAligned } from './read-aligned.ts';
import type { Side } from './side.ts';

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

/** Bytes of one side that are held at once, by estimate. */
const blockBytes = 96 * 1024 * 1024;
const maxBlockRows = 1_000_000;
const minBlockRows = 4096;

/** Compares the cells of paired rows, in blocks of bounded size, and keeps the rows that differ. */
export async function compareCells(
  groups: readonly PairedRows[],
  input: CompareInput,
): Promise<ModifiedRows> {
  const found = new Found();
  for (const group of groups) {
    const blockRows = rowsPerBlock(group.columns, input);
    for (let start = 0; start < group.baseIds.length; start += blockRows) {
      const block = {
        columns: group.columns,
        baseIds: group.baseIds.subarray(start, start + blockRows),
        sideIds: group.sideIds.subarray(start, start + blockRows),
      };
      found.add(block, await differingCells(block, input));
    }
  }
  return found.rows();
}

/** As {@link compareCells}, keeping the rows in their places: per column that differs anywhere, one byte per row. */
export async function compareInPlace(
  group: PairedRows,
  input: CompareInput,
): Promise<Map<number, Uint8Array>> {
  const whole = new Map<number, Uint8Array>();
  const blockRows = rowsPerBlock(group.columns, input);
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
  const shared = columns.map(columnOf);
  const [before, after] = await Promise.all([
    readAligned(a, baseIds, { names: shared.map(({ baseName }) => baseName), signal }),
    readAligned(b, sideIds, { names: shared.map(({ sideName }) => sideName), signal }),
  ]);
  const result = new Map<number, Uint8Array>();
  for (const { column, baseName, sideName } of shared) {
    const [was, is] = [before.get(baseName) as Data, after.get(sideName) as Data];
    const differs = isBlob(a, baseName)
      ? await differingBlobs(
          { side: a, name: baseName, data: was, ids: baseIds },
          { side: b, name: sideName, data: is, ids: sideIds },
          signal,
        )
      : differingValues(was, is, baseIds.length);
    if (differs.includes(1)) result.set(column, differs);
    await breathe(signal);
  }
  return result;
}

const isBlob = ({ fields }: Side, name: string): boolean =>
  fields.find((field) => field.name === name)?.isBlob ?? false;

function differingValues(was: Data, is: Data, rows: number): Uint8Array {
  const equal = createCellsEqual(was, is);
  const differs = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) if (!equal(row, row)) differs[row] = 1;
  return differs;
}

/** Stored sizes are compressed, so a row is taken to be larger in memory than on disk. */
function rowsPerBlock(columns: readonly number[], { a, columnOf }: CompareInput): number {
  const { fragments } = a.manifest;
  const rows = fragments.reduce((sum, { physicalRows }) => sum + physicalRows, 0);
  const stored = fragments.reduce(
    (sum, { files }) => sum + files.reduce((size, file) => size + file.sizeBytes, 0),
    0,
  );
  const inlineBlobs = a.fields.some(({ isBlob: isBlobColumn }) => isBlobColumn);
  const names = columns.map((column) => columnOf(column).baseName);
  const fixed = names.reduce((sum, name) => sum + fixedBytes(a, name), 0);
  const variable = inlineBlobs || rows === 0 ? 256 : (3 * stored) / rows;
  const perRow = Math.max(fixed, fixed + (names.some((name) => fixedBytes(a, name) === 0) ? variable : 0), 8);
  return Math.min(maxBlockRows, Math.max(minBlockRows, Math.floor(blockBytes / perRow)));
}

/** Bytes of a cell of fixed width; 0 for texts, lists and the like. */
function fixedBytes({ fields }: Side, name: string): number {
  const type = fields.find((field) => field.name === name)?.type ?? '';
  const vector = /^fixed_size_list<\w*?(8|16|32|64)>\[(\d+)\]$/.exec(type);
  if (vector) return (Number(vector[1]) / 8) * Number(vector[2]);
  return /^(u?int|float|bool|date|time|timestamp|duration|decimal)/.test(type) ? 8 : 0;
}

class Found {
  #baseIds: number[] = [];
  #sideIds: number[] = [];
  #columns: { column: number; differs: Uint8Array; start: number }[] = [];

  add({ baseIds, sideIds }: PairedRows, differing: Map<number, Uint8Array>): void {
    if (differing.size === 0) return;
    const masks = [...differing.values()];
    const start = this.#baseIds.length;
    const rows: number[] = [];
    for (let row = 0; row < baseIds.length; row++) {
      if (!masks.some((mask) => mask[row] === 1)) continue;
      rows.push(row);
      this.#baseIds.push(baseIds[row]!);
      this.#sideIds.push(sideIds[row]!);
    }
    for (const [column, differs] of differing)
      this.#columns.push({ column, start, differs: Uint8Array.from(rows, (row) => differs[row]!) });
  }

  rows(): ModifiedRows {
    const count = this.#baseIds.length;
    const cells: CellBits = new Map();
    for (const { column, differs, start } of this.#columns) {
      const bits = cells.get(column) ?? createBits(count);
      cells.set(column, bits);
      differs.forEach((flag, row) => {
        if (flag === 1) setBit(bits, start + row);
      });
    }
    return { baseIds: Float64Array.from(this.#baseIds), sideIds: Float64Array.from(this.#sideIds), cells };
  }
}
