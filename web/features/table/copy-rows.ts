import { AppError } from '#shared/api/problem.ts';
import type { OrderBy } from '#shared/api/tables.ts';
import { callArrow } from '../../api/index.ts';
import type { RowSelection } from '../../state/selection.ts';
import { formatCount, formatOf } from '../../ui/format-quantity.ts';
import type { GridColumn } from '../grid/index.ts';
import { type CopyFormat, formatJson, formatSqlIn, formatTsv } from './model/format-rows.ts';
import { planEditSelection } from './model/plan-selection.ts';

export type { CopyFormat };

export interface CopyOptions {
  table: string;
  ref: string;
  selection: RowSelection;
  /** Rows of the selection. */
  count: number;
  where: string | undefined;
  columns: readonly GridColumn[];
  key: readonly string[];
  format: CopyFormat;
  /** As on the screen. */
  orderBy: readonly OrderBy[];
}

const mostRows = 10_000;

const tooMany = (rows: number): AppError =>
  new AppError({
    code: 'TOO_LARGE',
    message: `${formatOf(rows, 'row')} are too many for the clipboard.`,
    hint: `Select at most ${formatCount(mostRows)}, or export the table.`,
  });

/** Puts the selected rows on the clipboard; returns how many. Media and vectors are left out. */
export async function copyRows({
  table,
  ref,
  selection,
  count,
  where,
  columns,
  key,
  format,
  orderBy,
}: CopyOptions): Promise<number> {
  if (count > mostRows) throw tooMany(count);
  const keyColumns = key.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const wanted = columns.filter(
    (column) => column.kind !== 'media' && column.kind !== 'vector' && !column.name.startsWith('_'),
  );
  const names = (format === 'sql' ? keyColumns : wanted).map((column) => column.name);
  const predicate = planEditSelection(selection, where);
  const sql =
    'ids' in predicate
      ? `_rowid in (${predicate.ids.join(', ')})`
      : 'where' in predicate
        ? predicate.where
        : undefined;
  const body = {
    ref,
    columns: names,
    ...(sql ? { where: sql } : {}),
    ...(orderBy.length > 0 ? { orderBy: [...orderBy] } : {}),
    limit: mostRows,
  };
  const { table: rows, facts } = await callArrow('rowsPost', { params: { table }, body });
  if (facts.total !== null && facts.total > mostRows) throw tooMany(facts.total);
  const children = new Map(rows.schema.fields.map((field, at) => [field.name, rows.getChildAt(at)]));
  const reads = Array.from(
    { length: rows.numRows },
    (_none, at) => (column: string) => children.get(column)?.at(at),
  );
  const text =
    format === 'tsv'
      ? formatTsv(reads, wanted)
      : format === 'json'
        ? formatJson(reads, wanted)
        : formatSqlIn(reads, keyColumns);
  await navigator.clipboard.writeText(text);
  return rows.numRows;
}
