import type { JobInfo } from '#shared/api/jobs.ts';
import { AppError } from '#shared/api/problem.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import type { IndexInfo } from '#shared/domain/columns.ts';
import { assertIndexFits } from '#shared/domain/index-kinds.ts';
import { assertBranchName } from '#shared/domain/names.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { resolveRef } from './resolve-ref.ts';
import { withTableTurn } from './table-turns.ts';

type IndexPorts = Pick<Ports, 'reader' | 'writer' | 'store' | 'jobs'>;

/** Under this many rows an exact search takes a few milliseconds, and an index saves nothing. */
export const rowsWorthAVectorIndex = 5_000;

export async function listIndexes(
  ports: IndexPorts,
  { table, ref: refText }: { table: string; ref: string },
  context: CallContext,
): Promise<IndexInfo[]> {
  const { ref } = await resolveRef(ports, table, refText, context);
  return (await ports.reader.describe({ table, ref }, context)).indexes;
}

export interface IndexRequest {
  table: string;
  branch: string;
  column: string;
  kind: string;
}

/** Starts the building of an index as a job. Indexes change no rows, so protected branches take them. */
export async function createIndex(
  ports: IndexPorts,
  request: IndexRequest,
  context: CallContext,
): Promise<JobInfo> {
  const { table, branch, column, kind } = request;
  if (branch !== mainBranch) assertBranchName(branch);
  const { ref } = await resolveRef(ports, table, branch, context);
  const { columns, rows } = await ports.reader.describe({ table, ref }, context);
  const info = columns.find(({ name }) => name === column);
  if (!info)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The table ${table} has no column “${column}”.`,
      hint: didYouMean(
        column,
        columns.map(({ name }) => name),
      ),
    });
  assertIndexFits(column, parseColumnType(info.type), kind);
  const isNeeded = kind !== 'vector' || rows >= rowsWorthAVectorIndex;
  return ports.jobs.start({
    kind: 'index',
    title: `Index ${column} of ${table} (${kind})`,
    run: async ({ signal, onProgress }) => {
      onProgress({ done: 0, total: null, unit: 'rows', message: 'Waiting for the table' });
      return withTableTurn(table, signal, async () => {
        onProgress({ done: 0, total: rows, unit: 'rows', message: 'Building the index' });
        await ports.writer.createIndex({ table, branch, column, kind }, { signal, onProgress });
        const notice = isNeeded ? null : `With ${rows} rows an exact search is as fast without the index.`;
        return { table, branch, column, kind, notice };
      });
    },
  });
}

/** Drops an index of a branch's head. NOT_FOUND names near ones. */
export async function dropIndex(
  ports: IndexPorts,
  { table, branch, index }: { table: string; branch: string; index: string },
  context: CallContext,
): Promise<void> {
  if (branch !== mainBranch) assertBranchName(branch);
  await withTableTurn(table, context.signal, async () => {
    await resolveRef(ports, table, branch, context);
    await ports.writer.dropIndex({ table, branch, index }, context);
  });
}
