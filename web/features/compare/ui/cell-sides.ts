import type { GridColumn, MediaAddress } from '../../grid/index.ts';

/** One cell on two sides. */
export interface CellSides {
  column: GridColumn;
  before: unknown;
  after: unknown;
  beforeMedia: MediaAddress | null;
  afterMedia: MediaAddress | null;
  /** The row itself on both sides, where its neighbours can be looked for. */
  self?: { before: string | null; after: string | null };
}
