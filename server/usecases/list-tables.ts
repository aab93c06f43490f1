import { isAppError } from '#shared/api/problem.ts';
import type { TableSummary } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { StoredTable } from '../ports/table-reader.ts';
import { toBranchInfos } from './branch-info.ts';
import { sealHeads } from './resolve-ref.ts';

const atOnce = 6;

/** All tables that are not in the trash, with the heads of their branches. A table that cannot be read is listed with the reason. */
export async function listTables(ports: Ports, context: CallContext): Promise<TableSummary[]> {
  const trashed = new Set(ports.store.trash.list().map(({ name }) => name));
  const stored = (await ports.reader.listTables({}, context)).filter(({ name }) => !trashed.has(name));
  const summaries: TableSummary[] = new Array(stored.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < stored.length; at = next++)
      summaries[at] = await summarize(ports, stored[at]!, context);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return summaries;
}

const broken = (name: string, problem: string): TableSummary => ({
  name,
  rows: 0,
  bytes: 0,
  key: [],
  description: '',
  branches: [],
  updatedAt: new Date(0).toISOString(),
  preview: null,
  notices: [problem],
});

async function summarize(
  ports: Ports,
  { name, problem }: StoredTable,
  context: CallContext,
): Promise<TableSummary> {
  if (problem !== null) return broken(name, problem);
  try {
    const heads = sealHeads(ports, await ports.reader.readHeads({ table: name }, context));
    const main = heads.branches.find((branch) => branch.name === mainBranch)!;
    const known = { uuid: heads.uuid, branchCreatedAt: '' };
    const ref = { branch: mainBranch, version: main.version };
    const facts = await ports.reader.describe({ table: name, ref, known }, context);
    const { rows, bytes, key, description, preview, notices } = facts;
    const branches = toBranchInfos(ports, heads);
    const updatedAt = branches
      .map((branch) => branch.updatedAt)
      .sort()
      .at(-1)!;
    return { name, rows, bytes, key, description, branches, updatedAt, preview, notices };
  } catch (error) {
    if (context.signal.aborted || !isAppError(error)) throw error;
    return broken(name, [error.message, error.hint].filter((text) => text !== undefined).join(' '));
  }
}
