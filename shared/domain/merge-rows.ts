import { type CellBits, hasBit } from './bits.ts';
import { conflictKind, type RowConflicts, rowChange, type ThreeWayRows } from './diff.ts';
import type { RowCounts } from './edits.ts';

/** What happens to a row of `into`. */
export const rowFate = { none: 0, insert: 1, update: 2, delete: 3 } as const;

/** Where a cell of the merged row comes from; `typed + n` is the n-th value that a person typed. */
export const cellSource = { into: 0, from: 1, base: 2, typed: 3 } as const;

/** How a person settles a row (`column` null) or one of its cells. */
export interface Settlement {
  row: number;
  column: number | null;
  take: 'from' | 'into' | 'base' | { typed: number };
}

export interface MergeRowsInput {
  three: ThreeWayRows;
  conflicts: RowConflicts;
  /** Columns whose cells can be merged; the others stay as `into` has them. */
  isMerged: (column: number) => boolean;
  /** Settles what is left after the settlements. */
  take: 'from' | 'into' | null;
  /** Row numbers in the order in which open conflicts are listed; by number unless given. */
  order?: Int32Array;
  /** In the order in which they were made: the last one for a cell wins. */
  settlements: readonly Settlement[];
}

export interface MergedRows {
  /** {@link rowFate} per row. */
  fates: Uint8Array;
  /** Per column that gets new values: {@link cellSource} per row. Rows that are inserted take all else from `rowSource`. */
  sources: Map<number, Uint32Array>;
  /** For inserted rows: `from` or `base`. */
  rowSource: Uint8Array;
  counts: RowCounts;
  /** Conflicts that are not settled: one per cell, or one per row where one side removed it. */
  open: { row: number; column: number | null }[];
  openCount: number;
}

type Take = Settlement['take'];

const maxListed = 100;

/**
 * Three-way merge of rows, cell by cell: what one side changed is taken, what both changed alike stays, all else is a
 * conflict that a settlement decides. A row that was settled as a whole takes that side for its conflicting cells only.
 */
export function mergeRows(input: MergeRowsInput): MergedRows {
  const { three, conflicts } = input;
  const choices = new Choices(input.settlements);
  const merged: MergedRows = {
    fates: new Uint8Array(three.count),
    sources: new Map(),
    rowSource: new Uint8Array(three.count),
    counts: { inserted: 0, updated: 0, deleted: 0 },
    open: [],
    openCount: 0,
  };
  const writer = new Writer(three.count, merged);
  const order = input.order ?? Int32Array.from({ length: three.count }, (_, row) => row);
  for (const row of order) {
    const fate =
      conflicts.kinds[row] === conflictKind.none || conflicts.kinds[row] === conflictKind.cell
        ? mergeByCell(input, choices, writer, row)
        : mergeWhole(input, choices, writer, row);
    merged.fates[row] = fate;
    if (fate === rowFate.insert) merged.counts.inserted += 1;
    if (fate === rowFate.update) merged.counts.updated += 1;
    if (fate === rowFate.delete) merged.counts.deleted += 1;
  }
  return merged;
}

const noCells: readonly [number, Take][] = [];

class Choices {
  #rows = new Map<number, { order: number; take: Take }>();
  #cells = new Map<number, Map<number, { order: number; take: Take }>>();

  constructor(settlements: readonly Settlement[]) {
    settlements.forEach(({ row, column, take }, order) => {
      if (column === null) {
        this.#rows.set(row, { order, take });
        return;
      }
      const cells = this.#cells.get(row) ?? new Map();
      this.#cells.set(row, cells.set(column, { order, take }));
    });
  }

  ofRow(row: number): Take | null {
    return this.#rows.get(row)?.take ?? null;
  }

