import type { PinnedRef } from '#shared/domain/ref.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { readManifest } from './manifest/read-manifest.ts';
import { type OperationKind, readTransaction } from './manifest/transaction.ts';
import { columnsOfFile, readFile } from './write-files.ts';
import { findRowsByKey, keysOf } from './write-keys.ts';
import { headMoved, type WriteTarget } from './write-target.ts';

/** What leaves every row alone that a changeset can mean. */
const addsOnly: ReadonlySet<OperationKind> = new Set(['append', 'create-index']);

/**
 * The version that a changeset, planned against `head`, can be applied to: the newest, when nothing came since but rows
 * with other keys than those it inserts. HEAD_MOVED otherwise. So a program that appends all the time keeps nobody from
 * merging.
 */
export async function fittingVersion(
  target: WriteTarget,
  {
    head,
    changeset,
    isExact,
    signal,
  }: { head: PinnedRef; changeset: Changeset; isExact: boolean; signal: AbortSignal },
): Promise<number> {
  const { handle, home, table, branch } = target;
  const version = await handle.version();
  if (version === head.version) return version;
  const moved = headMoved(table, head, version);
  if (isExact || version < head.version) throw moved;
  for (let at = head.version + 1; at <= version; at++) {
    const manifest = await readManifest(home, table, { branch, version: at });
    const transaction = manifest && (await readTransaction(home, { table, branch, manifest }));
    if (!transaction || !addsOnly.has(transaction.operation)) throw moved;
  }
  if (await hasInsertedKey(target, changeset, signal)) throw moved;
  return version;
}

async function hasInsertedKey(
  { handle, key }: WriteTarget,
  { inserts, renameColumns }: Changeset,
  signal: AbortSignal,
): Promise<boolean> {
  if (key.length === 0) return false;
  for (const file of inserts.map(readFile)) {
    const columns = columnsOfFile(file);
    const newName = (name: string) => renameColumns.find((rename) => rename.name === name)?.to ?? name;
    const fields = key.map((name) => file.schema.fields.find((field) => field.name === newName(name))!);
    const keys = keysOf(fields, columns, file.numRows);
    const stored = { ...keys, fields: fields.map((field, at) => field.clone({ name: key[at]! })) };
    if ((await findRowsByKey(handle, stored, signal)).length > 0) return true;
  }
  return false;
}
