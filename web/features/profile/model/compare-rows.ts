import type { FacetsAnswer } from '#shared/api/facets.ts';
import { type ColumnDifference, rankDifferences } from '#shared/domain/facets/differences.ts';

export interface RowsCompared {
  /** What the rows in question are. */
  these: 'selected' | 'filtered';
  theseRows: number;
  restRows: number;
  columns: ColumnDifference[];
}

/** The selected rows, or else those that the filter keeps, against all others; null where there are no two sides. */
export function compareRows(answer: FacetsAnswer): RowsCompared | null {
  const { marked, matching, counted } = answer;
  const isMarked = marked !== null && marked > 0;
  const theseRows = isMarked ? marked : matching;
  const restRows = counted - theseRows;
  if (theseRows === 0 || restRows === 0) return null;
  const columns = answer.facets.map((facet) => {
    const these = (isMarked ? facet.marked : facet.inside) ?? facet.inside;
    return {
      column: facet.column,
      bins: facet.bins,
      these,
      rest: facet.all.map((rows, code) => rows - (these[code] ?? 0)),
    };
  });
  return {
    these: isMarked ? 'selected' : 'filtered',
    theseRows,
    restRows,
    columns: rankDifferences(columns),
  };
}
