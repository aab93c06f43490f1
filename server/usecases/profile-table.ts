import { AppError } from '#shared/api/problem.ts';
import type { ColumnProfile } from '#shared/api/tables.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { compileWhere } from './compile-where.ts';
import { profileExactly } from './profile-exactly.ts';
import { resolveRef } from './resolve-ref.ts';

export interface TableProfile {
  ref: PinnedRef;
  rows: number;
  columns: ColumnProfile[];
}

/** Distributions of the asked columns (all that are not hidden, unless named) over the rows that match a filter. */
export async function profileTable(
  ports: Pick<Ports, 'reader' | 'store' | 'sql'>,
  input: { table: string; ref: string; where?: string; columns?: string[]; isExact?: boolean },
  context: CallContext,
): Promise<TableProfile> {
  const { table } = input;
  const { ref } = await resolveRef(ports, table, input.ref, context);
  const { columns: known, rows } = await ports.reader.describe({ table, ref }, context);
  const names = known.map(({ name }) => name);
  const missing = input.columns?.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new AppError({
      code: 'SQL_BIND',
      message: `There is no column “${missing.slice(0, 80)}”.`,
      hint: didYouMean(missing, names),
    });
  const columns = input.columns
    ? [...new Set(input.columns)]
    : known.filter(({ hidden }) => !hidden).map(({ name }) => name);
  if (input.isExact) {
    const exact = { table, ref, where: input.where, rows, known, columns };
    const profile = await profileExactly(ports, exact, context);
    if (profile.rows !== null) return { ref, rows: profile.rows, columns: profile.columns };
    const where = await compileWhere(ports, { table, ref }, input.where, context);
    return { ref, rows: (await ports.reader.count({ table, ref, where }, context)).rows, columns: [] };
  }
  const where = await compileWhere(ports, { table, ref }, input.where, context);
  return { ref, ...(await ports.reader.profile({ table, ref, where, columns }, context)) };
}