  /** Choices for single cells of a row that no later choice for the row overrides. */
  ofCells(row: number): readonly [number, Take][] {
    if (!this.#cells.has(row)) return noCells;
    const whole = this.#rows.get(row);
    const cells = [...(this.#cells.get(row) ?? [])];
    return cells
      .filter(([, { order }]) => !whole || order > whole.order)
      .map(([column, { take }]) => [column, take]);
  }

  ofCell(row: number, column: number): Take | null {
    const whole = this.#rows.get(row);
    const cell = this.#cells.get(row)?.get(column);
    if (!cell) return whole?.take ?? null;
    return whole && whole.order > cell.order ? whole.take : cell.take;
  }
}

class Writer {
  #count: number;
  #merged: MergedRows;

  constructor(count: number, merged: MergedRows) {
    this.#count = count;
    this.#merged = merged;
  }

  set(row: number, column: number, source: number): void {
    let sources = this.#merged.sources.get(column);
    if (!sources) {
      sources = new Uint32Array(this.#count);
      this.#merged.sources.set(column, sources);
    }
    sources[row] = source;
  }

  insertFrom(row: number, side: 'from' | 'base'): number {
    this.#merged.rowSource[row] = cellSource[side];
    return rowFate.insert;
  }

  leaveOpen(row: number, column: number | null): void {
    this.#merged.openCount += 1;
    if (this.#merged.open.length < maxListed) this.#merged.open.push({ row, column });
  }
}

const sourceOf = (take: Take): number =>
  typeof take === 'object' ? cellSource.typed + take.typed : cellSource[take];

function mergeByCell(input: MergeRowsInput, choices: Choices, writer: Writer, row: number): number {
  const { three, conflicts, isMerged, take } = input;
  const [from, into] = [three.from[row], three.into[row]];
  if (from === rowChange.removed) return into === rowChange.none ? rowFate.delete : rowFate.none;
  if (from === rowChange.added && into === rowChange.none) {
    for (const [column, pick] of choices.ofCells(row))
      if (isMerged(column) && pick !== 'from') writer.set(row, column, sourceOf(pick));
    return writer.insertFrom(row, 'from');
  }
  if (into === rowChange.removed) return rowFate.none;
  let isChanged = false;
  const change = (column: number, source: number) => {
    if (source === cellSource.into) return;
    writer.set(row, column, source);
    isChanged = true;
  };
  for (const [column, bits] of from === rowChange.added ? three.differing : three.fromCells) {
    if (!isMerged(column) || !hasBit(bits, row)) continue;
    if (hasBit(conflicts.cells.get(column), row)) {
      const pick = choices.ofCell(row, column) ?? take;
      if (pick) change(column, sourceOf(pick));
      else writer.leaveOpen(row, column);
    } else if (!hasBit(three.intoCells.get(column), row)) {
      const own = choices.ofCells(row).find(([cell]) => cell === column);
      change(column, own ? sourceOf(own[1]) : cellSource.from);
    }
  }
  return isChanged ? rowFate.update : rowFate.none;
}

/** A row that one side removed and the other changed, or that both added with different values. */
function mergeWhole(input: MergeRowsInput, choices: Choices, writer: Writer, row: number): number {
  const { three, conflicts, isMerged, take } = input;
  if (conflicts.kinds[row] === conflictKind.addedAdded) {
    if (choices.ofRow(row) === 'base' && choices.ofCells(row).length === 0) return rowFate.delete;
    let isChanged = false;
    for (const [column, bits] of conflicts.cells) {
      if (!isMerged(column) || !hasBit(bits, row)) continue;
      const pick = choices.ofCell(row, column) ?? take;
      if (!pick) writer.leaveOpen(row, column);
      else if (pick !== 'into') {
        writer.set(row, column, sourceOf(pick));
        isChanged = true;
      }
    }
    return isChanged ? rowFate.update : rowFate.none;
  }
  const pick = choices.ofRow(row) ?? take;
  if (!pick || typeof pick === 'object') {
    writer.leaveOpen(row, null);
    return rowFate.none;
  }
  if (pick === 'into') return rowFate.none;
  if (conflicts.kinds[row] === conflictKind.modifiedRemoved) return writer.insertFrom(row, pick);
  if (pick === 'from') return rowFate.delete;
  return resetToBase(three.intoCells, isMerged, writer, row) ? rowFate.update : rowFate.none;
}

function resetToBase(
  intoCells: CellBits,
  isMerged: (column: number) => boolean,
  writer: Writer,
  row: number,
): boolean {
  let isChanged = false;
  for (const [column, bits] of intoCells) {
    if (!isMerged(column) || !hasBit(bits, row)) continue;
    writer.set(row, column, cellSource.base);
    isChanged = true;
  }
  return isChanged;
}
