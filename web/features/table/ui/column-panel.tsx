import { ListFilter, X } from 'lucide-react';
import type { ColumnProfile } from '#shared/api/tables.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { filterToSql } from '#shared/domain/filter.ts';
import type { Condition } from '../../../state/table-view.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { Badge, Button, ErrorNote, IconButton, Skeleton, Spacer, Tooltip } from '../../../ui/index.ts';
import { openFilter, useColumnProfile } from '../../filter/index.ts';
import { gridColumnsOf, TypeGlyph } from '../../grid/index.ts';
import styles from './table.module.css';

export interface ColumnPanelProps {
  table: string;
  pinnedRef: string;
  column: ColumnInfo | undefined;
  conditions: readonly Condition[];
  onFilter: (condition: Condition) => void;
  onClose: () => void;
}

/** One column: what it is, what it holds, how its values are spread; a click on a value filters by it. */
export function ColumnPanel({ table, pinnedRef, column, onFilter, onClose }: ColumnPanelProps) {
  const profile = useColumnProfile(table, pinnedRef, column?.name ?? null);
  if (!column) return null;
  const [shown] = gridColumnsOf([column]);
  return (
    <aside className={styles.panel} aria-label="Column">
      <header className={styles.panelHead}>
        {shown && <TypeGlyph column={shown} size={15} />}
        {column.name}
        <Spacer />
        <IconButton
          label={`Filter by ${column.name}`}
          icon={<ListFilter />}
          onClick={() => openFilter({ column: column.name })}
        />
        <IconButton label="Close" icon={<X />} onClick={onClose} />
      </header>
      <div className={styles.panelBody}>
        <Badge>{column.type}</Badge> <Badge>{column.role}</Badge>{' '}
        {column.index && <Badge tone="accent">{column.index} index</Badge>}
        {column.description && <p style={{ marginTop: 12 }}>{column.description}</p>}
        <ErrorNote
          error={profile.error}
          title="The column cannot be summed up."
          onRetry={() => void profile.refetch()}
        />
        {profile.isLoading && <Skeleton height={160} className={styles.scope} />}
        {profile.data && <Profile profile={profile.data} column={column} onFilter={onFilter} />}
      </div>
    </aside>
  );
}

const show = (value: unknown): string => {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number')
    return Number.isInteger(value) ? formatCount(value) : String(Number(value.toPrecision(6)));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

function Profile({
  profile,
  column,
  onFilter,
}: {
  profile: ColumnProfile;
  column: ColumnInfo;
  onFilter: (condition: Condition) => void;
}) {
  const filterBy = (chip: Parameters<typeof filterToSql>[0][number]) => {
    const sql = filterToSql([chip]);
    if (sql) onFilter({ sql });
  };
  const most = Math.max(1, ...(profile.top ?? []).map((one) => one.rows));
  const tallest = Math.max(1, ...(profile.histogram ?? []).map((one) => one.rows));
  const canFilter = /^(large_)?utf8|^u?int|^float|^bool/.test(column.type);
  return (
    <>
      <dl className={styles.facts}>
        <dt>Nulls</dt>
        <dd>{show(profile.nulls)}</dd>
        {profile.distinct !== null && (
          <>
            <dt>Distinct values</dt>
            <dd>{`${profile.isDistinctExact ? '' : 'about '}${show(profile.distinct)}`}</dd>
          </>
        )}
        {profile.min !== null && profile.min !== undefined && (
          <>
            <dt>Least</dt>
            <dd>{show(profile.min)}</dd>
            <dt>Most</dt>
            <dd>{show(profile.max)}</dd>
          </>
        )}
        {profile.mean !== null && (
          <>
            <dt>Mean</dt>
            <dd>{show(profile.mean)}</dd>
          </>
        )}
        {profile.quantiles?.[2] !== undefined && (
          <>
            <dt>Median</dt>
            <dd>{show(profile.quantiles[2])}</dd>
          </>
        )}
      </dl>
      {profile.histogram && profile.histogram.length > 0 && (
        <>
          <div className={styles.histogram}>
            {profile.histogram.map((bin) => (
              <Tooltip
                key={bin.from}
                side="top"
                text={`${show(bin.from)} to ${show(bin.to)}: ${formatCount(bin.rows)}`}
              >
                <button
                  type="button"
                  aria-label={`Filter by ${show(bin.from)} to ${show(bin.to)}, ${bin.rows} rows`}
                  style={{ height: `${(100 * bin.rows) / tallest}%` }}
                  onClick={() =>
                    canFilter && filterBy({ column: column.name, op: 'between', values: [bin.from, bin.to] })
                  }
                />
              </Tooltip>
            ))}
          </div>
          <div className={styles.ends}>
            <span>{show(profile.histogram[0]?.from)}</span>
            <span>{show(profile.histogram.at(-1)?.to)}</span>
          </div>
        </>
      )}
      {profile.top && profile.top.length > 0 && (
        <ul className={styles.bars} aria-label="Most frequent values">
          {profile.top.map((one) => (
            <li key={JSON.stringify(one.value)}>
              <button
                type="button"
                className={styles.bar}
                onClick={() =>
                  one.value === null
                    ? filterBy({ column: column.name, op: 'isNull', values: [] })
                    : canFilter && filterBy({ column: column.name, op: 'eq', values: [one.value as string] })
                }
              >
                <span className={styles.barFill} style={{ width: `${(100 * one.rows) / most}%` }} />
                <span className={styles.barText}>{one.value === '' ? '“”' : show(one.value)}</span>
                <span className={styles.barCount}>{formatCount(one.rows)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.scope}>Covers {profile.scope}.</p>
      {profile.nulls > 0 && (
        <Button size="s" onClick={() => filterBy({ column: column.name, op: 'isNull', values: [] })}>
          Show the rows where it is null
        </Button>
      )}
    </>
  );
}
