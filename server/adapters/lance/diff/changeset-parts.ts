import { AppError } from '#shared/api/problem.ts';
import type { MergedRows } from '#shared/domain/merge-rows.ts';
import { arrow, type Field } from '../../../arrow/arrow.ts';
import { writtenField } from '../../../arrow/json-to-cell.ts';
import type { Keys } from '../write-keys.ts';
import type { ColumnSteps } from './column-steps.ts';
import { pickKeys } from './read-aligned.ts';
import type { MergeScope } from './restrict.ts';
import type { Settled } from './settle.ts';

export interface ChangesetInput {
  scope: MergeScope;
  columns: ColumnSteps;
  merged: MergedRows;
  settled: Settled;
}

/** Rows as they are written are held in memory until they are. */
const maxChangesetBytes = 2 ** 31;

/** Counts what is held, so that a merge that is too large says so before memory runs out. */
export interface Budget {
  /** TOO_LARGE when there is no room for the files. */
  take(files: readonly Uint8Array[]): readonly Uint8Array[];
}

export function createBudget(): Budget {
  let left = maxChangesetBytes;
  return {
    take(files) {
      for (const { byteLength } of files) left -= byteLength;
      if (left >= 0) return files;
      throw new AppError({
        code: 'TOO_LARGE',
        message: 'The merge would write more than 2 GB at once.',
        hint: 'Bring the changes over in parts: cherry-pick some rows first, then merge the rest.',
      });
    },
  };
}

/** A column under its final name, as it is written. */
export function finalField({ scope, columns }: ChangesetInput, column: number): Field {
  const plan = scope.comparison.columns[column]!;
  const isRetyped = columns.retyped.includes(column);
  const { arrow: field } = (isRetyped ? plan.from : (plan.into ?? plan.from))!;
  const written = writtenField(field);
  return new arrow.Field(columns.finalName(column)!, written.type, written.nullable, written.metadata);
}

/**
 * What says which rows are meant: their keys, or in a table without one their ids on a side; `null` for new rows of such
 * a table.
 */
export function keysAt(input: ChangesetInput, rows: Int32Array, side: 'into' | null): Keys | null {
  const { comparison, ordered } = input.scope;
  if (comparison.key.length > 0) return pickKeys(finalKeys(input, ordered.keys), rows);
  return side && idKeys(Float64Array.from(rows, (row) => comparison.ids[side][row]!));
}

/** Row ids in the place of keys. */
export function idKeys(ids: Float64Array): Keys {
  const type = new arrow.Uint64();
  const data = BigUint64Array.from(ids, (id) => BigInt(id));
  return {
    fields: [new arrow.Field('_rowid', type, false)],
    columns: [arrow.makeData({ type, length: ids.length, nullCount: 0, data })],
    length: ids.length,
  };
}

/** The keys under the names that the key columns will have. */
export function finalKeys(input: ChangesetInput, keys: Keys): Keys {
  const { key } = input.scope.comparison;
  return { ...keys, fields: key.map((column) => finalField(input, column)) };
}
