import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '#shared/api/problem.ts';
import type { ImportOutcome, SavedQuerySummary } from '#shared/api/queries.ts';
import { parseQueryFile, queryFileName } from '#shared/domain/query-file.ts';
import { type ExitCode, exitCode } from '../exit-codes.ts';
import { isSet } from '../parse-command.ts';
import { formatColumns } from '../print.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import type { RunContext, RunVerb } from './run-context.ts';

/** Larger files are no queries. */
const maxFileBytes = 4_000_000;

export const runQueries: RunVerb = async (context) => {
  const [what = 'list', folder, ...others] = context.command.positionals;
  if (what === 'list' && folder === undefined) return listQueries(context);
  if ((what !== 'export' && what !== 'import') || folder === undefined || others.length > 0)
    throw new UsageError('queries is followed by nothing, by export DIR, or by import DIR.');
  const path = resolve(context.folder, folder);
  return what === 'export' ? exportQueries(context, path) : importQueries(context, path);
};

const readQueries = async ({ client, signal }: RunContext): Promise<SavedQuerySummary[]> =>
  (await client.json<{ queries: SavedQuerySummary[] }>('listQueries', { signal })).queries;

async function listQueries(context: RunContext): Promise<ExitCode> {
  const { command, out, err } = context;
  const queries = await readQueries(context);
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify({ queries }));
  else if (queries.length === 0) await writeLine(err, 'There are no saved queries yet.');
  else {
    const rows = queries.map(({ name, sql, refs, at, id }) => [
      name,
      sql === undefined ? 'view' : 'sql',
      Object.entries(refs)
        .map(([table, ref]) => `${table}@${ref}`)
        .join(', '),
      at.slice(0, 10),
      id,
    ]);
    await writeLine(
      out,
      formatColumns(['name', 'kind', 'reads', 'changed', 'id'], rows, () => false),
    );
  }
  return exitCode.ok;
}

/** Files of the folder that hold queries, by the id of the query. */
async function filesById(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.sql')) continue;
    try {
      const { id } = parseQueryFile(await readFile(join(folder, name), 'utf8'), name);
      if (id !== null) found.set(id, name);
    } catch {
      // a file of somebody else stays as it is
    }
  }
  return found;
}

/** One file per query; one that has another name now moves, and files of other things stay. */
async function exportQueries(context: RunContext, folder: string): Promise<ExitCode> {
  const { client, command, out, signal } = context;
  const queries = (await readQueries(context)).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  await mkdir(folder, { recursive: true });
  const before = await filesById(folder);
  const taken = new Set<string>();
  const others = new Set((await readdir(folder)).filter((name) => ![...before.values()].includes(name)));
  const files: string[] = [];
  for (const { id, name } of queries) {
    const plain = queryFileName(name);
    const isTaken = taken.has(plain) || others.has(plain);
    const file = isTaken ? plain.replace(/\.sql$/, `-${id.slice(0, 8)}.sql`) : plain;
    const text = await (await client.send('queryFile', { params: { id }, signal })).text();
    const old = before.get(id);
    if (old !== undefined && old !== file && !taken.has(old)) await rm(join(folder, old), { force: true });
    await writeFile(join(folder, file), text);
    taken.add(file);
    files.push(file);
  }
  await writeLine(
    out,
    isSet(command, 'json')
      ? JSON.stringify({ files })
      : `${files.length} ${files.length === 1 ? 'query' : 'queries'} written`,
  );
  return exitCode.ok;
}

async function importQueries(context: RunContext, folder: string): Promise<ExitCode> {
  const { client, command, out, err, signal } = context;
  const body = { files: await readFiles(folder) };
  const { files } = await client.json<{ files: ImportOutcome[] }>('importQueries', { body, signal });
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify({ files }));
  else
    for (const { path, outcome, why } of files)
      await writeLine(
        outcome === 'refused' ? err : out,
        `${path}: ${outcome}${why === null ? '' : `. ${why}`}`,
      );
  return files.some(({ outcome }) => outcome === 'refused') ? exitCode.failed : exitCode.ok;
}

async function readFiles(folder: string): Promise<{ path: string; text: string }[]> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.sql') && !name.startsWith('.'))
    .sort();
  if (names.length === 0)
    throw new AppError({
      code: 'NOT_FOUND',
      message: 'The folder has no .sql files.',
      hint: 'Name the folder that queries export wrote to.',
    });
  return Promise.all(
    names.map(async (path) => {
      const { size } = await stat(join(folder, path));
      if (size > maxFileBytes)
        throw new AppError({ code: 'TOO_LARGE', message: `${path} is larger than a query may be.` });
      return { path, text: await readFile(join(folder, path), 'utf8') };
    }),
  );
}
