import type { SqlPlan } from '#shared/api/sql.ts';

/** One step of a plan that ran, as DuckDB measured it. */
export interface PlanStep {
  /** In words: `Read wonders`, `Group by category`. */
  title: string;
  /** DuckDB's own name. */
  operator: string;
  details: { name: string; values: string[] }[];
  rows: number;
  estimatedRows: number | null;
  /** Of the table, where it reads one. */
  scannedRows: number;
  ms: number;
  /** Of the time of all steps. */
  share: number;
  children: PlanStep[];
}

export interface PlanTree {
  /** From the start to the end, as DuckDB measured it. */
  elapsedMs: number;
  peakBytes: number;
  steps: PlanStep[];
}

interface RawNode {
  operator_type?: string;
  operator_name?: string;
  operator_timing?: number;
  operator_cardinality?: number;
  operator_rows_scanned?: number;
  extra_info?: Record<string, string | string[]>;
  children?: RawNode[];
}

interface RawPlan extends RawNode {
  latency?: number;
  system_peak_buffer_memory?: number;
}

const listOf = (value: string | string[] | undefined): string[] =>
  value === undefined || value === '' ? [] : Array.isArray(value) ? value : value.split('\n').filter(Boolean);

/** Steps that only pack values for the next one say nothing to a reader. */
const isPacking = ({ operator_type, extra_info }: RawNode): boolean => {
  if (operator_type !== 'PROJECTION') return false;
  const values = listOf(extra_info?.Projections);
  return (
    values.length > 0 && values.every((value) => value.startsWith('__internal_') || /^#\d+$/.test(value))
  );
};

const hiddenDetails = new Set(['Estimated Cardinality', 'Table', 'Type']);

/** The table that a scan reads, by the columns that it takes. */
function tableOf(node: RawNode, tables: SqlPlan['tables']): string {
  const wanted = listOf(node.extra_info?.Projections);
  const fits = tables.filter(({ columns }) => wanted.every((name) => columns.includes(name)));
  const names = (fits.length > 0 ? fits : tables).map(({ name }) => name);
  return names.length === 0 ? 'rows' : names.join(' or ');
}

const short = (values: readonly string[]): string => {
  const text = values.join(', ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/** `#0` is the first value of the step below; what that packs is not worth a word. */
function sourceOf(name: string, node: RawNode): string {
  const place = /^#(\d+)$/.exec(name)?.[1];
  if (place === undefined) return name;
  const [child] = node.children ?? [];
  const value = listOf(child?.extra_info?.Projections)[Number(place)] ?? '';
  const packed = /^__internal_\w+\((#\d+)/.exec(value)?.[1] ?? value;
  return child && value !== '' ? sourceOf(packed, child) : '';
}

const words = (operator: string): string => {
  const text = operator.toLowerCase().replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

function titleOf(node: RawNode, tables: SqlPlan['tables']): string {
  const operator = node.operator_type ?? node.operator_name ?? '';
  const info = (name: string) => listOf(node.extra_info?.[name]);
  switch (operator) {
    case 'TABLE_SCAN':
    case 'SEQ_SCAN':
      return `Read ${tableOf(node, tables)}`;
    case 'HASH_GROUP_BY':
    case 'PERFECT_HASH_GROUP_BY':
    case 'STREAMING_GROUP_BY':
    case 'PARTITIONED_AGGREGATE': {
      const groups = info('Groups')
        .map((name) => sourceOf(name, node))
        .filter((name) => name !== '');
      return groups.length > 0 ? `Group by ${short(groups)}` : 'Group';
    }
    case 'UNGROUPED_AGGREGATE':
      return `Compute ${short(info('Aggregates')) || 'one row'}`;
    case 'FILTER':
      return 'Keep rows that match';
    case 'PROJECTION':
      return 'Compute columns';
    case 'ORDER_BY':
      return `Sort by ${short(info('Order By'))}`;
    case 'TOP_N':
      return `First ${info('Top')[0] ?? ''} by ${short(info('Order By'))}`;
    case 'LIMIT':
    case 'STREAMING_LIMIT':
      return 'First rows';
    case 'HASH_JOIN':
    case 'NESTED_LOOP_JOIN':
    case 'PIECEWISE_MERGE_JOIN':
    case 'IE_JOIN':
    case 'ASOF_JOIN':
    case 'CROSS_PRODUCT':
      return `Join${info('Conditions').length > 0 ? ` on ${short(info('Conditions'))}` : ''}`;
    case 'POSITIONAL_SCAN':
    case 'POSITIONAL_JOIN':
      return 'Put columns side by side';
    case 'WINDOW':
    case 'STREAMING_WINDOW':
      return 'Window functions';
    case 'UNION':
      return 'Put one after the other';
    case 'CTE':
    case 'CTE_SCAN':
      return `${operator === 'CTE' ? 'Keep' : 'Read'} ${info('CTE Name')[0] ?? 'a part'}`;
    default:
      return words(operator);
  }
}

function readNode(node: RawNode, tables: SqlPlan['tables']): PlanStep[] {
  const operator = node.operator_type ?? node.operator_name ?? '';
  const children = (node.children ?? []).flatMap((child) => readNode(child, tables));
  if (operator === 'EXPLAIN_ANALYZE' || operator === 'RESULT_COLLECTOR' || isPacking(node)) return children;
  const estimated = Number(listOf(node.extra_info?.['Estimated Cardinality'])[0] ?? Number.NaN);
  return [
    {
      title: titleOf(node, tables),
      operator,
      details: Object.entries(node.extra_info ?? {})
        .filter(([name]) => !hiddenDetails.has(name))
        .map(([name, value]) => ({ name, values: listOf(value) }))
        .filter(({ values }) => values.length > 0),
      rows: node.operator_cardinality ?? 0,
      estimatedRows: Number.isFinite(estimated) ? estimated : null,
      scannedRows: node.operator_rows_scanned ?? 0,
      ms: (node.operator_timing ?? 0) * 1000,
      share: 0,
      children,
    },
  ];
}

const totalMs = (steps: readonly PlanStep[]): number =>
  steps.reduce((sum, { ms, children }) => sum + ms + totalMs(children), 0);

const withShares = (steps: readonly PlanStep[], total: number): PlanStep[] =>
  steps.map((step) => ({
    ...step,
    share: total === 0 ? 0 : step.ms / total,
    children: withShares(step.children, total),
  }));

/** Reads what `EXPLAIN (ANALYZE, FORMAT json)` answers; throws where it is no such answer. */
export function parsePlanTree(text: string, tables: SqlPlan['tables']): PlanTree {
  const raw = JSON.parse(text) as RawPlan;
  const steps = (raw.children ?? []).flatMap((child) => readNode(child, tables));
  return {
    elapsedMs: (raw.latency ?? 0) * 1000,
    peakBytes: raw.system_peak_buffer_memory ?? 0,
    steps: withShares(steps, totalMs(steps)),
  };
}
