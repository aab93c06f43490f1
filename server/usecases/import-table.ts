import { randomUUID } from 'node:crypto';
import type { ImportBody, ImportSource, JobInfo } from '#shared/api/jobs.ts';
import { AppError } from '#shared/api/problem.ts';
import { assertTableName } from '#shared/domain/names.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import type { JobRunner } from '../ports/jobs.ts';
import type { ImportInput, ImportInputSource } from '../ports/table-importer.ts';
import type { Principal } from './authorize.ts';

/** Names that imports which have not ended will take. */
const claims = new WeakMap<JobRunner, Set<string>>();

const claimsOf = (jobs: JobRunner): Set<string> => {
  const claimed = claims.get(jobs) ?? new Set<string>();
  claims.set(jobs, claimed);
  return claimed;
};

const taken = (name: string, where: string, hint: string): AppError =>
  new AppError({ code: 'EXISTS', message: `There is a table ${name} ${where}.`, hint });

/** Neither SQL nor every disk tells names apart by upper and lower case. */
const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Throws BAD_REQUEST for a name that cannot be, and EXISTS for one that a table, the trash or a running import has. */
export async function assertFreeName(ports: Ports, name: string, context: CallContext): Promise<void> {
  assertTableName(name);
  const find = (names: Iterable<string>) => [...names].find((other) => isSameName(other, name));
  const claimed = find(claimsOf(ports.jobs));
  if (claimed !== undefined)
    throw taken(claimed, 'being imported', 'Wait for it or cancel it, or choose another name.');
  const trashed = find(ports.store.trash.list().map((entry) => entry.name));
  if (trashed !== undefined)
    throw taken(trashed, 'in the trash', 'Restore it, delete it for good, or choose another name.');
  const stored = find((await ports.reader.listTables({}, context)).map((table) => table.name));
  if (stored !== undefined)
    throw taken(stored, 'already', 'Choose another name, or move that table to the trash and delete it.');
}

const isHttp = (url: string): boolean => /^https?:\/\//i.test(url);

async function resolveSource(
  ports: Ports,
  source: ImportSource,
  signal: AbortSignal,
): Promise<ImportInputSource[]> {
  if ('path' in source) return ports.files.find(source.path, signal);
  if ('upload' in source) return [await ports.files.findUpload(source.upload)];
  if (!isHttp(source.url))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `${source.url.slice(0, 200)} is no http or https address.`,
      hint: 'Name files on the server as {"path": …}.',
    });
  return [{ url: source.url, label: source.url.replace(/[?#].*$/, '') }];
}

const keyOf = (key: ImportBody['key']): string[] | null => {
  const columns = key === undefined ? [] : [key].flat().filter((column) => column !== '');
  return columns.length === 0 ? null : columns;
};

export interface ImportRequest {
  name: string;
  key?: ImportBody['key'];
  options?: ImportBody['options'];
  sources: ImportInputSource[];
  principal: Principal;
  /** For the history; `Imported a.parquet` when absent. */
  message?: string;
  /** Runs when the job ends, however it does. */
  onEnd?: () => Promise<void>;
}

/** Resolves the sources of a request and starts its import. Errors as for {@link assertFreeName}, and NOT_FOUND. */
export async function importFromBody(
  ports: Ports,
  body: ImportBody,
  principal: Principal,
  context: CallContext,
): Promise<JobInfo> {
  await assertFreeName(ports, body.name, context);
  const sources = await Promise.all(
    body.sources.map((source) => resolveSource(ports, source, context.signal)),
  );
  return startImport(ports, { ...body, sources: sources.flat(), principal });
}

/** Starts an import as a job; the name must have been found free. */
export function startImport(ports: Ports, request: ImportRequest): JobInfo {
  const { name, sources } = request;
  const claimed = claimsOf(ports.jobs);
  if ([...claimed].some((other) => isSameName(other, name)))
    throw taken(name, 'being imported', 'Wait for it or cancel it, or choose another name.');
  claimed.add(name);
  const input: ImportInput = {
    name,
    sources,
    key: keyOf(request.key),
    options: request.options ?? {},
    stagingId: randomUUID(),
  };
  const end = async (): Promise<void> => {
    claimed.delete(name);
    await request.onEnd?.();
  };
  const job = ports.jobs.start({
    kind: 'import',
    title: `Import ${name}`,
    run: (context) => runImport(ports, input, request, context).finally(end),
  });
  void endUnstarted(ports, job.id, end);
  return job;
}

/** A job that is cancelled while it waits never runs. */
async function endUnstarted(ports: Ports, id: string, end: () => Promise<void>): Promise<void> {
  const never = new AbortController().signal;
  for await (const job of ports.jobs.follow(id, never)) {
    if (job.state === 'cancelled') await end();
    if (job.state !== 'queued') return;
  }
}

const nameSources = (sources: readonly ImportInputSource[]): string => {
  const [first, ...others] = sources.map(({ label }) => label.replace(/\/+$/, '').split('/').at(-1) || label);
  return others.length === 0 ? String(first) : `${first} and ${others.length} more`;
};

async function runImport(
  ports: Ports,
  input: ImportInput,
  request: ImportRequest,
  context: CallContext,
): Promise<unknown> {
  try {
    const { rows, version, notices } = await ports.importer.importTable(input, context);
    await recordImport(ports, input, request, { rows, version, notices });
    return { table: input.name, rows, version, notices };
  } catch (error) {
    await ports.importer
      .discard({ stagingId: input.stagingId }, { signal: new AbortController().signal })
      .catch(() => undefined);
    throw error;
  }
}

/** The first entry of the table's history. */
async function recordImport(
  ports: Ports,
  input: ImportInput,
  { principal, message }: ImportRequest,
  { rows, version, notices }: { rows: number; version: number; notices: string[] },
): Promise<void> {
  const { uuid } = await ports.reader.readHeads(
    { table: input.name },
    { signal: new AbortController().signal },
  );
  ports.store.addEdit({
    id: randomUUID(),
    tableUuid: uuid,
    branch: mainBranch,
    branchCreatedAt: '',
    kind: 'import',
    fromVersion: 0,
    toVersion: version,
    author: principal.name,
    message: message ?? `Imported ${nameSources(input.sources)}`,
    changed: { inserted: rows, updated: 0, deleted: 0 },
    at: ports.now().toISOString(),
    undoes: null,
    mergedFrom: null,
    mergeBase: null,
    detail: { sources: input.sources.map(({ label }) => label), notices },
  });
}
