import * as z from 'zod';
import type { GraphBody, GraphVersion, TableGraph } from '#shared/api/history.ts';
import { notFound } from '#shared/api/problem.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { TableHeads } from '../ports/table-reader.ts';
import { toBranchInfos, toTagInfo } from './branch-info.ts';
import { GraphStream } from './graph-stream.ts';
import { readCursor, writeCursor } from './read-cursor.ts';
import { readSealedHeads } from './resolve-ref.ts';
import { VersionLog } from './version-log.ts';

const pageSize = 40;
const filteredPageSize = 200;
/** Versions that one request looks at while it seeks those that a filter lets through. */
const maxLooked = 1_500;
const maxLookedInLog = 20_000;

const Cursor = z.object({
  /** Nothing newer than this is part of what follows. */
  at: z.number(),
  /** Per branch that was begun: the version that it goes on below; 0 when it is done. */
  next: z.record(z.string(), z.number().int().nonnegative()),
});
type Cursor = z.infer<typeof Cursor>;

type GraphInput = GraphBody & { table: string };

/**
 * Versions of all branches together, newest first. Each branch is read in pages as the graph comes to it, so the cost is
 * that of the versions shown and of the names of the branches.
 */
export async function readGraph(
  ports: Pick<Ports, 'reader' | 'store'>,
  input: GraphInput,
  context: CallContext,
): Promise<TableGraph> {
  const heads = await readSealedHeads(ports, input.table, context);
  const cursor = input.cursor === undefined ? null : readCursor(Cursor, input.cursor, 'this graph');
  const accepts = createFilter(input);
  const isLogOnly = input.text !== undefined || (input.authors?.every((author) => author !== '') ?? false);
  const streams = openStreams(ports, { ...input, heads, cursor, isLogOnly, isFiltered: accepts !== null });
  const next: Record<string, number> = { ...cursor?.next };
  const versions: GraphVersion[] = [];
  const most = isLogOnly ? maxLookedInLog : accepts ? maxLooked : input.limit;
  let looked = 0;
  let backTo: string | null = null;
  while (versions.length < input.limit && looked < most) {
    context.signal.throwIfAborted();
    const stream = await newest(streams, context);
    const version = await stream?.take(context);
    if (!stream || !version) break;
    if (cursor && cursor.next[version.branch] === undefined && Date.parse(version.at) > cursor.at) continue;
    looked += 1;
    backTo = version.at;
    next[version.branch] = stream.isDone ? 0 : version.version;
    if (!accepts || accepts(version)) versions.push(version);
  }
  const isComplete = streams.every((stream) => stream.isDone);
  const at = backTo === null ? (cursor?.at ?? Date.now()) : Date.parse(backTo);
  return {
    versions,
    branches: cursor ? [] : toBranchInfos(ports, heads),
    tags: cursor ? [] : heads.tags.map((tag) => toTagInfo(ports, heads.uuid, tag)),
    cursor: isComplete ? null : writeCursor({ at, next }),
    looked: { versions: looked, backTo },
  };
}

interface OpenInput extends Omit<GraphInput, 'cursor'> {
  heads: TableHeads;
  cursor: Cursor | null;
  isLogOnly: boolean;
  isFiltered: boolean;
}

function openStreams(
  ports: Pick<Ports, 'reader' | 'store'>,
  { table, heads, branches, cursor, isLogOnly, isFiltered, limit }: OpenInput,
): GraphStream[] {
  const names = heads.branches.map(({ name }) => name);
  const unknown = branches?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw notFound(`The branch ${unknown}`, didYouMean(unknown, names));
  const log = new VersionLog(ports, table, heads);
  return heads.branches
    .filter(({ name }) => branches?.includes(name) ?? true)
    .filter(({ name }) => cursor?.next[name] !== 0)
    .map(
      (head) =>
        new GraphStream({
          head,
          heads,
          log,
          before: cursor?.next[head.name],
          pageSize: isFiltered ? filteredPageSize : Math.min(pageSize, limit + 1),
          isLogOnly,
        }),
    );
}

/** The stream whose next step is the newest of all; read where that is not known yet. */
async function newest(streams: readonly GraphStream[], context: CallContext): Promise<GraphStream | null> {
  for (;;) {
    let best: GraphStream | null = null;
    for (const stream of streams) {
      if (stream.isDone || (best && stream.at <= best.at)) continue;
      best = stream;
    }
    if (!best || best.isBuffered) return best;
    await best.fill(context);
  }
}

/** `null`: everything is let through. */
function createFilter({
  authors,
  kinds,
  text,
}: Pick<GraphBody, 'authors' | 'kinds' | 'text'>): ((version: GraphVersion) => boolean) | null {
  if (!authors && !kinds && text === undefined) return null;
  const wanted = text?.trim().toLowerCase() ?? '';
  return ({ author, kind, message, mergedFrom }) =>
    (authors?.includes(author ?? '') ?? true) &&
    (kinds?.includes(kind) ?? true) &&
    (wanted === '' ||
      [message, author, mergedFrom?.branch].some((part) => part?.toLowerCase().includes(wanted) ?? false));
}
