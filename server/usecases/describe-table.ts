import type { TableDetail } from '#shared/api/tables.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { toBranchInfos, toTagInfo } from './branch-info.ts';
import { resolveRef } from './resolve-ref.ts';

/** One table at a ref, with all that a page about it needs. */
export async function describeTable(
  ports: Ports,
  input: { table: string; ref: string },
  context: CallContext,
): Promise<TableDetail> {
  const { table, ref, pinned, heads, uuid, isHead } = await resolveRef(
    ports,
    input.table,
    input.ref,
    context,
  );
  const { rows, bytes, key, description, columns, indexes, hasStableRowIds, notices } =
    await ports.reader.describe(pinned, context);
  return {
    name: table,
    ref,
    isHead,
    rows,
    bytes,
    key,
    description,
    columns,
    indexes,
    hasStableRowIds,
    notices,
    tags: heads.tags.map((tag) => toTagInfo(ports, uuid, tag)),
    branches: toBranchInfos(ports, heads),
  };
}
