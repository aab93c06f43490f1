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
  const kinds = Number(rows[0]?.kinds ?? 0);
  const drawn = rows.reduce((sum, { n }) => sum + Number(n ?? 0), 0);
  const share =
    drawn === range.rows
      ? `all ${formatOf(range.rows, 'row')}`
      : `${formatCount(drawn)} of ${formatOf(range.rows, 'row')}`;
  const values = (most: number, which: string): string =>
    kinds > most ? `the ${most} ${which} of ${formatCount(kinds)} values` : `all ${formatOf(kinds, 'value')}`;
  switch (choice.kind) {
    case 'scatter': {
      const isSample = rows.length >= mostPoints && range.rows > mostPoints;
      if (isSample) return [`a sample of ${formatCount(rows.length)} of ${formatOf(range.rows, 'point')}`];
      return rows.length === range.rows
        ? [`all ${formatOf(rows.length, 'point')}`]
        : [`${formatCount(rows.length)} of ${formatOf(range.rows, 'row')}, those with both values`];
    }
    case 'bar':
      return [values(mostBars, 'greatest'), share];
    case 'box':
      return [values(rows.length, 'most frequent'), share];
    case 'heat':
      return drawn === range.rows ? [share, 'exact'] : [`${share}, those with frequent values`];
    default:
      return drawn === range.rows ? [share, 'exact'] : [`${share}, those with a value`, 'exact'];
  }
}
