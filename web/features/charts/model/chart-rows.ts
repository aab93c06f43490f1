import type { ArrowRows } from '../../../api/index.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { type ChartRange, mostBars, mostPoints } from './build-chart-sql.ts';
import type { ChartRow } from './build-spec.ts';
import type { ChartChoice } from './chart-choice.ts';

/** Rows of a small result as Vega takes them: numbers and texts. */
export function chartRowsOf({ table }: ArrowRows): ChartRow[] {
  const names = table.schema.fields.map(({ name }) => name);
  return Array.from({ length: table.numRows }, (_none, row) =>
    Object.fromEntries(names.map((name) => [name, plain(table.getChild(name).at(row))])),
  );
}

const plain = (value: unknown): string | number | null => {
  if (value === null || value === undefined) return null;
  return typeof value === 'bigint' ? Number(value) : (value as string | number);
};

export function readRange(rows: ArrowRows): ChartRange {
  const [row = {}] = chartRowsOf(rows);
  const ends = (name: string) => {
    const least = row[`${name}_least`];
    const most = row[`${name}_most`];
    return typeof least === 'number' && typeof most === 'number' ? { least, most } : null;
  };
  return { rows: Number(row.n ?? 0), x: ends('x'), y: ends('y') };
}

/** What is drawn of how much. */
export function describeDrawn(choice: ChartChoice, rows: readonly ChartRow[], range: ChartRange): string[] {
  const all = formatOf(range.rows, 'row');
  const kinds = Number(rows[0]?.kinds ?? 0);
  switch (choice.kind) {
    case 'scatter': {
      const isSample = rows.length >= mostPoints && range.rows > mostPoints;
      return isSample
        ? [`a sample of ${formatCount(rows.length)} of ${formatOf(range.rows, 'point')}`]
        : [`all ${formatOf(rows.length, 'point')}`];
    }
    case 'bar':
      return [
        kinds > mostBars
          ? `the ${mostBars} greatest of ${formatCount(kinds)} values`
          : `all ${formatOf(kinds, 'value')}`,
        all,
      ];
    case 'box':
      return [
        kinds > rows.length
          ? `the ${rows.length} most frequent of ${formatCount(kinds)} values`
          : `all ${formatOf(kinds, 'value')}`,
        all,
      ];
    default:
      return [`all ${all}`, 'exact'];
  }
}
