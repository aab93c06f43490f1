import { isAppError } from '#shared/api/problem.ts';
import type { CheckResult } from '#shared/api/review-parts.ts';
import type { Check } from '#shared/domain/checks.ts';
import { previewCell } from '#shared/domain/preview-cell.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import { compileFilter } from '#shared/sql/filter.ts';
import { formatKeyFilter } from '#shared/sql/key-filter.ts';
import { readRowsAsJson } from '../../arrow/rows-as-json.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Pinned, TableFacts } from '../../ports/table-reader.ts';
import { type JsonRow, keyColumnsOf, keyOfRow } from './read-rows-by-key.ts';
import type { ReviewPorts } from './review-ports.ts';
import { type CheckRelations, runCheckSql } from './run-check-sql.ts';

const shownRows = 20;
export const keptKeys = 1000;
const shownColumns = 12;

/** The rows that a check is run on. */
export interface CheckSubject {
  pinned: Pinned;
  facts: TableFacts;
  relations: CheckRelations;
  /** `all 218 rows of the merge`. */
  scope: string;
}

export interface CheckPlace {
  subject: CheckSubject;
  /** Where the same is counted, to see what the merge brings; null where there is nothing to compare with. */
  before: CheckSubject | null;
  /** Refs that people can open; failing rows are shown at the one that has most of them. */
  openRefs: readonly PinnedRef[];
}

interface Found {
  failing: number;
  rows: JsonRow[];
  keys: RowKey[];
}

type RunPorts = Pick<ReviewPorts, 'reader' | 'store' | 'sql'>;

/** Runs one check. What is wrong with the check itself is its result, not an error. */
export async function runCheck(
  ports: RunPorts,
  check: Check,
  { subject, before, openRefs }: CheckPlace,
  context: CallContext,
): Promise<CheckResult> {
  const startedAt = performance.now();
  const facts = { name: check.name, severity: check.severity, scope: subject.scope };
  const nothing = { failingBefore: null, sample: [], keys: [], open: null, problem: null };
  try {
    const found = await findFailing(ports, check, subject, context);
    const failingBefore =
      found.failing > 0 && before ? await countBefore(ports, check, before, context) : null;
    return {
      ...nothing,
      ...facts,
      outcome: found.failing === 0 ? 'passed' : 'failed',
      failing: found.failing,
      failingBefore,
      sample: found.rows.slice(0, shownRows).map(previewRow),
      keys: found.keys,
      open: await openKeys(ports, { subject, openRefs, found }, context),
      elapsedMs: performance.now() - startedAt,
    };
  } catch (error) {
    if (!isAppError(error) || context.signal.aborted) throw error;
    const { code, message: detail, hint, at } = error;
    return {
      ...nothing,
      ...facts,
      outcome: 'error',
      failing: null,
      problem: { code, detail, ...(hint === undefined ? {} : { hint }), ...(at === undefined ? {} : { at }) },
      elapsedMs: performance.now() - startedAt,
    };
  }
}

const previewRow = (row: JsonRow): JsonRow =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, previewCell(cell).preview]));

interface OpenInput {
  subject: CheckSubject;
  openRefs: readonly PinnedRef[];
  found: Found;
}

/** The rows of a merge are on one side or the other: what is not on the side that is opened is told. */
async function openKeys(
  ports: RunPorts,
  { subject, openRefs, found: { failing, keys } }: OpenInput,
  context: CallContext,
): Promise<CheckResult['open']> {
  const where = formatKeyFilter(keyColumnsOf(subject.facts), keys);
  if (where === null) return null;
  const { table } = subject.pinned;
  let best: { ref: PinnedRef; rows: number } | null = null;
  for (const ref of openRefs) {
    const { columns } = await ports.reader.describe({ table, ref }, context);
    const filter = compileFilter({ text: where, columns }).lance;
    const { rows } = await ports.reader.count({ table, ref, where: filter }, context);
    if (!best || rows > best.rows) best = { ref, rows };
    if (rows === keys.length) break;
  }
  return best && { ref: formatRef(best.ref), where, covers: coverText(best.rows, keys.length, failing) };
}

const grouped = (count: number): string => count.toLocaleString('en');

function coverText(rows: number, keys: number, failing: number): string {
  const first = keys < failing ? `the first ${grouped(keys)} of ${grouped(failing)} failing rows` : null;
  if (rows < keys) return `${grouped(rows)} of ${first ?? `the ${grouped(keys)} failing rows`}`;
  if (first) return first;
  return keys === 1 ? 'the failing row' : `all ${grouped(keys)} failing rows`;
}

async function countBefore(
  ports: RunPorts,
  check: Check,
  subject: CheckSubject,
  context: CallContext,
): Promise<number | null> {
  try {
    if (check.sql !== undefined) return (await findBySql(ports, check.sql, subject, context)).failing;
    const { where } = compileFailing(check.where ?? 'true', subject.facts);
    return (await ports.reader.count({ ...subject.pinned, where }, context)).rows;
  } catch (error) {
    // The branch may have brought the column that the check reads.
    if (!isAppError(error) || context.signal.aborted) throw error;
    return null;
  }
}

const findFailing = (
  ports: RunPorts,
  { where, sql }: Check,
  subject: CheckSubject,
  context: CallContext,
): Promise<Found> =>
  sql === undefined
    ? findByFilter(ports, where ?? 'true', subject, context)
    : findBySql(ports, sql, subject, context);

/** The rows that an expectation does not hold for; those of which it is unknown pass, as with SQL's CHECK. */
function compileFailing(text: string, { columns }: TableFacts): { where: string; reads: string[] } {
  const { columns: reads } = compileFilter({ text, columns });
  return { where: compileFilter({ text: `NOT (${text}\n)`, columns }).lance, reads };
}

async function findByFilter(
  { reader }: RunPorts,
  text: string,
  { pinned, facts }: CheckSubject,
  context: CallContext,
): Promise<Found> {
  const { where, reads } = compileFailing(text, facts);
  const { rows: failing } = await reader.count({ ...pinned, where }, context);
  if (failing === 0) return { failing, rows: [], keys: [] };
  const read = async (columns: string[], limit: number): Promise<JsonRow[]> => {
    const stream = await reader.rows({ ...pinned, columns, where, limit }, context);
    const { rows } = await readRowsAsJson(stream.chunks, context.signal);
    return rows.map(({ _rowid: _, ...row }) => row);
  };
  const shown = [...new Set([...facts.key, ...reads.filter((name) => !name.startsWith('_row'))])];
  const rows = await read(shown.slice(0, Math.max(shownColumns, facts.key.length)), shownRows);
  const keys = facts.key.length === 0 ? [] : await read(facts.key, keptKeys);
  return { failing, rows, keys: keys.map((row) => keyOfRow(facts.key, row)) };
}

async function findBySql(
  ports: RunPorts,
  sql: string,
  { facts, relations }: CheckSubject,
  context: CallContext,
): Promise<Found> {
  const { rows, total } = await runCheckSql(ports, { sql, relations, maxRows: keptKeys }, context);
  const hasKey = facts.key.length > 0 && rows.every((row) => facts.key.every((name) => name in row));
  return {
    failing: total,
    rows: rows.slice(0, shownRows),
    keys: hasKey ? rows.map((row) => keyOfRow(facts.key, row)) : [],
  };
}
