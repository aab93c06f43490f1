import type { Associations, ColumnDetail, FacetsAnswer } from '#shared/api/facets.ts';
import type { CallContext } from './call.ts';
import type { Pinned } from './table-reader.ts';

/** A filter that was parsed, bound and printed for Lance. */
export interface FacetCondition {
  /** As it was written: brushes are recognised in it. */
  sql: string;
  lance: string;
  /** The columns that it reads. */
  columns: string[];
}

export interface FacetsInput extends Pinned {
  columns: string[];
  conditions: FacetCondition[];
  marked?: FacetCondition;
  /** Rows of the sample; all are looked at when it is absent and memory allows. */
  sample?: number;
  /** The column whose cube is wanted. */
  active?: string;
}

/**
 * Linked distributions of the columns of a pinned ref. What was read of a column is kept, a byte per row, so that
 * the next conditions cost no reading of the table. Errors are AppErrors.
 */
export interface TableFacets {
  facets(input: FacetsInput, context: CallContext): Promise<Omit<FacetsAnswer, 'ref'>>;
  /** How far each pair of the columns goes together, over the rows that pass the conditions. */
  associations(
    input: Pick<FacetsInput, keyof Pinned | 'columns' | 'conditions'>,
    context: CallContext,
  ): Promise<Omit<Associations, 'ref'>>;
  /** What only columns of a kind have; columns without such facts are left out. */
  details(
    input: Pinned & { where?: string; columns: string[] },
    context: CallContext,
  ): Promise<{ columns: ColumnDetail[] }>;
}
