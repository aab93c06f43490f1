import { AppError } from '#shared/api/problem.ts';
import { assertNever } from '#shared/domain/assert-never.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import type { CallContext } from '../../ports/call.ts';
import type { EditPlan, PlanEditInput } from '../../ports/table-writer.ts';
import type { LanceHome } from './connect.ts';
import { withLanceErrors } from './lance-errors.ts';
import { buildChangeset } from './plan-edit-changeset.ts';
import { EditDraft } from './plan-edit-draft.ts';
import { planInsert } from './plan-edit-insert.ts';
import { planAddColumn } from './plan-edit-schema.ts';
import { selectRows } from './plan-edit-select.ts';
import { planSet, planSetSql, planTag } from './plan-edit-values.ts';
import { openWriteTarget } from './write-target.ts';

/**
 * Turns operations into one changeset against a branch's head; nothing is written. Each operation sees the rows as the
 * ones before it left them; cells that end as they began are no change.
 */
export async function planEdit(
  home: LanceHome,
  { table, head, ops, nextKey }: PlanEditInput,
  { signal }: CallContext,
): Promise<EditPlan> {
  const target = await openWriteTarget(home, table, head);
  return withLanceErrors({ table, ref: head, home: home.path }, async () => {
    const draft = new EditDraft(target, signal);
    for (const [index, op] of ops.entries()) {
      signal.throwIfAborted();
      await runOp(draft, op, nextKey).catch((error: unknown) => {
        throw ops.length === 1 ? error : nameOperation(error, index + 1);
      });
    }
    return buildChangeset(draft);
  });
}

async function runOp(draft: EditDraft, op: EditOp, nextKey: string | undefined): Promise<void> {
  switch (op.op) {
    case 'set':
      return planSet(draft, op);
    case 'setSql':
      return planSetSql(draft, op);
    case 'tag':
      return planTag(draft, op);
    case 'insert':
      return planInsert(draft, op, nextKey);
    case 'delete':
      return draft.images.setDeleted(await selectRows(draft, op.rows), true);
    case 'addColumn':
      return planAddColumn(draft, op);
    case 'dropColumn':
      return draft.columns.drop(op.name);
    case 'renameColumn':
      return draft.columns.rename(op.name, op.to);
    default:
      return assertNever(op);
  }
}

/** Says which of several operations an error is about. */
function nameOperation(error: unknown, number: number): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, hint, at, issues, cause } = error;
  return new AppError({ code, message: `Operation ${number}: ${error.message}`, hint, at, issues, cause });
}
