import { mergeFacts } from '#shared/domain/schema-diff.ts';
import type { ColumnDispute } from './comparison.ts';
import type { ComparisonColumn } from './plan-schema.ts';
import type { MergeScope } from './restrict.ts';
import type { Settled } from './settle.ts';

/** What becomes of the columns of `into`. */
export interface ColumnSteps {
  /** Column numbers. */
  added: number[];
  dropped: number[];
  renamed: { name: string; to: string }[];
  /** Columns that get the type that `from` gave them. */
  retyped: number[];
  /** By final name. */
  facts: Record<string, Record<string, string | null>>;
  changesSchema: boolean;
  open: ColumnDispute[];
  /** The name of a column in the merged table; `null` when it is not in it. */
  finalName(column: number): string | null;
}

/** Plans the columns of a merge. Choices and `take` settle what is disputed. */
export function planColumnSteps(
  { comparison, columns: chosen, mergesSchema }: MergeScope,
  { columns: takes }: Settled,
  take: 'from' | 'into' | null,
): ColumnSteps {
  const steps: ColumnSteps = {
    added: [],
    dropped: [],
    renamed: [],
    retyped: [],
    facts: {},
    changesSchema: false,
    open: [],
    finalName: (column) => names[column] ?? null,
  };
  const names = comparison.columns.map((plan, column): string | null => {
    const staying = plan.into?.name ?? null;
    if (!mergesSchema || (chosen && !chosen.has(column))) return staying;
    if (plan.isKey && plan.action !== 'rename' && plan.dispute !== 'renamed') return staying;
    if (plan.retypedBy === 'from') steps.retyped.push(column);
    const dispute = comparison.disputes.find((each) => each.column === column);
    if (!dispute) return applyAction(steps, plan, column);
    const picked = takes.get(column) ?? take;
    if (picked === null) {
      steps.open.push(dispute);
      return staying;
    }
    return picked === 'into' ? staying : takeTheirs(steps, plan, column);
  });
  for (const [column, { base, from, into }] of comparison.columns.entries()) {
    const isChosen = mergesSchema && (!chosen || chosen.has(column));
    const name = names[column];
    if (!isChosen || !base || !from || !into || !name) continue;
    const said = from.type === base.type ? mergeFacts(base, from, into) : givenFacts(base, from, into);
    const facts = steps.retyped.includes(column) ? { ...into.facts, ...said } : said;
    if (Object.keys(facts).length > 0) steps.facts[name] = facts;
  }
  const { added, dropped, renamed, retyped, facts } = steps;
  steps.changesSchema =
    added.length + dropped.length + renamed.length + retyped.length + Object.keys(facts).length > 0;
  return steps;
}

/** A retyped column is a new one in most libraries: what is not said of it any more was lost, and not taken away. */
const givenFacts = (...sides: Parameters<typeof mergeFacts>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(mergeFacts(...sides)).flatMap(([fact, value]) => (value === null ? [] : [[fact, value]])),
  );

function applyAction(steps: ColumnSteps, plan: ComparisonColumn, column: number): string | null {
  switch (plan.action) {
    case 'add':
      steps.added.push(column);
      return plan.name;
    case 'drop':
      steps.dropped.push(column);
      return null;
    case 'rename':
      return rename(steps, plan);
    case 'none':
      return plan.into?.name ?? null;
  }
}

function rename(steps: ColumnSteps, plan: ComparisonColumn): string {
  steps.renamed.push({ name: plan.into!.name, to: plan.name! });
  return plan.name!;
}

/** A dispute that was settled for `from`. */
function takeTheirs(steps: ColumnSteps, plan: ComparisonColumn, column: number): string | null {
  switch (plan.dispute) {
    case 'renamed':
      steps.renamed.push({ name: plan.into!.name, to: plan.from!.name });
      return plan.from!.name;
    case 'dropped-by-from':
      steps.dropped.push(column);
      return null;
    default:
      steps.added.push(column);
      return plan.from!.name;
  }
}
