import type { ColumnInfo } from '#shared/domain/columns.ts';
import { type ColumnChip, filterToSql, splitFilter, sqlToChips } from '#shared/domain/filter.ts';
import { formatTree, isTyped, treeOfSql } from '#shared/domain/filter-tree.ts';
import type { Condition } from '../../../state/table-view.ts';

type Columns = readonly Pick<ColumnInfo, 'name' | 'type' | 'role'>[];

/** The typed form of a condition; null where the builder has none. */
export function chipOf({ sql }: Condition, columns: Columns): ColumnChip | null {
  const chips = sqlToChips(sql, columns);
  return chips?.length === 1 ? (chips[0] ?? null) : null;
}

export const conditionOfChip = (chip: ColumnChip): Condition | null => {
  const sql = filterToSql([{ ...chip, isOff: false }]);
  return sql === undefined ? null : { sql };
};

/** A condition in words: typed ones and groups of them as the builder says them, others as SQL. */
export function labelOf(condition: Condition, columns: Columns): { text: string; isSql: boolean } {
  const tree = treeOfSql(condition.sql, columns);
  return tree && isTyped(tree)
    ? { text: formatTree(tree), isSql: false }
    : { text: condition.sql, isSql: true };
}

/** A condition turned into its opposite; rows with null are in neither. */
export function invert(condition: Condition, columns: Columns): Condition {
  const chip = chipOf(condition, columns);
  const inverted = chip && conditionOfChip({ ...chip, isNegated: !chip.isNegated });
  if (inverted) return { ...condition, sql: inverted.sql };
  const inner = /^not \((.*)\)$/is.exec(condition.sql.trim())?.[1];
  const isWrapped = inner !== undefined && sqlToChips(inner, columns) !== null;
  return { ...condition, sql: isWrapped ? inner : `not (${condition.sql.trim()})` };
}

/** The text of an SQL condition cut at its `and`s: typed conditions where the builder knows them, else as text. */
export function conditionsOfSql(sql: string, columns: Columns): Condition[] {
  return splitFilter(sql).map((part) => {
    const chip = chipOf({ sql: part }, columns);
    return (chip && conditionOfChip(chip)) ?? { sql: part };
  });
}
