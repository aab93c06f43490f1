import type { FacetsAnswer, FacetsBody } from '#shared/api/facets.ts';
import { AppError } from '#shared/api/problem.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { FacetCondition } from '../ports/table-facets.ts';
import { resolveRef } from './resolve-ref.ts';

/** Linked distributions of a table's columns under conditions, and the cube of one of them. */
export async function countFacets(
  ports: Pick<Ports, 'reader' | 'store' | 'facets'>,
  input: FacetsBody & { table: string },
  context: CallContext,
): Promise<FacetsAnswer> {
  const { table, sample, active } = input;
  const { ref, pinned } = await resolveRef(ports, table, input.ref, context);
  const { columns: known } = await ports.reader.describe(pinned, context);
  const names = known.map(({ name }) => name);
  const wanted = input.columns ?? known.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const missing = [...wanted, ...(active === undefined ? [] : [active])].find(
    (name) => !names.includes(name),
  );
  if (missing !== undefined)
    throw new AppError({
      code: 'SQL_BIND',
      message: `There is no column “${missing.slice(0, 80)}”.`,
      hint: didYouMean(missing, names),
    });
  const compile = (sql: string): FacetCondition => {
    const { lance, columns } = compileFilter({ text: sql, columns: known });
    return { sql, lance, columns };
  };
  const conditions = input.conditions.filter((sql) => sql.trim() !== '').map(compile);
  const marked = input.marked === undefined || input.marked.trim() === '' ? undefined : compile(input.marked);
  const answer = await ports.facets.facets(
    { ...pinned, columns: [...new Set(wanted)], conditions, marked, sample, active },
    context,
  );
  return { ref, ...answer };
}
