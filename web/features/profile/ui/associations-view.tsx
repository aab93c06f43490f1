import { useMemo } from 'react';
import type { Associations } from '#shared/api/facets.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { EmptyState, ErrorNote, Skeleton, Tooltip } from '../../../ui/index.ts';
import { formatStrength } from '../model/format-figure.ts';
import { useAssociations } from '../queries.ts';
import styles from './profile.module.css';

export interface AssociationsViewProps {
  table: string;
  refText: string;
  columns: readonly string[];
  conditions: readonly string[];
}

/** Pairs over fewer rows are drawn pale: chance alone makes such numbers large. */
const fewRows = 30;

type Pair = Associations['pairs'][number];

const measureNames: Record<Pair['measure'], string> = {
  spearman: 'Spearman’s ρ',
  cramersV: 'Cramér’s V',
  eta: 'correlation ratio η',
};

/** How far columns go together, as a matrix and as the strongest pairs. */
export function AssociationsView({ table, refText, columns, conditions }: AssociationsViewProps) {
  const { data, error, refetch, isPlaceholderData } = useAssociations({
    table,
    ref: refText,
    columns,
    conditions,
    isEnabled: true,
  });
  const strongest = useMemo(
    () =>
      (data?.pairs ?? [])
        .filter((pair) => pair.value !== null && (pair.rows >= fewRows || (data?.counted ?? 0) < fewRows))
        .sort((a, b) => Math.abs(b.value ?? 0) - Math.abs(a.value ?? 0))
        .slice(0, 12),
    [data],
  );
  if (error)
    return <ErrorNote error={error} title="The columns cannot be compared." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} />;
  if (data.columns.length < 2)
    return (
      <EmptyState title="Nothing to compare">
        Two columns of numbers, times, texts or truths are needed.
      </EmptyState>
    );
  const scope = data.isSample
    ? `a sample of ${formatCount(data.counted)} of ${formatOf(data.rows, 'row')}`
    : conditions.length > 0
      ? `the ${formatOf(data.counted, 'row')} that match`
      : `all ${formatOf(data.counted, 'row')}`;
  return (
    <div className={styles.associations} aria-busy={isPlaceholderData}>
      <p className={styles.intro}>
        Covers {scope}. Numbers and times: Spearman’s ρ, from −1 to 1. Values: Cramér’s V, from 0 to 1. One of
        each: the correlation ratio η. Texts that hardly repeat are compared by their length. Pale: fewer than{' '}
        {fewRows} rows have both.
      </p>
      <div className={styles.matrixRoom}>
        <Matrix columns={data.columns} pairs={data.pairs} />
        <ol className={styles.strongest} aria-label="Strongest pairs">
          {strongest.map((pair) => (
            <li key={`${pair.a}\0${pair.b}`}>
              <strong>{pair.a}</strong> and <strong>{pair.b}</strong>
              <span>
                {measureNames[pair.measure]} {formatStrength(pair.value ?? 0)} · {formatOf(pair.rows, 'row')}
              </span>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function Matrix({ columns, pairs }: { columns: readonly string[]; pairs: readonly Pair[] }) {
  const byNames = useMemo(
    () =>
      new Map(
        pairs.flatMap(
          (pair) =>
            [
              [`${pair.a}\0${pair.b}`, pair],
              [`${pair.b}\0${pair.a}`, pair],
            ] as const,
        ),
      ),
    [pairs],
  );
  return (
    <table className={styles.matrix}>
      <thead>
        <tr>
          <td />
          {columns.map((name) => (
            <th key={name} scope="col">
              <span>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {columns.map((row) => (
          <tr key={row}>
            <th scope="row">{row}</th>
            {columns.map((column) => {
              const pair = byNames.get(`${row}\0${column}`);
              if (!pair) return <td key={column} className={styles.self} />;
              return <Cell key={column} pair={pair} />;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ pair }: { pair: Pair }) {
  const { value, measure, rows, a, b } = pair;
  const strength = Math.abs(value ?? 0);
  const hue = (value ?? 0) < 0 ? 'var(--modified)' : 'var(--accent)';
  return (
    <Tooltip text={`${a} and ${b}: ${measureNames[measure]}, ${formatOf(rows, 'row')}`}>
      <td
        style={{
          background: `color-mix(in oklch, ${hue} ${Math.round(strength * (rows < fewRows ? 12 : 55))}%, var(--surface))`,
        }}
        className={rows < fewRows ? styles.pale : strength > 0.995 ? styles.whole : undefined}
      >
        {value === null ? '–' : formatStrength(value, 2)}
      </td>
    </Tooltip>
  );
}
