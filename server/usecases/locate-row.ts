import type * as z from 'zod';
import { AppError } from '#shared/api/problem.ts';
import type { tablesApi } from '#shared/api/tables.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { compileFilter, formatFilterName } from '#shared/sql/filter.ts';
import { quoteText } from '#shared/sql/literal.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { compileWhere } from './compile-where.ts';
import { resolveRef } from './resolve-ref.ts';

export interface LocatedRow {
  ref: PinnedRef;
  rowId: string | null;
  offset: number | null;
  total: number;
}

type LocateBody = z.infer<(typeof tablesApi)['locateRow']['body']>;

const numberKinds = /^(u?int\d+|float\d+|decimal)/;

function literalFor(value: unknown, type: string): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string')
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `${JSON.stringify(value) ?? 'Nothing'} is no value of a row key.`,
      hint: 'A key is a text or a number, or a list of them where it has several columns.',
    });
  const isNumber = numberKinds.test(parseColumnType(type).kind) && /^-?\d+(\.\d+)?$/.test(value.trim());
  return isNumber ? value.trim() : quoteText(value);
}

/** The condition that one row of a table fulfils: the value of its key, in the type of the key columns. */
function keyCondition(
  { table, key, columns }: { table: string; key: readonly string[]; columns: readonly ColumnInfo[] },
  value: unknown,
): string {
  if (key.length === 0)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${table} has no row key.`,
      hint: 'Name the row by its row id, or declare the key columns of the table.',
    });
  const parts = Array.isArray(value) ? value : [value];
  if (parts.length !== key.length)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The key of ${table} is ${key.join(', ')}; ${JSON.stringify(value)} has ${parts.length} of ${key.length} values.`,
      hint: 'Write the key as a list, in that order.',
    });
  return key
    .map((name, i) => {
      const type = columns.find((column) => column.name === name)?.type ?? 'utf8';
      return `${formatFilterName(name)} = ${literalFor(parts[i], type)}`;
    })
    .join(' and ');
}

/** Lance refuses numbers beyond 64 bits; no row has them. */
const rowIdCondition = (id: bigint): string => (id < 2n ** 64n ? `_rowid = ${id}` : '_rowid is null');

/** Where a row stands in the sorted and filtered result. Throws BAD_REQUEST where neither key nor row id is told. */
export async function locateRow(
  ports: Ports,
  { table, body }: { table: string; body: LocateBody },
  context: CallContext,
): Promise<LocatedRow> {
  const { ref, pinned } = await resolveRef(ports, table, body.ref, context);
  const facts = await ports.reader.describe(pinned, context);
  const { key, rowId } = body;
  if ((key === undefined) === (rowId === undefined))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'Name the row by “key” or by “rowId”.',
      hint: 'The contract is at /api/docs.',
    });
  const wanted =
    rowId === undefined
      ? compileFilter({
          text: keyCondition({ table, key: facts.key, columns: facts.columns }, key),
          columns: facts.columns,
        }).lance
      : rowIdCondition(BigInt(rowId));
  const where = await compileWhere(ports, pinned, body.where, context);
  const place = await ports.reader.locate({ ...pinned, wanted, where, orderBy: body.orderBy }, context);
  return { ref, rowId: place.rowId, offset: place.position, total: place.total };
}
