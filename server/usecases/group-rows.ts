import type * as z from 'zod';
import type { tablesApi } from '#shared/api/tables.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { compileWhere } from './compile-where.ts';
import type { ReadRows } from './read-rows.ts';
import { resolveRef } from './resolve-ref.ts';

type GroupsBody = z.infer<(typeof tablesApi)['groupRows']['body']>;

/** The groups of equal values of the first column of the order, as an Arrow stream. */
export async function groupRows(
  ports: Ports,
  { table, body }: { table: string; body: GroupsBody },
  context: CallContext,
): Promise<ReadRows> {
  const resolved = await resolveRef(ports, table, body.ref, context);
  const { pinned } = resolved;
  const { orderBy, maxGroups } = body;
  const where = await compileWhere(ports, pinned, body.where, context);
  return { stream: await ports.reader.groups({ ...pinned, where, orderBy, maxGroups }, context), resolved };
}
