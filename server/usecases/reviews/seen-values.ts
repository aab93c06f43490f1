import { createHash } from 'node:crypto';
import type { SinceWritten } from '#shared/api/review-parts.ts';
import { previewCell } from '#shared/domain/preview-cell.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { StoredComment } from '../../ports/review-store.ts';
import type { TableFacts } from '../../ports/table-reader.ts';
import { type JsonRow, keyText, readRowsByKey } from './read-rows-by-key.ts';
import type { ReviewPorts } from './review-ports.ts';

export type Seen = NonNullable<StoredComment['seen']>;

const digestOf = (cell: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(cell ?? null))
    .digest('base64url')
    .slice(0, 16);

/** Of a cell its digest, of a row one per column, as JSON: a column that comes or goes later does not change the others. */
export function seeValue(row: JsonRow, column: string | null): Seen {
  if (column !== null) return { digest: digestOf(row[column]), value: previewCell(row[column]) };
  const digests = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, digestOf(cell)]));
  return { digest: JSON.stringify(digests), value: previewCell(row) };
}

function changedColumns(before: Seen, now: Seen): string[] {
  const was = JSON.parse(before.digest) as Record<string, string>;
  const is = JSON.parse(now.digest) as Record<string, string>;
  return Object.keys(was).filter((name) => is[name] !== undefined && is[name] !== was[name]);
}

/** How a thing stands against when it was commented on. */
export function planSince(
  { seen, column }: Pick<StoredComment, 'seen' | 'column'>,
  row: JsonRow | undefined,
): SinceWritten {
  const before = seen?.value ?? null;
  if (!row) return { state: seen ? 'row-removed' : 'same', before, now: null };
  if (column !== null && !(column in row)) return { state: 'column-removed', before, now: null };
  const now = seeValue(row, column);
  if (!seen) return { state: 'changed', before, now: now.value };
  if (column !== null)
    return { state: now.digest === seen.digest ? 'same' : 'changed', before, now: now.value };
  const columns = changedColumns(seen, now);
  return { state: columns.length === 0 ? 'same' : 'changed', before, now: now.value, columns };
}

interface SeeInput {
  table: string;
  ref: PinnedRef;
  /** Rows and cells; comments on the whole review are not looked at. */
  comments: readonly Pick<StoredComment, 'id' | 'rowKey' | 'column' | 'seen' | 'fromVersion'>[];
}

const unknown = ({ seen }: Pick<StoredComment, 'seen'>): SinceWritten => ({
  state: 'unknown',
  before: seen?.value ?? null,
  now: null,
});

/** For each comment on a row or a cell, how it stands at a ref now. Reads only the rows that have comments. */
export async function readSince(
  ports: Pick<ReviewPorts, 'reader'>,
  { table, ref, comments }: SeeInput,
  context: CallContext,
): Promise<Map<string, SinceWritten>> {
  const anchored = comments.filter(({ fromVersion }) => fromVersion !== null);
  if (anchored.length === 0) return new Map();
  const pinned = { table, ref };
  const facts = await ports.reader.describe(pinned, context);
  const isWholeRow = anchored.some(({ column }) => column === null);
  const columns = commentedColumns(facts, isWholeRow ? null : anchored.map(({ column }) => column!));
  const keys = anchored.map(({ rowKey }) => rowKey);
  const rows = await readRowsByKey(ports, { pinned, facts, keys, columns }, context);
  return new Map(
    anchored.map((comment) => [comment.id, planSince(comment, rows.get(keyText(comment.rowKey)))]),
  );
}

/** All that are not hidden for a whole row, else those that are still there. */
export function commentedColumns({ columns }: TableFacts, names: readonly string[] | null): string[] {
  const wanted = names && new Set(names);
  return columns
    .filter(({ name, hidden }) => (wanted ? wanted.has(name) : hidden !== true))
    .map(({ name }) => name);
}

/** For comments whose branch or table is gone. */
export const sinceUnknown = (comments: SeeInput['comments']): Map<string, SinceWritten> =>
  new Map(
    comments
      .filter(({ fromVersion }) => fromVersion !== null)
      .map((comment) => [comment.id, unknown(comment)]),
  );
