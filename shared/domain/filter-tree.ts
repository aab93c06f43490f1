import { isAppError } from '../api/problem.ts';
import { type FilterExpr, formatFilter, parseFilter } from '../sql/filter.ts';
import type { ColumnInfo } from './columns.ts';
import { type ColumnChip, chipReader, chipToSql, formatChip, isComplete } from './filter.ts';

/** Conditions of which all must hold, or any. */
export interface FilterGroup {
  kind: 'group';
  mode: 'all' | 'any';
  /** The opposite: not all, or none. Rows for which it is unknown are in neither. */
  isNegated: boolean;
  items: FilterTree[];
}

/** A filter as the builder shows it: groups of typed conditions, and text for what has no typed form. */
export type FilterTree = FilterGroup | { kind: 'chip'; chip: ColumnChip } | { kind: 'sql'; sql: string };

/** The tree that says the same as a filter's text; null when the text cannot be read. */
export function treeOfSql(
  text: string,
  columns: readonly Pick<ColumnInfo, 'name' | 'type' | 'role'>[],
): FilterTree | null {
  try {
    return treeOfExpr(parseFilter(text), chipReader(columns));
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function treeOfExpr(expr: FilterExpr, chipOf: (expr: FilterExpr) => ColumnChip | null): FilterTree {
  const chip = chipOf(expr);
  if (chip) return { kind: 'chip', chip };
  const inner = expr.kind === 'not' ? expr.item : expr;
  if (inner.kind !== 'and' && inner.kind !== 'or') return { kind: 'sql', sql: formatFilter(expr) };
  return {
    kind: 'group',
    mode: inner.kind === 'and' ? 'all' : 'any',
    isNegated: expr.kind === 'not',
    items: inner.items.map((item) => treeOfExpr(item, chipOf)),
  };
}

/** The filter's text; undefined while a condition lacks its values, or a group its conditions. */
export function treeToSql(tree: FilterTree): string | undefined {
  if (tree.kind === 'chip') return isComplete(tree.chip) ? chipToSql(tree.chip) : undefined;
  if (tree.kind === 'sql') return tree.sql.trim() || undefined;
  const parts = tree.items.map((item) => {
    const sql = treeToSql(item);
    return sql === undefined || item.kind === 'chip' || (item.kind === 'group' && item.isNegated)
      ? sql
      : `(${sql})`;
  });
  if (parts.length === 0 || parts.includes(undefined)) return undefined;
  const joined = parts.join(tree.mode === 'all' ? ' and ' : ' or ');
  return tree.isNegated ? `not (${joined})` : joined;
}

/** The tree in words: `category is tools or taken is null`. */
export function formatTree(tree: FilterTree): string {
  if (tree.kind === 'chip') return formatChip(tree.chip);
  if (tree.kind === 'sql') return tree.sql;
  const words = tree.items
    .map((item) => (item.kind === 'group' && !item.isNegated ? `(${formatTree(item)})` : formatTree(item)))
    .join(tree.mode === 'all' ? ' and ' : ' or ');
  return tree.isNegated ? `not (${words})` : words;
}

/** True when every condition in it has a typed form. */
export const isTyped = (tree: FilterTree): boolean =>
  tree.kind === 'chip' || (tree.kind === 'group' && tree.items.every(isTyped));
