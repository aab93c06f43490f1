import { ListFilterPlus } from 'lucide-react';
import type { FacetsAnswer } from '#shared/api/facets.ts';
import type { ColumnDifference, ValueDifference } from '#shared/domain/facets/differences.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { EmptyState, IconButton } from '../../../ui/index.ts';
import type { LinkedFacets } from '../../facets/index.ts';
import { compareRows } from '../model/compare-rows.ts';
import { formatFigure, formatStrength } from '../model/format-figure.ts';
import styles from './profile.module.css';

/** What is different about the selected or filtered rows: columns by effect, values with their shares and counts. */
export function DifferencesView({ answer, linked }: { answer: FacetsAnswer; linked: LinkedFacets }) {
  const found = compareRows(answer);
  if (!found)
    return (
      <EmptyState title="Which rows?">
        Filter the table, brush a column or select rows: here stands what is different about them.
      </EmptyState>
    );
  const who = found.these === 'selected' ? 'selected' : 'filtered';
  return (
    <div className={styles.differences}>
      <p className={styles.intro}>
        {formatOf(found.theseRows, `${who} row`)} against the {formatCount(found.restRows)} others
        {answer.isSample
          ? `, in a sample of ${formatCount(answer.counted)} of ${formatOf(answer.rows, 'row')}`
          : ', all of them counted'}
        . The greatest difference stands first.
      </p>
      {found.columns.length === 0 && <p>No column tells them apart.</p>}
      <ol>
        {found.columns.map((column) => (
          <Difference key={column.column} difference={column} answer={answer} linked={linked} />
        ))}
      </ol>
    </div>
  );
}

const sizes: readonly [least: number, word: string][] = [
  [0.5, 'very different'],
  [0.3, 'clearly different'],
  [0.1, 'somewhat different'],
  [0, 'nearly alike'],
];

const sizeOf = (effect: number): string => sizes.find(([least]) => effect >= least)?.[1] ?? 'alike';

function Difference({
  difference,
  answer,
  linked,
}: {
  difference: ColumnDifference;
  answer: FacetsAnswer;
  linked: LinkedFacets;
}) {
  const { column, effect, shift, valued, values } = difference;
  const facet = answer.facets.find((one) => one.column === column);
  const isChosenBy = facet !== undefined && linked.brush(facet) !== null;
  return (
    <li className={styles.difference}>
      <div className={styles.differenceHead}>
        <strong>{column}</strong>
        <span>
          {isChosenBy && 'part of the filter; '}
          {shift === null || Math.abs(shift) < 0.02
            ? sizeOf(effect)
            : `${sizeOf(effect)}: mostly ${shift > 0 ? 'greater' : 'smaller'}`}
        </span>
        {shift !== null && valued.these + valued.rest < answer.counted && (
          <span>
            among {formatCount(valued.these)} and {formatCount(valued.rest)} with a value
          </span>
        )}
        <span className={styles.effect} title={shift === null ? 'Total variation distance' : 'Cliff’s δ'}>
          {formatStrength(shift ?? effect)}
        </span>
      </div>
      <div className={styles.effectBar}>
        <span style={{ width: `${100 * effect}%` }} />
      </div>
      {values.length > 0 && (
        <table className={styles.shares}>
          <tbody>
            {values.map((value) => (
              <ValueRow
                key={String(value.value)}
                difference={value}
                onFilter={
                  facet &&
                  (() =>
                    linked.commit(
                      facet,
                      value.value === null
                        ? { kind: 'values', values: [], isNull: true }
                        : { kind: 'values', values: [value.value] },
                    ))
                }
              />
            ))}
          </tbody>
        </table>
      )}
    </li>
  );
}

const percent = (share: number): string => `${formatFigure(100 * share)} %`;

function ValueRow({
  difference,
  onFilter,
}: {
  difference: ValueDifference;
  onFilter: (() => void) | undefined;
}) {
  const { value, these, rest, shareOfThese, shareOfRest } = difference;
  const text = value === null ? 'null' : value === '' ? 'empty' : String(value);
  const times = shareOfRest === 0 ? null : shareOfThese / shareOfRest;
  return (
    <tr>
      <th scope="row" className={value === null || value === '' ? styles.faint : undefined}>
        {text}
      </th>
      <td>
        {percent(shareOfThese)} <small>{formatCount(these)}</small>
      </td>
      <td>against</td>
      <td>
        {percent(shareOfRest)} <small>{formatCount(rest)}</small>
      </td>
      <td>{times === null ? 'only here' : times === 0 ? 'never here' : `×${formatFigure(times)}`}</td>
      <td>
        {onFilter && (
          <IconButton size="s" label={`Filter by ${text}`} icon={<ListFilterPlus />} onClick={onFilter} />
        )}
      </td>
    </tr>
  );
}
