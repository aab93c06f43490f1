import type { Associations, ColumnDetail, FacetsAnswer, FacetsBody } from '#shared/api/facets.ts';
import { AppError } from '#shared/api/problem.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { FacetCondition } from '../ports/table-facets.ts';
import { compileWhere } from './compile-where.ts';
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
  const wanted = columnsOf(known, input.columns, active);
  const compile = (sql: string): FacetCondition => compileCondition(sql, known);
  const conditions = input.conditions.filter((sql) => sql.trim() !== '').map(compile);
  const marked = input.marked === undefined || input.marked.trim() === '' ? undefined : compile(input.marked);
  const answer = await ports.facets.facets(
    { ...pinned, columns: wanted, conditions, marked, sample, active },
    context,
  );
  return { ref, ...answer };
}

/** The columns that are asked for, all that are not hidden unless named. Throws SQL_BIND for those that are not there. */
function columnsOf(
  known: readonly ColumnInfo[],
  asked: readonly string[] | undefined,
  active?: string,
): string[] {
  const names = known.map(({ name }) => name);
  const wanted = asked ?? known.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const missing = [...wanted, ...(active === undefined ? [] : [active])].find(
    (name) => !names.includes(name),
  );
  if (missing !== undefined)
    throw new AppError({
      code: 'SQL_BIND',
      message: `There is no column “${missing.slice(0, 80)}”.`,
      hint: didYouMean(missing, names),
    });
  return [...new Set(wanted)];
}

function compileCondition(sql: string, known: readonly ColumnInfo[]): FacetCondition {
  const { lance, columns } = compileFilter({ text: sql, columns: known });
  return { sql, lance, columns };
}

/** How far each pair of columns goes together, over the rows that pass the conditions. */
export async function associateColumns(
  ports: Pick<Ports, 'reader' | 'store' | 'facets'>,
  input: Pick<FacetsBody, 'ref' | 'conditions' | 'columns'> & { table: string },
  context: CallContext,
): Promise<Associations> {
  const { table } = input;
  const { ref, pinned } = await resolveRef(ports, table, input.ref, context);
  const { columns: known } = await ports.reader.describe(pinned, context);
  const columns = columnsOf(known, input.columns);
  const conditions = input.conditions
    .filter((sql) => sql.trim() !== '')
    .map((sql) => compileCondition(sql, known));
  return { ref, ...(await ports.facets.associations({ ...pinned, columns, conditions }, context)) };
}

/** What only vectors, texts, lists, media and times have. */
export async function detailColumns(
  ports: Pick<Ports, 'reader' | 'store' | 'facets'>,
  input: { table: string; ref: string; where?: string | undefined; columns?: string[] | undefined },
  context: CallContext,
): Promise<{ ref: PinnedRef; columns: ColumnDetail[] }> {
  const { table } = input;
  const { ref, pinned } = await resolveRef(ports, table, input.ref, context);
  const { columns: known } = await ports.reader.describe(pinned, context);
  const columns = columnsOf(known, input.columns);
  const where = await compileWhere(ports, pinned, input.where, context);
  return { ref, ...(await ports.facets.details({ ...pinned, columns, where }, context)) };
}
