import { formatOf } from '../../../ui/format-quantity.ts';
import styles from './side.module.css';

const shownRows = 5;
const shownColumns = 4;

export interface SampleRowsProps {
  rows: readonly Record<string, unknown>[];
  /** Failing rows in all; null: not counted. */
  total: number | null;
}

/** The first failing rows, in short. */
export function SampleRows({ rows, total }: SampleRowsProps) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !name.startsWith('_'));
  const shown = names.slice(0, shownColumns);
  const few = rows.slice(0, shownRows);
  return (
    <figure className={styles.sample}>
      <table>
        <thead>
          <tr>
            {shown.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {few.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one answer, in its order
            <tr key={at}>
              {shown.map((name) => (
                <td key={name}>{formatCell(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption>
        {few.length} of {formatOf(total ?? rows.length, 'failing row')}
        {names.length > shown.length && `, ${shown.length} of ${formatOf(names.length, 'column')}`}
      </figcaption>
    </figure>
  );
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
