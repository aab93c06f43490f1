import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '#shared/api/session.ts';
import type { BranchInfo, TableDetail, TagInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { countHeadMove, queryKeys } from './queries.ts';

export interface HeadMove {
  table: string;
  branch: string;
  /** The new head. */
  version: number;
  /** Rows that it has more than the head before; negative where it has fewer. */
  addedRows: number;
  /** Whether the branch is one step further from its parent, or one nearer. */
  steps: 1 | -1;
  /** The screen shows another branch, so nothing on it is asked for again. */
  isElsewhere?: boolean;
}

/**
 * Tells what is known of a table that this page moved a branch's head, so that only its rows are asked for again.
 * Whatever else depends on the head is marked stale and asked for when it is next shown.
 */
export async function moveHead(
  client: QueryClient,
  { table, branch, version, addedRows, steps, isElsewhere }: HeadMove,
): Promise<void> {
  const updatedAt = new Date().toISOString();
  const moved = (heads: readonly BranchInfo[]): BranchInfo[] =>
    heads.map((head) => {
      if (head.name !== branch) return head;
      const ahead =
        head.ahead === undefined || head.parent === null ? head.ahead : Math.max(0, head.ahead + steps);
      return { ...head, version, updatedAt, ahead };
    });
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
  if (!isElsewhere) countHeadMove(table);
  await client.invalidateQueries({
    queryKey: queryKeys.table(table),
    predicate: ({ queryKey }) => queryKey[2] !== 'describe',
  });
}

/** Tells what is known of a table that it has this branch now, or has it no more; nothing is asked for again. */
export function noteBranch(
  client: QueryClient,
  table: string,
  branch: BranchInfo | { name: string; isGone: true },
): void {
  const changed = (branches: readonly BranchInfo[]): BranchInfo[] => [
    ...branches.filter(({ name }) => name !== branch.name),
    ...('isGone' in branch ? [] : [branch]),
  ];
  client.setQueryData<Session>(
    queryKeys.session,
    (session) =>
      session && {
        ...session,
        tables: session.tables.map((one) =>
          one.name === table ? { ...one, branches: changed(one.branches) } : one,
        ),
      },
  );
  changeDetails(client, table, (detail) => ({ ...detail, branches: changed(detail.branches) }));
}

/** The same for a tag. */
export function noteTag(
  client: QueryClient,
  table: string,
  tag: TagInfo | { name: string; isGone: true },
): void {
  changeDetails(client, table, (detail) => ({
    ...detail,
    tags: [...detail.tags.filter(({ name }) => name !== tag.name), ...('isGone' in tag ? [] : [tag])],
  }));
}

function changeDetails(
  client: QueryClient,
  table: string,
  change: (detail: TableDetail) => TableDetail,
): void {
  client.setQueriesData<TableDetail>(
    { queryKey: [...queryKeys.table(table), 'describe'] },
    (detail) => detail && change(detail),
  );
}
