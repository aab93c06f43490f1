/** A node of the physical plan as `EXPLAIN (FORMAT json)` writes it. */
export interface PlanNode {
  name: string;
  children?: PlanNode[];
  extra_info?: Record<string, string | string[]>;
}

/** What the plan takes from one scan. */
export interface ScanNeeds {
  /** Which relation, by its number. */
  relation: number;
  /** Columns by their number. */
  columns: number[];
}

/** Names that the planner gives to the relations' scans and their columns, so that a plan can be read without guessing. */
export const scanName = (relation: number): string => `curio_scan_${relation}`;
export const columnName = (column: number): string => `c${column}`;
/** Stands first in every scan: DuckDB asks for the first column when it needs rows only. */
export const noColumn = 'none';

const listOf = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Every scan of a relation in the plan. */
export function scansOf(plan: readonly PlanNode[]): ScanNeeds[] {
  const scans: ScanNeeds[] = [];
  const open = [...plan];
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...(node.children ?? []));
    const relation = /^CURIO_SCAN_(\d+)$/i.exec(String(node.extra_info?.Function ?? ''))?.[1];
    if (relation === undefined) continue;
    const columns = listOf(node.extra_info?.Projections).flatMap((name) => {
      const column = /^c(\d+)(?:\.|$)/.exec(name)?.[1];
      return column === undefined ? [] : [Number(column)];
    });
    scans.push({ relation: Number(relation), columns: [...new Set(columns)].sort((a, b) => a - b) });
  }
  return scans;
}

const passThrough = new Set(['PROJECTION', 'STREAMING_LIMIT', 'LIMIT']);

/**
 * What stands above a plan's only scan where its first rows are the result: nothing but projections (`all`), or one
 * limit among them (`limited`); `null` where anything else does.
 */
export function prefixOfScan(plan: readonly PlanNode[]): 'all' | 'limited' | null {
  let limits = 0;
  let level: readonly PlanNode[] = plan;
  for (;;) {
    const [node, other] = level;
    if (!node || other) return null;
    if (/^CURIO_SCAN_\d+$/i.test(node.name)) return limits === 0 ? 'all' : limits === 1 ? 'limited' : null;
    if (!passThrough.has(node.name)) return null;
    if (node.name !== 'PROJECTION') limits += 1;
    level = node.children ?? [];
  }
}
