import { AppError } from '#shared/api/problem.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { assertBranchName } from '#shared/domain/names.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { ColumnFactsPatch } from '../ports/table-writer.ts';
import { describeTable } from './describe-table.ts';
import { resolveRef } from './resolve-ref.ts';
import { withTableTurn } from './table-turns.ts';

export interface TablePatch {
  branch: string;
  key?: string[];
  description?: string;
  columns?: Record<string, ColumnFactsPatch>;
}

/** Sets key, description and column facts at the head of a branch; they are stored in the table's fields. */
export async function patchTable(
  ports: Ports,
  { table, patch }: { table: string; patch: TablePatch },
  context: CallContext,
): Promise<TableDetail> {
  const { branch, key, description, columns } = patch;
  if (branch !== mainBranch) assertBranchName(branch);
  await withTableTurn(table, context.signal, async () => {
    const { ref } = await resolveRef(ports, table, branch, context);
    const facts = await ports.reader.describe({ table, ref }, context);
    const known = new Set(facts.columns.map(({ name }) => name));
    for (const name of [...(key ?? []), ...Object.keys(columns ?? {})]) {
      if (!known.has(name))
        throw new AppError({
          code: 'BAD_REQUEST',
          message: `The table ${table} has no column “${name}”.`,
          hint: didYouMean(name, known),
        });
    }
    if (key && new Set(key).size < key.length)
      throw new AppError({ code: 'BAD_REQUEST', message: 'The key names a column twice.' });
    if (key === undefined && description === undefined && Object.keys(columns ?? {}).length === 0) return;
    await ports.writer.setFacts({ table, branch, key, description, columns }, context);
  });
  return describeTable(ports, { table, ref: branch }, context);
}
