import { compileFilter } from '#shared/sql/filter.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { Pinned } from '../ports/table-reader.ts';

/**
 * What a person typed as a filter, in Lance's dialect; undefined where nothing was typed. Throws SQL_SYNTAX or SQL_BIND
 * with the place, so that no engine ever sees text that was not parsed.
 */
export async function compileWhere(
  { reader }: Pick<Ports, 'reader'>,
  pinned: Pinned,
  where: string | undefined,
  context: CallContext,
): Promise<string | undefined> {
  if (where === undefined || where.trim() === '') return undefined;
  const { table, ref, known } = pinned;
  const { columns } = await reader.describe({ table, ref, known }, context);
  return compileFilter({ text: where, columns }).lance;
}
