import type { ImportOptions } from '#shared/api/jobs.ts';
import { isAppError } from '#shared/api/problem.ts';
import type { RowSource } from '../../../arrow/row-source.ts';
import type { CallContext } from '../../../ports/call.ts';
import { openArrowSource } from '../arrow/arrow-source.ts';
import type { ImportTools, SizedFile } from '../import-tools.ts';
import { type MediaMetadata, readMediaMetadata } from '../media/media-metadata.ts';
import { createMediaSource, findProblems } from '../media/media-source.ts';
import { openParquetSource } from '../parquet/parquet-source.ts';
import { concatSources } from './concat-sources.ts';
import type { TableFormat } from './detect-format.ts';
import type { MediaFile, SourcePlan } from './plan-sources.ts';

const opensAtOnce = 4;

/** Parquet in its sandbox; where that one does not know the file's types, DuckDB may. */
async function openParquet(file: SizedFile, tools: ImportTools, signal: AbortSignal): Promise<RowSource> {
  try {
    return await openParquetSource(file, signal);
  } catch (error) {
    if (isAppError(error)) throw error;
    return tools.openOddParquet(file, signal);
  }
}

async function openEach(
  files: readonly SizedFile[],
  open: (file: SizedFile) => Promise<RowSource>,
): Promise<RowSource> {
  const sources: RowSource[] = [];
  try {
    for (let from = 0; from < files.length; from += opensAtOnce) {
      const opened = await Promise.allSettled(files.slice(from, from + opensAtOnce).map(open));
      for (const result of opened) if (result.status === 'fulfilled') sources.push(result.value);
      const failed = opened.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    }
    return concatSources(sources);
  } catch (error) {
    await Promise.all(sources.map((source) => source.close()));
    throw error;
  }
}

function openTables(
  files: readonly SizedFile[],
  format: TableFormat,
  options: ImportOptions,
  tools: ImportTools,
  signal: AbortSignal,
): Promise<RowSource> {
  switch (format) {
    case 'parquet':
      return openEach(files, (file) => openParquet(file, tools, signal));
    case 'arrow':
      return openEach(files, (file) => openArrowSource(file, signal));
    default:
      return tools.openText(files, format, options, signal);
  }
}

/** The rows that a plan gives. */
export async function openSource(
  plan: SourcePlan,
  options: ImportOptions,
  tools: ImportTools,
  { signal, onProgress }: CallContext,
): Promise<RowSource> {
  if (plan.kind === 'tables') return openTables(plan.files, plan.format, options, tools, signal);
  const total = plan.files.length;
  const problems = await findProblems(
    plan.files,
    tools.inspectPicture,
    (done) => onProgress?.({ done, total, unit: 'files', message: 'Checking the media' }),
    signal,
  );
  const paths = plan.files.map((file) => file.relative);
  const metadataSource = plan.metadata
    ? await openTables([plan.metadata.file], plan.metadata.format, {}, tools, signal)
    : null;
  try {
    const metadata = metadataSource ? await readMediaMetadata(metadataSource, paths, signal) : null;
    if (metadata) plan.notices.push(...metadata.notices);
    if (problems.size > 0)
      plan.notices.push(
        `${problems.size === 1 ? 'One file cannot be decoded; its row says' : `${problems.size} files cannot be decoded; their rows say`} why in the column “problem”.`,
      );
    return createMediaSource({
      label: plan.files[0]!.label,
      files: metadata ? inOrderOf(metadata, plan.files) : plan.files,
      metadata,
      problems,
    });
  } finally {
    await metadataSource?.close();
  }
}

/** Files in the order of the metadata's rows, then those that have none. */
function inOrderOf(metadata: MediaMetadata, files: readonly MediaFile[]): MediaFile[] {
  const place = (file: MediaFile): number => metadata.rowOf(file.relative) ?? Number.MAX_SAFE_INTEGER;
  return [...files].sort((a, b) => place(a) - place(b));
}
