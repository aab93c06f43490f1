import type * as z from 'zod';
import type { RowsQuery } from '#shared/api/tables.ts';
import type { ByteStream, CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { RowsFacts } from '../ports/table-reader.ts';
import { compileWhere } from './compile-where.ts';
import { type ResolvedRef, resolveRef } from './resolve-ref.ts';

export interface ReadRows {
  stream: ByteStream<RowsFacts>;
  resolved: ResolvedRef;
}

/** Rows of a table at a ref, as an Arrow stream. */
export async function readRows(
  ports: Ports,
  { table, query }: { table: string; query: z.infer<typeof RowsQuery> },
  context: CallContext,
): Promise<ReadRows> {
  const resolved = await resolveRef(ports, table, query.ref, context);
  const { pinned } = resolved;
  const { columns, orderBy, offset, limit, maxCellBytes } = query;
  const where = await compileWhere(ports, pinned, query.where, context);
  return {
    stream: await ports.reader.rows(
      { ...pinned, columns, where, orderBy, offset, limit, maxCellBytes },
      context,
    ),
    resolved,
  };
}
