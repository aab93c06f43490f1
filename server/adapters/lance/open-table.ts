import type { Table } from '@lancedb/lancedb';
import { mainBranch, type PinnedRef } from '#shared/domain/ref.ts';
import type { LanceHome } from './connect.ts';
import { withLanceErrors } from './lance-errors.ts';

/** A handle of its own at a pinned ref, read-only. Handles are never shared: `checkout` would move them for all. */
export function openPinned(home: LanceHome, table: string, ref: PinnedRef): Promise<Table> {
  return withLanceErrors({ table, ref, home: home.path }, () =>
    home.connection.openTable(table, [], { branch: ref.branch, version: ref.version }),
  );
}

/** A handle of its own at the newest version of a branch, for writing. */
export function openHead(home: LanceHome, table: string, branch: string): Promise<Table> {
  return withLanceErrors({ table, home: home.path }, () =>
    home.connection.openTable(table, [], branch === mainBranch ? {} : { branch }),
  );
}
