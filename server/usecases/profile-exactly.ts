import type { ColumnProfile } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import { buildColumnFigures, maxExactFigures } from '#shared/sql/build-column-figures.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import { readRowsAsJson } from '../arrow/rows-as-json.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { resolveRelations } from './resolve-relations.ts';

const shownLength = 200;

export interface ExactProfileInput {
  table: string;
  ref: PinnedRef;
  where: string | undefined;
  /** Of the table at the ref. */
  rows: number;
  known: readonly ColumnInfo[];
  columns: readonly string[];
}

/**
 * Figures over every row that matches, by SQL, one column after the other; without histogram and top values, which
 * facets have. Columns of other types than numbers, times and texts are left out; without any other it is not known how many
 * rows match. MEMORY where a column does not fit.
 */
export async function profileExactly(
  ports: Pick<Ports, 'reader' | 'store' | 'sql'>,
  { table, ref, where: text, rows, known, columns }: ExactProfileInput,
  context: CallContext,
): Promise<{ rows: number | null; columns: ColumnProfile[] }> {
  const { relations } = await resolveRelations(ports, [table], { [table]: formatRef(ref) }, context);
  const where = text?.trim() ? compileFilter({ text, columns: known }).duckdb : undefined;
  const profiles: ColumnProfile[] = [];
  let matching: number | null = null;
  for (const name of columns) {
    const column = known.find((one) => one.name === name);
    const sql = column && buildColumnFigures({ column, table, where, rows });
    if (!sql) continue;
    const { chunks } = await ports.sql.run({ sql, relations }, context);
    const [figures] = (await readRowsAsJson(chunks, context.signal)).rows;
    if (!figures) continue;
    matching = Number(figures.n);
    profiles.push(toProfile(name, figures, { rows, isFiltered: where !== undefined }));
  }
  return { rows: matching, columns: profiles };
}

function toProfile(
  name: string,
  figures: Record<string, unknown>,
  { rows, isFiltered }: { rows: number; isFiltered: boolean },
): ColumnProfile {
  const count = (key: string): number => Number(figures[key] ?? 0);
  const nans = count('nans');
  const isExact = rows <= maxExactFigures;
  const matching = `${count('n')} rows${isFiltered ? ' that match the filter' : ''}`;
  return {
    name,
    nulls: count('n') - count('filled'),
    ...(nans > 0 ? { nans } : {}),
    distinct: count('different'),
    isDistinctExact: isExact,
    min: shorten(figures.least),
    max: shorten(figures.most),
    mean: figures.mean === null || figures.mean === undefined ? null : Number(figures.mean),
    quantiles: Array.isArray(figures.quantiles) ? figures.quantiles.map(Number) : null,
    histogram: null,
    top: null,
    scope: `all ${matching}${isExact ? '' : ', quantiles to within about 1 %'}`,
    isSample: false,
  };
}

const shorten = (value: unknown): unknown =>
  typeof value === 'string' && value.length > shownLength
    ? `${value.slice(0, shownLength)}…`
    : (value ?? null);
