import { AppError } from '#shared/api/problem.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { assertCounts, commit, type Step } from './apply-commit.ts';
import { columnsOfFile, readFile } from './write-files.ts';
import { findRowsByKey, type KeyMatch, type Keys, keyLabel } from './write-keys.ts';
import { fieldOf, type WriteTarget } from './write-target.ts';

const idsPerDelete = 20_000;

/**
 * Deletes by key, as row ids: the filter stays short whatever the key is. The rows are looked up before columns get their
 * new names; the changeset has these already.
 */
export async function planDeleteSteps(
  target: WriteTarget,
  renamed: WriteTarget,
  { changeset: { deletes }, signal }: { changeset: Changeset; signal: AbortSignal },
): Promise<Step[]> {
  if (deletes === null) return [];
  const file = readFile(deletes);
  const columns = columnsOfFile(file);
  const keys = {
    fields: target.key.map((name) => fieldOf(target, name)),
    columns: renamed.key.map((name) => columns.get(name)!),
    length: file.numRows,
  };
  const found = await findRowsByKey(target.handle, keys, signal);
  assertFound(target, found, keys);
  const ids = found.map(({ id }) => id);
  return planDeletesById(target, Float64Array.from(ids));
}

/** Each key must be found once. CONFLICT names one that stands in several rows. */
export function assertFound({ table, branch }: WriteTarget, found: readonly KeyMatch[], keys: Keys): void {
  if (found.length === keys.length) return;
  const seen = new Set<number>();
  for (const { at } of found) {
    if (seen.has(at)) throw duplicateKey(branch, keyLabel(keys, at));
    seen.add(at);
  }
  throw new AppError({
    code: 'CONFLICT',
    message: `${keys.length} rows of ${branch} of ${table} were to be changed by their key, and ${found.length} have one.`,
    hint: 'Look at what changed and try again.',
  });
}

export const duplicateKey = (branch: string, key: string): AppError =>
  new AppError({
    code: 'CONFLICT',
    message: `The key ${key} stands in more than one row of ${branch}, so it is not certain which row is meant.`,
    hint: 'Delete or correct the duplicates first.',
  });

export function planDeletesById(target: WriteTarget, ids: Float64Array): Step[] {
  const sorted = ids.slice().sort();
  const steps: Step[] = [];
  for (let start = 0; start < sorted.length; start += idsPerDelete) {
    const some = sorted.subarray(start, start + idsPerDelete);
    steps.push({
      name: 'delete rows',
      operation: 'delete',
      run: async () => {
        const { numDeletedRows } = await commit(target, () => target.handle.delete(idPredicate(some)));
        assertCounts(target, 'deleted', numDeletedRows, some.length);
      },
    });
  }
  return steps;
}

/** Ids that follow each other are written as a span. */
export function idPredicate(sorted: Float64Array): string {
  const spans: string[] = [];
  const single: number[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end + 1 < sorted.length && sorted[end + 1] === sorted[end]! + 1) end += 1;
    if (end - start < 3) for (let at = start; at <= end; at++) single.push(sorted[at]!);
    else spans.push(`(_rowid >= ${sorted[start]} and _rowid <= ${sorted[end]})`);
    start = end + 1;
  }
  if (single.length > 0) spans.push(`_rowid in (${single.join(', ')})`);
  return spans.join(' or ');
}
