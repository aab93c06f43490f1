import { useMemo } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { callArrow } from '../../../api/index.ts';
import { type Condition, whereOf } from '../../../state/table-view.ts';
import { ErrorNote, Skeleton } from '../../../ui/index.ts';
import type { ChartRelation } from '../model/build-chart-sql.ts';
import { chartColumnsOf } from '../model/chart-columns.ts';
import { ChartPanel } from './chart-panel.tsx';

export interface TableChartProps {
  table: string;
  detail: TableDetail | undefined;
  conditions: readonly Condition[];
  /** The selected rows as a filter: the chart is of them alone. */
  selected?: string | undefined;
  chart: string | null;
  onChart: (chart: string) => void;
  onConditions: (conditions: Condition[]) => void;
}

/** A chart of a table’s rows: those that the filter keeps, or the selected ones of them. */
export function TableChart({ detail, ...props }: TableChartProps) {
  return detail ? <Chart detail={detail} {...props} /> : <Skeleton height={320} />;
}

function Chart({
  table,
  detail,
  conditions,
  selected,
  chart,
  onChart,
  onConditions,
}: TableChartProps & { detail: TableDetail }) {
  const ref = formatRef(detail.ref);
  const columns = useMemo(() => chartColumnsOf(detail.columns), [detail]);
  const text = whereOf([...conditions, ...(selected === undefined ? [] : [{ sql: selected }])]);
  const compiled = useMemo(() => compileWhere(text, detail), [text, detail]);
  if (compiled.error)
    return <ErrorNote isWhole error={compiled.error} title="The filter cannot be used here." />;
  const relation: ChartRelation = { from: quoteIdent(table), where: compiled.where, columns };
  return (
    <ChartPanel
      sourceKey={`${table}@${ref}`}
      relation={relation}
      query={(sql, signal) =>
        callArrow('runSql', { body: { sql, refs: { [table]: ref } }, query: {}, signal })
      }
      chart={chart}
      onChart={onChart}
      onFilter={(found) => onConditions([...conditions, ...found.map((sql) => ({ sql }))])}
    />
  );
}

function compileWhere(
  text: string | undefined,
  { columns }: TableDetail,
): { where: string | undefined; error: unknown } {
  if (text === undefined) return { where: undefined, error: null };
  try {
    return { where: compileFilter({ text, columns }).duckdb, error: null };
  } catch (error) {
    return { where: undefined, error };
  }
}
