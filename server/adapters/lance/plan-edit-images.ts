import type { Data } from '../../arrow/arrow.ts';
import { concatData } from '../../arrow/concat-data.ts';
import { gather } from '../../arrow/gather.ts';
import { nullData } from '../../arrow/null-data.ts';
import type { EditColumn } from './plan-edit-columns.ts';

/** Reads columns of rows of the head, in the order of the ids, which are there. */
export type ReadHead = (columns: readonly EditColumn[], ids: Float64Array) => Promise<Map<EditColumn, Data>>;

/** For each touched row where its cell comes from: 0 is the head (null for inserted rows), n the n-th source. */
interface Cells {
  from: Int32Array;
  at: Int32Array;
  sources: Data[];
}

/**
 * The rows that an edit has touched so far, as they would be after it. A row is known by its position here; cells are
 * kept as pointers into the columns that the operations made, and the head is read only where somebody asks.
 */
export class RowImages {
  #readHead: ReadHead;
  #ids: number[] = [];
  /** Made when somebody looks up a row for the first time: an edit of one operation never does. */
  #positions: Map<number, number> | null = null;
  #deleted: boolean[] = [];
  #cells = new Map<EditColumn, Cells>();

  constructor(readHead: ReadHead) {
    this.#readHead = readHead;
  }

  get length(): number {
    return this.#ids.length;
  }

  /** Columns that have cells of their own. */
  get touchedColumns(): EditColumn[] {
    return [...this.#cells.keys()];
  }

  /** The row's id at the head; -1 for inserted rows. */
  idAt(position: number): number {
    return this.#ids[position]!;
  }

  isInserted(position: number): boolean {
    return this.#ids[position] === -1;
  }

  isDeleted(position: number): boolean {
    return this.#deleted[position] === true;
  }

  setDeleted(positions: Iterable<number>, isDeleted: boolean): void {
    for (const position of positions) this.#deleted[position] = isDeleted;
  }

  positionOf(id: number): number | undefined {
    return this.#index().get(id);
  }

  /** Positions of rows of the head; rows that were not touched yet get one. */
  touch(ids: ArrayLike<number>): Int32Array {
    if (this.#ids.length === 0) {
      for (let index = 0; index < ids.length; index++) this.#ids.push(ids[index]!);
      return new Int32Array(ids.length).map((_, index) => index);
    }
    const index = this.#index();
    return Int32Array.from(ids, (id) => {
      const known = index.get(id);
      if (known !== undefined) return known;
      index.set(id, this.#ids.length);
      return this.#ids.push(id) - 1;
    });
  }

  addInserted(count: number): Int32Array {
    return Int32Array.from({ length: count }, () => this.#ids.push(-1) - 1);
  }

  /** Positions of all rows that are there after the operations so far, among the touched ones. */
  live(): Int32Array {
    return new Int32Array(this.length)
      .map((_, position) => position)
      .filter((position) => !this.isDeleted(position));
  }

  /** Sets cells: `data` has one value per position, or one for all of them. */
  set(column: EditColumn, positions: Int32Array, data: Data): void {
    const cells = this.#cellsOf(column);
    const source = cells.sources.push(data);
    const isOne = data.length === 1;
    positions.forEach((position, index) => {
      cells.from[position] = source;
      cells.at[position] = isOne ? 0 : index;
    });
  }

  /** The cells of a column as they are now. */
  async values(column: EditColumn, positions: Int32Array): Promise<Data> {
    const columns = await this.valuesOf([column], positions);
    return columns.get(column)!;
  }

  async valuesOf(columns: readonly EditColumn[], positions: Int32Array): Promise<Map<EditColumn, Data>> {
    const isUntouched = (column: EditColumn, position: number) =>
      (this.#cells.get(column)?.from[position] ?? 0) === 0;
    const needed = positions.filter(
      (position) => !this.isInserted(position) && columns.some((column) => isUntouched(column, position)),
    );
    const head = await this.head(columns, needed);
    const headIndex = new Int32Array(this.length).fill(-1);
    for (let index = 0; index < needed.length; index++) headIndex[needed[index]!] = index;
    return new Map(
      columns.map((column) => [column, this.#pick(column, positions, head.get(column)!, headIndex)]),
    );
  }

  /** The cells of rows of the head as they are there; the positions are not of inserted rows. */
  async head(columns: readonly EditColumn[], positions: Int32Array): Promise<Map<EditColumn, Data>> {
    if (positions.length === 0)
      return new Map(columns.map((column) => [column, nullData(column.field.type, 0)]));
    return this.#readHead(columns, this.#idsAt(positions));
  }

  #idsAt(positions: Int32Array): Float64Array {
    const ids = new Float64Array(positions.length);
    for (let index = 0; index < positions.length; index++) ids[index] = this.#ids[positions[index]!]!;
    return ids;
  }

  /** True when an operation has set the cell. */
  isSet(column: EditColumn, position: number): boolean {
    return (this.#cells.get(column)?.from[position] ?? 0) !== 0;
  }

  #index(): Map<number, number> {
    if (!this.#positions) {
      this.#positions = new Map();
      for (const [position, id] of this.#ids.entries()) if (id !== -1) this.#positions.set(id, position);
    }
    return this.#positions;
  }

  #pick(column: EditColumn, positions: Int32Array, head: Data, headIndex: Int32Array): Data {
    const cells = this.#cells.get(column);
    const sources = [head, ...(cells?.sources ?? [])];
    const starts: number[] = [];
    let start = 0;
    for (const source of sources) {
      starts.push(start);
      start += source.length;
    }
    const order = positions.map((position) => {
      const from = cells?.from[position] ?? 0;
      if (from > 0) return starts[from]! + cells!.at[position]!;
      return headIndex[position]!;
    });
    if (sources.length === 1 && head.length === positions.length && !order.includes(-1)) return head;
    return gather(concatData(column.field.type, sources), order);
  }

  #cellsOf(column: EditColumn): Cells {
    let cells = this.#cells.get(column);
    if (!cells) {
      cells = { from: new Int32Array(this.length), at: new Int32Array(this.length), sources: [] };
      this.#cells.set(column, cells);
    }
    if (cells.from.length < this.length) {
      const grown = Math.max(this.length, cells.from.length * 2);
      cells.from = grow(cells.from, grown);
      cells.at = grow(cells.at, grown);
    }
    return cells;
  }
}

function grow(values: Int32Array, length: number): Int32Array {
  const grown = new Int32Array(length);
  grown.set(values);
  return grown;
}
