import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Changeset, Settled } from '../../ports/table-writer.ts';
import { countChanges, runSteps } from './apply.ts';
import { remainderOf } from './apply-remainder.ts';
import { rollBack } from './apply-roll-back.ts';
import { isBlobField } from './column-type-arrow.ts';
import type { LanceHome } from './connect.ts';
import { withLanceErrors } from './lance-errors.ts';
import { readManifest } from './manifest/read-manifest.ts';
import { parseTransaction } from './manifest/transaction.ts';
import { openPinned } from './open-table.ts';
import { keyColumns, openBranch, type WriteTarget } from './write-target.ts';

export interface SettleInput {
  table: string;
  /** The head that the changeset was planned against. */
  head: PinnedRef;
  /** Null: the work was one restore. */
  changeset: Changeset | null;
}

const nothing = { inserted: 0, updated: 0, deleted: 0 };

/**
 * Finishes a changeset of which a crash may have left a part: what has landed is told from the cells themselves, by
 * three-way comparison of the head before, the changeset, and the head now. Cells that others changed since are kept.
 * What cannot be finished is taken back.
 * Doing it again changes nothing.
 */
export async function settle(
  home: LanceHome,
  { table, head, changeset }: SettleInput,
  context: CallContext,
): Promise<Settled> {
  const target = await openBranch(home, table, head.branch);
  return withLanceErrors({ table, ref: head, home: home.path }, async () => {
    const version = await target.handle.version();
    if (version === head.version) return { state: 'untouched', version, changed: nothing };
    if (changeset === null) {
      const isRestored = await hasRestored(target, head, version);
      return { state: isRestored ? 'finished' : 'untouched', version, changed: nothing };
    }
    const base = await openPinned(home, table, head);
    const schema = await base.schema();
    const before: WriteTarget = {
      ...target,
      handle: base,
      schema,
      key: keyColumns(schema),
      hasBlobs: schema.fields.some(isBlobField),
    };
    const { changeset: rest, hasLanded } = await remainderOf(target, before, changeset, context.signal);
    if (!hasLanded) return { state: 'untouched', version, changed: nothing };
    try {
      await runSteps(target, rest, context);
    } catch (error) {
      const isBack = await rollBack(target, { before, head, changeset }, context);
      if (!isBack) throw error;
      return { state: 'untouched', version: await target.handle.version(), changed: nothing };
    }
    return {
      state: 'finished',
      version: await target.handle.version(),
      changed: countChanges(target, changeset),
    };
  });
}

/** True when a restore is among the versions since. */
async function hasRestored(
  { home, table, branch }: WriteTarget,
  head: PinnedRef,
  version: number,
): Promise<boolean> {
  for (let at = head.version + 1; at <= version; at++) {
    const manifest = await readManifest(home, table, { branch, version: at });
    if (manifest?.transaction && parseTransaction(manifest.transaction).operation === 'restore') return true;
  }
  return false;
}
