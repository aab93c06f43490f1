import type { TableSearch } from '../../../state/table-view.ts';
import type { GridColumn, RowSource } from '../../grid/index.ts';

const scores: Record<string, string> = {
  _score: 'How well the text fits; more is better',
  _distance: 'How far the vectors are apart; less is nearer',
};

/** The columns of a table with those that a search adds, in front. */
export function withScores(
  columns: readonly GridColumn[],
  source: RowSource | null,
  search: TableSearch | null,
): readonly GridColumn[] {
  if (!search || !source) return columns;
  const row = source.rowAt(0);
  const added = Object.entries(scores)
    .filter(([name]) => typeof row?.value(name) === 'number')
    .map(
      ([name, description]): GridColumn => ({
        name,
        description,
        type: 'float32',
        parsed: { kind: 'float32' },
        role: 'number',
        kind: 'number',
        isHidden: false,
        isKey: false,
      }),
    );
  return [...added, ...columns];
}
