import type { FacetFigures } from '#shared/api/facets.ts';
import { binCountOf, type FacetBins, specialCodes } from '#shared/domain/facets/bins.ts';
import type { FacetKind } from '#shared/domain/facets/brush.ts';
import { blocksOf, countCodes } from '#shared/domain/facets/count-facets.ts';
import type { CodedRows } from '#shared/domain/facets/cube.ts';
import type { PlannedFacet } from './plan-facet.ts';
import type { RowValues } from './row-values.ts';

export type Bytes = RowValues<Uint8Array<ArrayBuffer>>;

/** What a coder gives. */
export interface CodedCells {
  bins: FacetBins;
  codes: Bytes;
  /** Of lists, whose codes are in memory: where those of each row begin, and the last end. */
  offsets?: Uint32Array;
  distinct?: number | null;
  isLength?: boolean;
  figures?: FacetFigures | null;
}

/** A column as bins: what was read of it once. */
export interface FacetColumn {
  column: string;
  kind: FacetKind;
  bins: FacetBins;
  distinct: number | null;
  figures: FacetFigures | null;
  /** Codes at most. */
  size: number;
  isList: boolean;
  byteLength: number;
  all: number[];
  /** The codes of a block of rows; they are there until the next call. */
  block(from: number, to: number): CodedRows;
}

/** Counts all rows; yields between blocks of them. */
export function* facetColumnOf(
  { column, source }: Pick<PlannedFacet, 'column' | 'source'>,
  { rows, cells }: { rows: number; cells: CodedCells },
): Generator<void, FacetColumn> {
  const { bins, codes, offsets, distinct = null, isLength, figures = null } = cells;
  const { size } = specialCodes(binCountOf(bins));
  const block = (from: number, to: number): CodedRows =>
    offsets
      ? { codes: codes.block(0, codes.rows), offsets: offsets.subarray(from, to + 1) }
      : { codes: codes.block(from, to) };
  const counts = new Float64Array(256);
  for (const [from, to] of blocksOf(rows)) {
    countCodes(block(from, to), null, counts);
    yield;
  }
  return {
    column,
    kind: isLength ? 'length' : source,
    bins,
    distinct,
    figures: isLength ? null : figures,
    size,
    isList: offsets !== undefined,
    byteLength: codes.byteLength + (offsets?.byteLength ?? 0),
    all: [...counts.subarray(0, size)],
    block,
  };
}
