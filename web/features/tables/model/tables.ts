import type { BranchInfo, TableSummary } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { commitsAhead } from '../../branches/index.ts';

export type TableOrder = 'changed' | 'name' | 'rows' | 'size';
export type TableLook = 'cards' | 'list';

const compare: Record<TableOrder, (a: TableSummary, b: TableSummary) => number> = {
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
  name: () => 0,
  rows: (a, b) => b.rows - a.rows,
  size: (a, b) => b.bytes - a.bytes,
};

/** The tables whose name or description has every word of the text, in order; names settle a tie. */
export function planTables(
  tables: readonly TableSummary[],
  { text, order }: { text: string; order: TableOrder },
): TableSummary[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return tables
    .filter(({ name, description }) =>
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
    )
    .sort((a, b) => compare[order](a, b) || a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** The branches on which somebody works: those with commits of their own first, then by their last change. */
export const workBranches = ({ branches }: Pick<TableSummary, 'branches'>): BranchInfo[] =>
  branches
    .filter(({ name }) => name !== mainBranch)
    .sort(
      (a, b) =>
        Number(commitsAhead(b) > 0) - Number(commitsAhead(a) > 0) || b.updatedAt.localeCompare(a.updatedAt),
    );
