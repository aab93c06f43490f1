import { Index } from '@lancedb/lancedb';
import { arrow } from '../../arrow/arrow.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import { commit, type Step } from './apply-commit.ts';
import type { TableShape } from './apply-shape.ts';
import { fieldOf, type WriteTarget } from './write-target.ts';

const { Type } = arrow;

/** From here on a merge that scans the key costs more than an index on it. */
export const rowsWorthAnIndex = 5_000;
const maxUnindexedShare = 0.2;
const maxUnindexedRows = 100_000;

const indexableTypes: ReadonlySet<number> = new Set([
  Type.Int,
  Type.Float,
  Type.Bool,
  Type.Utf8,
  Type.LargeUtf8,
  Type.Timestamp,
  Type.Date,
  Type.FixedSizeBinary,
]);

/** True when Lance can find the rows of a merge by indexes on the key. */
export const canIndexKey = (target: WriteTarget): boolean =>
  target.key.every((name) => indexableTypes.has(fieldOf(target, name).type.typeId));

/**
 * Indexes on the key columns that updates need. In tables with heavy rows they decide between patching a column and writing
 * whole rows with their blobs again (lance `merge_insert.rs`: only a merge by an index that covers some rows patches),
 * and a patch takes its fragments out of the index: where it covers nothing any more it is made again. `renamed` is the
 * target as it is once columns have their new names: by then the index is made.
 */
export async function planIndexSteps(
  target: WriteTarget,
  renamed: WriteTarget,
  { changeset: { updates }, shape: { rows, isHeavy } }: { changeset: Changeset; shape: TableShape },
): Promise<Step[]> {
  if (updates.length === 0 || rows === 0 || !canIndexKey(target)) return [];
  if (!isHeavy && rows < rowsWorthAnIndex) return [];
  const steps: Step[] = [];
  const indexes = await target.handle.listIndices();
  for (const [at, column] of target.key.entries()) {
    const name = renamed.key[at]!;
    const index = indexes.find(
      ({ columns, indexType }) => columns.length === 1 && columns[0] === column && indexType === 'BTree',
    );
    const isGood = index && isUseful(index.numIndexedRows ?? 0, index.numUnindexedRows ?? 0, isHeavy);
    if (!isGood)
      steps.push({
        name: `index ${name}`,
        operation: 'create-index',
        run: () =>
          commit(target, () => target.handle.createIndex(name, { config: Index.btree(), replace: true })),
      });
  }
  return steps;
}

function isUseful(indexed: number, unindexed: number, isHeavy: boolean): boolean {
  if (indexed === 0) return false;
  if (isHeavy) return true;
  return unindexed <= Math.max(maxUnindexedRows, (indexed + unindexed) * maxUnindexedShare);
}
