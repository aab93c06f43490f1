import type { CheckResult, CheckRun } from '#shared/api/review-parts.ts';
import type { Check, CheckList } from '#shared/domain/checks.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';

export type CheckState = 'passed' | 'failed' | 'error' | 'not-run';

/** One check of the table with what its last run found. */
export interface CheckRow {
  name: string;
  /** Missing where the check was taken away after the run. */
  check: Check | null;
  result: CheckResult | null;
  state: CheckState;
  isRequired: boolean;
}

/** The checks in the table's order, with their results; then results of checks that are gone. */
export function listCheckRows(checks: CheckList, run: CheckRun | null): CheckRow[] {
  const results = new Map(run?.results.map((result) => [result.name, result]));
  const rows = checks.map((check): CheckRow => {
    const result = results.get(check.name) ?? null;
    results.delete(check.name);
    return {
      name: check.name,
      check,
      result,
      state: result?.outcome ?? 'not-run',
      isRequired: check.severity === 'required',
    };
  });
  const gone = [...results.values()].map(
    (result): CheckRow => ({
      name: result.name,
      check: null,
      result,
      state: result.outcome,
      isRequired: result.severity === 'required',
    }),
  );
  return [...rows, ...gone];
}

/** What a result says in a line: `4 rows fail`, `4 rows fail, 1 of them new`, `passes`. */
export function describeResult(row: CheckRow): string {
  const { state, result } = row;
  switch (state) {
    case 'not-run':
      return 'not run yet';
    case 'error':
      return 'could not be run';
    case 'passed':
      return 'passes';
    case 'failed':
      return describeFailing(result);
  }
}

function describeFailing(result: CheckResult | null): string {
  if (!result || result.failing === null) return 'fails';
  const failing = `${formatOf(result.failing, 'row')} ${result.failing === 1 ? 'fails' : 'fail'}`;
  if (result.failingBefore === null) return failing;
  const more = result.failing - result.failingBefore;
  if (more > 0) return `${failing}, ${formatCount(more)} more than before`;
  if (more < 0) return `${failing}, ${formatCount(-more)} fewer than before`;
  return `${failing}, as many as before`;
}

/** All checks in a line: `3 of 4 pass`. */
export function describeChecks(rows: readonly CheckRow[]): string {
  if (rows.length === 0) return 'none';
  const passed = rows.filter(({ state }) => state === 'passed').length;
  if (rows.every(({ state }) => state === 'not-run')) return `${formatOf(rows.length, 'check')}, not run yet`;
  return passed === rows.length
    ? rows.length === 1
      ? 'passes'
      : `all ${formatCount(rows.length)} pass`
    : `${formatCount(passed)} of ${formatCount(rows.length)} pass`;
}

/** Checks to begin with; `T` stands for the table's name where a statement needs it. */
export const checkExamples = (table: string): Check[] => [
  {
    name: 'no empty label',
    description: 'Every row has a label.',
    where: 'label IS NOT NULL',
    severity: 'required',
  },
  {
    name: 'boxes inside the image',
    description: 'No box reaches over the border of its picture.',
    where: 'x >= 0 AND y >= 0 AND x + w <= width AND y + h <= height',
    severity: 'required',
  },
  {
    name: 'no source in two splits',
    description: 'Training and validation share no source.',
    sql: `SELECT * FROM "${table}" WHERE source_id IN (\n  SELECT source_id FROM "${table}" GROUP BY source_id HAVING count(DISTINCT split) > 1\n)`,
    severity: 'required',
  },
  {
    name: 'classes as on main',
    description: 'The share of each label stays within 2 points of main.',
    sql: `WITH now AS (SELECT label, count(*) * 100.0 / sum(count(*)) OVER () AS share FROM "${table}" GROUP BY label),\n  before AS (SELECT label, count(*) * 100.0 / sum(count(*)) OVER () AS share FROM "${table}@main" GROUP BY label)\nSELECT label, before.share AS was, now.share AS is_now\nFROM now FULL JOIN before USING (label)\nWHERE abs(coalesce(now.share, 0) - coalesce(before.share, 0)) > 2`,
    severity: 'warning',
  },
];
