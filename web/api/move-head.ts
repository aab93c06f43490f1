import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '#shared/api/session.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { countHeadMove, queryKeys } from './queries.ts';

export interface HeadMove {
  table: string;
  branch: string;
  /** The new head. */
  version: number;
  /** Rows that it has more than the head before; negative where it has fewer. */
  addedRows: number;
}

/**
 * Tells what is known of a table that this page moved a branch's head, so that only its rows are asked for again.
 * Whatever else depends on the head is marked stale and asked for when it is next shown.
 */
export async function moveHead(
  client: QueryClient,
  { table, branch, version, addedRows }: HeadMove,
): Promise<void> {
  const updatedAt = new Date().toISOString();
  const moved = <H extends { name: string }>(heads: readonly H[]): H[] =>
    heads.map((head) => (head.name === branch ? { ...head, version, updatedAt } : head));
  client.setQueryData<Session>(
    queryKeys.session,
    (session) =>
      session && {
        ...session,
        tables: session.tables.map((one) =>
          one.name === table
            ? {
                ...one,
                updatedAt,
                branches: moved(one.branches),
                rows: one.rows + (branch === mainBranch ? addedRows : 0),
              }
            : one,
        ),
      },
  );
  client.setQueryData<TableDetail>(
    queryKeys.describe(table, branch),
    (detail) =>
      detail && {
        ...detail,
        ref: { branch, version },
        rows: detail.rows + addedRows,
        branches: moved(detail.branches),
      },
  );
  countHeadMove(table);
  await client.invalidateQueries({
    queryKey: queryKeys.table(table),
    predicate: ({ queryKey }) => queryKey[2] !== 'describe',
  });
}
