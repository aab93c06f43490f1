import type { GridColumn, MediaAddress } from '../../grid/index.ts';

/** One cell on two sides. */
export interface CellSides {
  column: GridColumn;
  before: unknown;
  after: unknown;
  beforeMedia: MediaAddress | null;
  afterMedia: MediaAddress | null;
}
