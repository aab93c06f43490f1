import type { RowCounts } from '#shared/domain/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Applied, Changeset } from '../../ports/table-writer.ts';
import { newNameIn } from './apply-columns.ts';
import { fittingVersion } from './apply-fits.ts';
import { planSteps } from './apply-steps.ts';
import type { LanceHome } from './connect.ts';
import { withLanceErrors } from './lance-errors.ts';
import { columnsOfFile, readFile } from './write-files.ts';
import { type KeyToken, keysOf, keyTokens } from './write-keys.ts';
import { openBranch, openWriteTarget, type WriteTarget } from './write-target.ts';

export interface ApplyInput {
  table: string;
  head: PinnedRef;
  changeset: Changeset;
  /** Somebody said which head is meant: new rows count as a move, too. */
  isExact?: boolean;
}

/** How many Lance versions the changeset takes on this head. */
export async function countSteps(
  home: LanceHome,
  { table, head, changeset }: ApplyInput,
  context: CallContext,
): Promise<{ steps: number }> {
  const target = await openWriteTarget(home, table, head);
  return withLanceErrors({ table, ref: head, home: home.path }, async () => ({
    steps: (await planSteps(target, changeset, context)).length,
  }));
}

/**
 * Writes a changeset to a branch's head in as few commits as can be. HEAD_MOVED when the branch is not at `head`, or has
 * more than new rows since: then nothing was written. After any other error some of the commits may be there: `settle` finishes them.
 */
export async function apply(
  home: LanceHome,
  { table, head, changeset, isExact = false }: ApplyInput,
  context: CallContext,
): Promise<Applied> {
  const target = await openBranch(home, table, head.branch);
  return withLanceErrors({ table, ref: head, home: home.path }, async () => {
    const fit = { head, changeset, isExact, signal: context.signal };
    await fittingVersion(target, fit);
    let onto = head.version;
    await runSteps(target, changeset, context, async () => {
      onto = await fittingVersion(target, fit);
    });
    const applied = { version: await target.handle.version(), changed: countChanges(target, changeset) };
    return onto === head.version ? applied : { ...applied, onto };
  });
}

/** Runs the commits of a changeset, one after the other; `check` runs between planning and the first. */
export async function runSteps(
  target: WriteTarget,
  changeset: Changeset,
  context: CallContext,
  check?: () => Promise<void>,
): Promise<void> {
  const steps = await planSteps(target, changeset, context);
  await check?.();
  for (const [index, step] of steps.entries()) {
    await step.run();
    context.onProgress?.({ done: index + 1, total: steps.length, unit: 'commits', message: step.name });
  }
}

/** Rows that a changeset changes; a row that files of different columns change counts once. */
export function countChanges(
  target: Pick<WriteTarget, 'key' | 'schema'>,
  { updates, inserts, deletes, renameColumns }: Changeset,
): RowCounts {
  const rowsOf = (file: Uint8Array) => readFile(file).numRows;
  const inserted = inserts.reduce((sum, file) => sum + rowsOf(file), 0);
  const deleted = deletes === null ? 0 : rowsOf(deletes);
  const files = updates.map(readFile);
  if (new Set(files.map(({ schema }) => schema.names.join())).size < 2)
    return { inserted, updated: files.reduce((sum, file) => sum + file.numRows, 0), deleted };
  const names = target.key.length === 0 ? ['_rowid'] : target.key.map(newNameIn(renameColumns));
  const updated = new Set<KeyToken>();
  for (const file of files) {
    const fields = names.map((name) => file.schema.fields.find((field) => field.name === name)!);
    const keys = keysOf(fields, columnsOfFile(file), file.numRows);
    const tokenOf = keyTokens(keys);
    for (let row = 0; row < keys.length; row++) updated.add(tokenOf(row));
  }
  return { inserted, updated: updated.size, deleted };
}
