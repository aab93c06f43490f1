import { AppError, abortedError, isAppError } from '#shared/api/problem.ts';
import { assertTableName } from '#shared/domain/names.ts';
import type { CallContext } from '../../ports/call.ts';
import type { ImportInput, ImportInputSource } from '../../ports/table-importer.ts';
import type { ImportTools } from './import-tools.ts';
import { listFiles } from './sources/list-files.ts';
import { openSource } from './sources/open-source.ts';
import { planSources } from './sources/plan-sources.ts';
import { writeTable } from './write-table.ts';

type PathSource = { path: string; label: string };

const isUrl = (source: ImportInputSource): source is { url: string; label: string } => 'url' in source;

async function fetchSources(
  input: ImportInput,
  folder: string,
  tools: ImportTools,
  { signal, onProgress }: CallContext,
): Promise<PathSource[]> {
  const sources: PathSource[] = [];
  for (const source of input.sources) {
    if (!isUrl(source)) {
      sources.push(source);
      continue;
    }
    const onBytes = (done: number) =>
      onProgress?.({ done, total: null, unit: 'bytes', message: `Fetching ${source.label}` });
    sources.push({ path: await tools.download(source.url, folder, onBytes, signal), label: source.label });
  }
  return sources;
}

/** What went wrong outside of what is known, as a problem that says no more than it may. */
function translate(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return abortedError();
  if (isAppError(error)) return error;
  const code = (error as { code?: string } | null)?.code;
  if (code === 'ENOSPC')
    return new AppError({
      code: 'MEMORY',
      message: 'The disk is full.',
      hint: 'Free some space and import again; nothing is left of this import.',
      cause: error,
    });
  if (error instanceof RangeError)
    return new AppError({
      code: 'MEMORY',
      message: 'The rows need more memory than the import may have.',
      hint: 'A single value or batch may be very large. Split the file.',
      cause: error,
    });
  return error;
}

/** Imports files into a new table; on any error nothing is left. */
export async function importTable(
  input: ImportInput,
  tools: ImportTools,
  context: CallContext,
): Promise<{ rows: number; version: number; notices: string[] }> {
  assertTableName(input.name);
  const { signal } = context;
  const needsFolder = input.sources.some(isUrl);
  const folder = needsFolder ? await tools.makeFolder(input.stagingId) : null;
  try {
    const sources = await fetchSources(input, folder?.path ?? '', tools, context);
    context.onProgress?.({ done: 0, total: null, unit: 'rows', message: 'Looking at the files' });
    const plan = await planSources(await listFiles(sources, signal), input.options, signal);
    const source = await openSource(plan, input.options, tools, context);
    try {
      const written = await writeTable(
        source,
        input,
        (schema) => tools.stage(input.stagingId, schema),
        context,
      );
      try {
        signal.throwIfAborted();
        await written.staged.publish(input.name);
      } catch (error) {
        await written.staged.discard();
        throw error;
      }
      return { rows: written.rows, version: written.version, notices: [...plan.notices, ...written.notices] };
    } finally {
      await source.close();
    }
  } catch (error) {
    throw translate(error, signal);
  } finally {
    await folder?.remove();
  }
}
