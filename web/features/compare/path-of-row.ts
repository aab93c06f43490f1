import type { DiffSummary } from '#shared/api/edits.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { tablePath } from '../../state/addresses.ts';
import type { Change } from './model/change.ts';
import type { Comparison } from './queries.ts';

/** Where the row of a change can be looked at: where it still is. */
export function pathOfRow(
  { comparison, summary }: { comparison: Comparison; summary: DiffSummary },
  { rowIds }: Change,
): string {
  const past = summary.base && rowIds.base !== null ? formatRef(summary.base) : comparison.into;
  const row = rowIds.from ?? (summary.base ? (rowIds.base ?? rowIds.into) : rowIds.into);
  return tablePath(comparison.table, {
    ref: rowIds.from === null ? past : comparison.from,
    ...(row === null ? {} : { row }),
  });
}
