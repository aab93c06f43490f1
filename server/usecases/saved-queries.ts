import { randomUUID } from 'node:crypto';
import { AppError, notFound } from '#shared/api/problem.ts';
import {
  type SavedQuery,
  type SavedQuerySummary,
  type SavedRevision,
  type SavedText,
  savedTextOf,
} from '#shared/api/queries.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { StoredQuery } from '../ports/query-store.ts';
import type { Principal } from './authorize.ts';
import { pinText } from './pin-statement.ts';
import { pinVersions, releasePins } from './pins.ts';

export type QueryPorts = Pick<Ports, 'reader' | 'writer' | 'store' | 'sql' | 'now'>;

interface By extends CallContext {
  principal: Principal;
}

/** How long a deleted query can be brought back. */
const binDays = 30;
const ownerOf = (id: string): string => `query:${id}`;

const isSeenBy = ({ visibility, owner }: StoredQuery, principal: Principal): boolean =>
  visibility === 'shared' || owner === principal.name;

/** A query that is there and that the person may see. NOT_FOUND, and GONE for a deleted one. */
function readStored(ports: QueryPorts, id: string, principal: Principal): StoredQuery {
  const query = ports.store.queries.get(id);
  if (!query || !isSeenBy(query, principal))
    throw notFound('A saved query with this address', 'It may be mistyped; look at the list of queries.');
  if (query.deletedAt !== null)
    throw new AppError({
      code: 'GONE',
      message: `The query “${query.name}” has been deleted.`,
      hint: `It can be restored for ${binDays} days after that.`,
    });
  return query;
}

const summaryOf = ({ deletedAt: _, ...summary }: StoredQuery): SavedQuerySummary => summary;

const withHistory = ({ store }: QueryPorts, query: StoredQuery): SavedQuery => ({
  ...summaryOf(query),
  history: store.queries.history(query.id),
});

/** Words that must all stand in the name, the description or the text. */
const hasWords = ({ name, description, sql, view }: StoredQuery, words: readonly string[]): boolean => {
  const text = [name, description, sql ?? '', view?.table ?? '', view?.query ?? ''].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
};

export function listQueries(
  ports: QueryPorts,
  { q = '', table }: { q?: string; table?: string },
  principal: Principal,
): SavedQuerySummary[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return ports.store.queries
    .list()
    .filter((query) => isSeenBy(query, principal) && hasWords(query, words))
    .filter((query) => table === undefined || query.view?.table === table || Object.hasOwn(query.refs, table))
    .map(summaryOf);
}

export const getQuery = (ports: QueryPorts, id: string, principal: Principal): SavedQuery =>
  withHistory(ports, readStored(ports, id, principal));

function assertNameFree({ store }: QueryPorts, name: string, id: string | null): void {
  const other = store.queries.findByName(name);
  if (!other || other.id === id) return;
  throw new AppError({
    code: 'EXISTS',
    message: `There is a query “${other.name}” already.`,
    hint: 'Choose another name, or change that query.',
  });
}

interface NewQuery {
  text: SavedText;
  /** The query that it is a fork of. */
  origin?: string;
  /** From a file; else a new one is made. */
  id?: string;
}

/** Saves a text under a name that is free, and pins what it reads. */
export async function createQuery(
  ports: QueryPorts,
  { text, origin, id = randomUUID() }: NewQuery,
  { principal, ...context }: By,
): Promise<SavedQuery> {
  assertNameFree(ports, text.name, null);
  const source = origin === undefined ? null : readStored(ports, origin, principal);
  const { refs, pins } = await pinText(ports, text, context);
  await pinVersions(ports, ownerOf(id), pins, context);
  const at = ports.now().toISOString();
  const query: StoredQuery = {
    ...text,
    refs,
    id,
    revision: 1,
    at,
    author: principal.name,
    owner: principal.name,
    createdAt: at,
    origin: source && { id: source.id, name: source.name, revision: source.revision },
    deletedAt: null,
  };
  assertNameFree(ports, text.name, null);
  ports.store.queries.put(query, null);
  await emptyBin(ports, context);
  return withHistory(ports, query);
}

const revisionOf = (query: StoredQuery): SavedRevision => ({
  revision: query.revision,
  at: query.at,
  author: query.author,
  ...savedTextOf(query),
});

const contentOf = ({
  name,
  sql,
  view,
  refs,
  description,
  visibility,
  params,
  charts = {},
}: SavedText): string =>
  JSON.stringify([
    name,
    sql ?? null,
    view ? [view.table, view.query] : null,
    Object.entries(refs).sort(),
    description,
    visibility,
    params,
    Object.entries(charts).sort(),
  ]);

/** Changes a query; what it was goes to its history, where anything differs. CONFLICT when another change came first. */
export async function putQuery(
  ports: QueryPorts,
  { id, text, revision }: { id: string; text: SavedText; revision?: number },
  { principal, ...context }: By,
): Promise<SavedQuery> {
  const seen = readStored(ports, id, principal);
  assertRevision(seen, revision);
  assertNameFree(ports, text.name, id);
  const { refs, pins } = await pinText(ports, text, context);
  await pinVersions(ports, ownerOf(id), pins, context);
  const before = readStored(ports, id, principal);
  assertRevision(before, revision);
  const { sql: _sql, view: _view, charts: _charts, ...rest } = before;
  const after: StoredQuery = {
    ...rest,
    ...text,
    refs,
    revision: before.revision + 1,
    at: ports.now().toISOString(),
    author: principal.name,
  };
  if (contentOf(after) === contentOf(before)) return withHistory(ports, before);
  ports.store.queries.put(after, revisionOf(before));
  return withHistory(ports, after);
}

function assertRevision({ revision, author, at, name }: StoredQuery, expected: number | undefined): void {
  if (expected === undefined || expected === revision) return;
  throw new AppError({
    code: 'CONFLICT',
    message: `“${name}” was changed by ${author} at ${at.slice(0, 16).replace('T', ' ')} UTC, after you opened it.`,
    hint: 'Look at the newer text, or save yours as a fork.',
  });
}

/** Deletes a query; for 30 days it can come back, and its versions stay pinned. */
export async function deleteQuery(
  ports: QueryPorts,
  id: string,
  { principal, ...context }: By,
): Promise<void> {
  const query = readStored(ports, id, principal);
  ports.store.queries.put({ ...query, deletedAt: ports.now().toISOString() }, null);
  await emptyBin(ports, context);
}

/** Brings a deleted query back, under another name where its own was taken since. */
export function restoreQuery(ports: QueryPorts, id: string, principal: Principal): SavedQuery {
  const query = ports.store.queries.get(id);
  if (!query || !isSeenBy(query, principal))
    throw notFound('A deleted query with this address', 'It may be gone for good.');
  if (query.deletedAt === null) return withHistory(ports, query);
  let name = query.name;
  for (let copy = 2; ports.store.queries.findByName(name) !== null; copy += 1)
    name = `${query.name} (${copy})`;
  const restored = { ...query, name, deletedAt: null };
  ports.store.queries.put(restored, null);
  return withHistory(ports, restored);
}

async function emptyBin(ports: QueryPorts, context: CallContext): Promise<void> {
  const before = new Date(ports.now().getTime() - binDays * 86_400_000).toISOString();
  for (const id of ports.store.queries.listDeleted(before)) {
    await releasePins(ports, ownerOf(id), context);
    ports.store.queries.remove(id);
  }
}
