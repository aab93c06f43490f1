import { AppError } from '#shared/api/problem.ts';

/** Where a value stands: its row in the input, counted from 0, and the path that leads to it through lists and structs. */
export interface Place {
  row: number;
  path: string;
}

/** Finds the place of a value by its index; asked only when something is wrong. */
export type Places = (index: number) => Place;

/** What messages call a row of the input; empty where the values stand for no single row. */
export type RowName = (row: number) => string;

function sayValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

export class CellFault extends Error {
  place: Place;

  constructor(place: Place, message: string) {
    super(message);
    this.place = place;
  }
}

export const expected = (what: string, value: unknown, place: Place): CellFault =>
  new CellFault(place, `expected ${what}, got ${sayValue(value)}`);

/** Runs the building of a column; a fault in a cell becomes BAD_REQUEST that names the row, the column and what was expected. */
export function withCellFaults<T>(rowName: RowName, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    const { row, path } = error.place;
    const name = rowName(row);
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `${name === '' ? '' : `${name}, `}${path}: ${error.message}.`,
      issues: [{ path, message: error.message }],
      hint: 'Values are written as the rows are with ?format=json.',
    });
  }
}
