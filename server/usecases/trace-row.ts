import * as z from 'zod';
import type { RowEvent, RowHistory, RowHistoryBody } from '#shared/api/history.ts';
import { AppError, notFound } from '#shared/api/problem.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import { formatRef, PinnedRef } from '#shared/domain/ref.ts';
import { RowKey } from '#shared/domain/selection.ts';
import type { CallContext } from '../ports/call.ts';
import { readCursor, writeCursor } from './read-cursor.ts';
import { resolveRef } from './resolve-ref.ts';
import { addOrigins } from './row-origins.ts';
import { RowWalk, type WalkBudget, type WalkedRow, type WalkPorts, type WalkState } from './row-walk.ts';
import { VersionLog } from './version-log.ts';

/** Of one request: rows that are read at two versions, and manifests that are looked at for a loss. */
const maxReads = 120;
const maxManifests = 2000;

const StoredRowId = z.string().regex(/^\d{1,20}$/);
const Stamp = z.object({ rowId: StoredRowId, createdAt: z.number(), lastUpdated: z.number() });
const Row = z.object({
  column: z.object({ name: z.string(), id: z.number() }).nullable(),
  key: RowKey.nullable(),
  rowId: StoredRowId.nullable(),
  isHiddenKey: z.boolean(),
  hasStableRowIds: z.boolean(),
});
const Cursor = z.object({
  ref: PinnedRef,
  isThere: z.boolean(),
  row: Row,
  at: PinnedRef,
  stamp: Stamp.nullable(),
  clear: z.number().optional(),
});
type Cursor = z.infer<typeof Cursor>;

type TraceInput = RowHistoryBody & { table: string };

/**
 * What was done to one row, or to one of its cells, newest first: the walk goes from write to write by what Lance keeps
 * about the row, so its cost is that of the changes that are found, and follows merges back to where a value was set.
 */
export async function traceRow(
  ports: WalkPorts,
  input: TraceInput,
  context: CallContext,
): Promise<RowHistory> {
  const { table, limit } = input;
  const begun =
    input.cursor === undefined
      ? await begin(ports, input, context)
      : readCursor(Cursor, input.cursor, 'this history');
  const { ref, heads } = await resolveRef(ports, table, formatRef(begun.ref), context);
  const { ref: at } = await resolveRef(ports, table, formatRef(begun.at), context);
  const log = new VersionLog(ports, table, heads);
  const row: WalkedRow = { table, ...begun.row };
  const budget: WalkBudget = { reads: maxReads, manifests: maxManifests };
  const walk = new RowWalk(ports, { log, row, budget, context });
  const events: RowEvent[] = [];
  let state: WalkState | null = { at, stamp: begun.stamp, clear: begun.clear };
  let end: RowHistory['end'] = 'more';
  let lookedBackTo = at;
  while (state && events.length < limit && !walk.isSpent) {
    const { event, next, end: ending } = await walk.back(state);
    if (event) {
      events.push(await addOrigins(event, { ports, log, heads, row, budget, context }));
      lookedBackTo = event.found.before?.ref ?? event.found.ref;
    }
    if (ending) end = ending;
    if (next) lookedBackTo = { branch: next.at.branch, version: next.clear ?? next.at.version };
    state = next;
  }
  return {
    ref,
    key: row.key,
    isThere: begun.isThere,
    events,
    cursor: state && writeCursor({ ...begun, at: state.at, stamp: state.stamp, clear: state.clear }),
    lookedBackTo,
    end,
  };
}

async function begin(
  ports: WalkPorts,
  { table, ref: refText, key, rowId, column }: TraceInput,
  context: CallContext,
): Promise<Cursor> {
  if ((key === undefined) === (rowId === undefined))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The history is of one row: name it by `key` or by `rowId`.',
      hint: 'Give one of the two.',
    });
  const { ref } = await resolveRef(ports, table, refText, context);
  const sought = key === undefined ? { rowId: String(rowId) } : { key };
  const read = await ports.trace.rowStep(
    { table, before: null, after: ref, row: sought, isOneLine: true },
    context,
  );
  if (column !== undefined && read.fieldIds[column] === undefined)
    throw notFound(`The column ${column}`, didYouMean(column, Object.keys(read.fieldIds)));
  if (!read.after && (rowId !== undefined || key === null))
    throw notFound(`The row ${rowId ?? 'without a key'} at ${formatRef(ref)}`);
  if (read.key === null && !read.hasStableRowIds)
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${table} has neither a row key nor stable row ids, so a row cannot be followed through its versions.`,
      hint: 'Declare the key columns in the table’s settings.',
    });
  if (key !== undefined && !read.after && !(await hasKey(ports, { table, ref }, context)))
    throw new AppError({
      code: 'UNSUPPORTED',
      message: `${table} has no row key.`,
      hint: 'Name the row by its `rowId`, or declare the key columns of the table.',
    });
  return {
    ref,
    isThere: read.after !== null,
    row: {
      column: column === undefined ? null : { name: column, id: read.fieldIds[column]! },
      key: read.key,
      rowId: read.after?.rowId ?? (rowId === undefined ? null : String(rowId)),
      isHiddenKey: read.isHiddenKey,
      hasStableRowIds: read.hasStableRowIds,
    },
    at: ref,
    stamp: read.after,
  };
}

async function hasKey(
  { reader }: WalkPorts,
  pinned: { table: string; ref: PinnedRef },
  context: CallContext,
): Promise<boolean> {
  return (await reader.describe(pinned, context)).key.length > 0;
}
