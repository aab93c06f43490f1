import { AppError, isAppError } from '#shared/api/problem.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import type { Selection } from '#shared/domain/selection.ts';
import { compileExpression, compileFilter } from '#shared/sql/filter.ts';

type Columns = readonly Pick<ColumnInfo, 'name' | 'type'>[];

/**
 * Filters and expressions of operations, in Lance's dialect: parsed and bound to the columns of the head, so that no
 * engine sees text that was not. Throws SQL_SYNTAX, SQL_BIND or BAD_REQUEST with the place.
 */
export function compileOps(ops: readonly EditOp[], columns: Columns): EditOp[] {
  let known = columns;
  const fresh = new Set<string>();
  return ops.map((op) => {
    const compiled = compileOp(op, known, fresh);
    if (op.op === 'dropColumn') known = known.filter(({ name }) => name !== op.name);
    if (op.op === 'renameColumn') known = known.filter(({ name }) => name !== op.name);
    if (op.op === 'addColumn') fresh.add(op.name);
    if (op.op === 'renameColumn') fresh.add(op.to);
    return compiled;
  });
}

function compileOp(op: EditOp, columns: Columns, fresh: ReadonlySet<string>): EditOp {
  const expression = (column: string, text: string) =>
    withHints(fresh, column, () => compileExpression({ text, columns }).lance);
  switch (op.op) {
    case 'set':
    case 'tag':
    case 'delete':
      return { ...op, rows: compileSelection(op.rows, columns, fresh) };
    case 'setSql':
      return {
        ...op,
        rows: compileSelection(op.rows, columns, fresh),
        values: Object.fromEntries(
          Object.entries(op.values).map(([name, text]) => [name, expression(name, text)]),
        ),
      };
    case 'addColumn':
      return op.sql === undefined ? op : { ...op, sql: expression(op.name, op.sql) };
    default:
      return op;
  }
}

function compileSelection(rows: Selection, columns: Columns, fresh: ReadonlySet<string>): Selection {
  if (!('where' in rows)) return rows;
  const text = rows.where;
  if (text.trim() === '')
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The filter that selects the rows is empty.',
      hint: 'Write {"all": true} to change every row.',
    });
  return { where: withHints(fresh, null, () => compileFilter({ text, columns }).lance) };
}

/** Says which column an expression is for, and why a column that the edit itself makes is not known yet. */
function withHints<T>(fresh: ReadonlySet<string>, column: string | null, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const unknown = [...fresh].find((name) => error.message.includes(`“${name}”`));
    throw new AppError({
      code: error.code,
      message: column === null ? error.message : `${column}: ${error.message}`,
      hint: unknown === undefined ? error.hint : `“${unknown}” is made by this edit: use it in another one.`,
      at: error.at,
      issues: error.issues,
      cause: error,
    });
  }
}
