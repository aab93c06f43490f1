import * as z from 'zod';
import { Selection } from './selection.ts';

const Values = z.record(z.string(), z.unknown());

/**
 * One operation of an edit. Values are JSON as `?format=json` prints them, bytes and blobs as `{base64}`; `null` empties
 * a cell (docs/edits.md).
 */
export const EditOp = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('set'), rows: Selection, values: Values }),
  z.strictObject({ op: z.literal('setSql'), rows: Selection, values: z.record(z.string(), z.string()) }),
  z.strictObject({
    op: z.literal('tag'),
    rows: Selection,
    column: z.string(),
    add: z.array(z.string()).optional(),
    remove: z.array(z.string()).optional(),
  }),
  z.strictObject({ op: z.literal('insert'), rows: z.array(Values).min(1) }),
  z.strictObject({ op: z.literal('delete'), rows: Selection }),
  z.strictObject({
    op: z.literal('addColumn'),
    name: z.string(),
    type: z.string().optional(),
    sql: z.string().optional(),
  }),
  z.strictObject({ op: z.literal('dropColumn'), name: z.string() }),
  z.strictObject({ op: z.literal('renameColumn'), name: z.string(), to: z.string() }),
]);
export type EditOp = z.infer<typeof EditOp>;

/** What somebody says about a change, for the history. */
export const ChangeMessage = z.string().max(10_000);

export const RowCounts = z.object({ inserted: z.number(), updated: z.number(), deleted: z.number() });
export type RowCounts = z.infer<typeof RowCounts>;
