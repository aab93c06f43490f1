import { AppError } from '#shared/api/problem.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import { arrow, type DataType } from '../../arrow/arrow.ts';
import { toArrowField } from './column-type-arrow.ts';
import type { EditDraft } from './plan-edit-draft.ts';
import { evaluate } from './plan-edit-values.ts';
import { castExpression } from './write-cast.ts';

/** Adds a column: empty, or with the values of an expression, for which the rows as they are now count. */
export async function planAddColumn(
  draft: EditDraft,
  { name, type, sql }: Extract<EditOp, { op: 'addColumn' }>,
): Promise<void> {
  if (type === undefined && sql === undefined)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The operation “addColumn” says neither the type of “${name}” nor its values.`,
      hint: 'Give “type”, for example utf8, or “sql”, for example upper(label).',
    });
  if (sql === undefined) {
    draft.columns.add(toArrowField({ name, type: parseColumnType(type!) }), null);
    return;
  }
  const field =
    type === undefined
      ? new arrow.Field(name, await typeOfExpression(draft, sql), true)
      : toArrowField({ name, type: parseColumnType(type) });
  if (type !== undefined && castExpression('x', field.type) === 'x')
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `Values of the type ${type} cannot be made by an expression.`,
      hint: 'Leave the type or the expression out.',
    });
  await draft.assertComputable(castExpression(sql, field.type));
  const touched = draft.images.live();
  const column = draft.columns.add(field, sql);
  if (touched.length === 0) return;
  const values = await evaluate(draft, [{ column, sql }], touched);
  draft.images.set(column, touched, values.get(column)!);
}

async function typeOfExpression(draft: EditDraft, sql: string): Promise<DataType> {
  const { type } = (await draft.typesOf({ value: sql })).get('value')!;
  if (type.typeId === arrow.Type.Null)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The expression gives only empty values, so the column would have no type.',
      hint: 'Give “type” instead of “sql”.',
    });
  return type;
}
