/** One bit per row. */
export type Bits = Uint8Array;

export const createBits = (rows: number): Bits => new Uint8Array((rows + 7) >> 3);

export const hasBit = (bits: Bits | undefined, row: number): boolean =>
  bits !== undefined && ((bits[row >> 3] as number) >> (row & 7)) % 2 === 1;

export function setBit(bits: Bits, row: number): void {
  bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Bits per column; a column without any is not there. */
export type CellBits = Map<number, Bits>;

export function setCell(cells: CellBits, rows: number, column: number, row: number): void {
  let bits = cells.get(column);
  if (!bits) {
    bits = createBits(rows);
    cells.set(column, bits);
  }
  setBit(bits, row);
}

/** The columns that have the row's bit, in ascending order. */
export function columnsOfRow(cells: CellBits, row: number): number[] {
  const columns: number[] = [];
  for (const [column, bits] of cells) if (hasBit(bits, row)) columns.push(column);
  return columns.sort((a, b) => a - b);
}
