import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { compileWhere } from './compile-where.ts';
import { resolveRef } from './resolve-ref.ts';

/** How many rows of a table match a filter. */
export async function countRows(
  ports: Ports,
  input: { table: string; ref: string; where?: string },
  context: CallContext,
): Promise<{ rows: number; ref: PinnedRef }> {
  const { table } = input;
  const { ref, pinned } = await resolveRef(ports, table, input.ref, context);
  const where = await compileWhere(ports, pinned, input.where, context);
  const { rows } = await ports.reader.count({ ...pinned, where }, context);
  return { rows, ref };
}
