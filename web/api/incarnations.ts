import type { BranchInfo } from '#shared/api/tables.ts';
import { parseRef } from '#shared/domain/ref.ts';

/** Incarnations of branches by table and branch, as the server last told them. */
const known = new Map<string, string>();

const keyOf = (table: string, branch: string): string => JSON.stringify([table, branch]);

type Told = Partial<Pick<BranchInfo, 'name' | 'incarnation'>>;

interface Table {
  name: string;
  branches: Told[];
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'branches' in value &&
  Array.isArray(value.branches);

const noteBranches = (table: string, branches: readonly Told[]): void => {
  for (const { name, incarnation } of branches) {
    if (name !== undefined && incarnation !== undefined) known.set(keyOf(table, name), incarnation);
  }
};

/** Remembers the incarnations in an answer: of a table, of a list of tables, or of branches of the table asked for. */
export function noteIncarnations(answer: unknown, table: string | undefined): void {
  if (typeof answer !== 'object' || answer === null) return;
  if (isTable(answer)) {
    noteBranches(answer.name, answer.branches);
    return;
  }
  const { tables, branches } = answer as { tables?: unknown; branches?: unknown };
  if (Array.isArray(tables))
    for (const each of tables) if (isTable(each)) noteBranches(each.name, each.branches);
  if (table === undefined) return;
  if (Array.isArray(branches)) noteBranches(table, branches as Told[]);
  else noteBranches(table, [answer]);
}

/**
 * What has to stand in a pinned address so that the browser's caches never show what another table or branch of the
 * same name had there; undefined for refs that move.
 */
export function incarnationFor(table: string, refText: string): string | undefined {
  const ref = parseRef(refText);
  return ref.kind === 'branch' && ref.version !== undefined ? known.get(keyOf(table, ref.branch)) : undefined;
}
