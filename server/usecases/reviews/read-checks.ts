import { AppError, isAppError } from '#shared/api/problem.ts';
import type { TableChecks } from '#shared/api/reviews.ts';
import { type Check, type CheckList, formatChecks, parseChecks } from '#shared/domain/checks.ts';
import { assertBranchName } from '#shared/domain/names.ts';
import { formatRef, mainBranch, type PinnedRef } from '#shared/domain/ref.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Ports } from '../../ports/index.ts';
import { planSql } from '../plan-sql.ts';
import { resolveRef } from '../resolve-ref.ts';
import { withTableTurn } from '../table-turns.ts';

type ChecksPorts = Pick<Ports, 'reader' | 'writer' | 'store' | 'sql'>;

/** The checks that a table keeps at a ref; null where what it keeps cannot be read. */
export async function readChecksAt(
  { reader }: Pick<Ports, 'reader'>,
  pinned: { table: string; ref: PinnedRef },
  context: CallContext,
): Promise<CheckList | null> {
  return parseChecks((await reader.describe(pinned, context)).checks);
}

const unreadable =
  'What the table keeps as its checks (curio:checks on its key column) cannot be read. Setting the checks anew replaces it.';

/** The checks that are kept with a table, as people see them. */
export async function listChecks(
  ports: ChecksPorts,
  { table, ref: refText }: { table: string; ref: string },
  context: CallContext,
): Promise<TableChecks> {
  const { ref } = await resolveRef(ports, table, refText, context);
  const checks = await readChecksAt(ports, { table, ref }, context);
  return { ref, checks: checks ?? [], notices: checks === null ? [unreadable] : [] };
}

interface PutInput {
  table: string;
  branch: string;
  expectedVersion?: number;
  checks: CheckList;
}

/** Replaces the checks of a branch, as one version. A check that the branch cannot run is refused with the place. */
export async function putChecks(
  ports: ChecksPorts,
  { table, branch, expectedVersion, checks }: PutInput,
  context: CallContext,
): Promise<TableChecks> {
  if (branch !== mainBranch) assertBranchName(branch);
  const { ref } = await resolveRef(ports, table, branch, context);
  for (const check of checks) await assertRunnable(ports, { table, ref, check }, context);
  await withTableTurn(table, context.signal, async () => {
    const head = await resolveRef(ports, table, branch, context);
    if (expectedVersion !== undefined && head.ref.version !== expectedVersion)
      throw new AppError({
        code: 'HEAD_MOVED',
        message: `${branch} is at version ${head.ref.version} by now, not at ${expectedVersion}.`,
        hint: 'Look at the checks as they are now, then change them again.',
      });
    await ports.writer.setFacts({ table, branch, checks: formatChecks(checks) }, context);
  });
  return listChecks(ports, { table, ref: branch }, context);
}

/** Throws what is wrong with a check, under its name. */
async function assertRunnable(
  ports: ChecksPorts,
  { table, ref, check }: { table: string; ref: PinnedRef; check: Check },
  context: CallContext,
): Promise<void> {
  try {
    if (check.where !== undefined) {
      const { columns } = await ports.reader.describe({ table, ref }, context);
      compileFilter({ text: check.where, columns });
    }
    if (check.sql !== undefined)
      await planSql(ports, { sql: check.sql, refs: { [table]: formatRef(ref) } }, context);
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw new AppError({
      code: error.code,
      message: `The check “${check.name}” cannot run on ${ref.branch}: ${error.message}`,
      hint: error.hint,
      at: error.at,
      cause: error,
    });
  }
}
