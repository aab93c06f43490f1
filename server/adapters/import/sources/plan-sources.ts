import { basename } from 'node:path';
import type { ImportOptions } from '#shared/api/jobs.ts';
import { AppError } from '#shared/api/problem.ts';
import { detectFormat, type FileFormat, notATable, readHead, type TableFormat } from './detect-format.ts';
import { type FoundFile, type FoundFiles, nameSome } from './list-files.ts';

export interface MediaFile extends FoundFile {
  contentType: string;
}

/** What an import reads. */
export type SourcePlan =
  | { kind: 'tables'; format: TableFormat; files: FoundFile[]; notices: string[] }
  | {
      kind: 'media';
      files: MediaFile[];
      metadata: { file: FoundFile; format: TableFormat } | null;
      notices: string[];
    };

interface DetectedFile {
  file: FoundFile;
  format: FileFormat;
}

const headsAtOnce = 16;

async function detectAll(files: readonly FoundFile[], signal: AbortSignal): Promise<DetectedFile[]> {
  const detected: DetectedFile[] = [];
  for (let from = 0; from < files.length; from += headsAtOnce) {
    signal.throwIfAborted();
    const part = files
      .slice(from, from + headsAtOnce)
      .map(async (file) => ({ file, format: await detectFile(file) }));
    detected.push(...(await Promise.all(part)));
  }
  return detected;
}

async function detectFile(file: FoundFile): Promise<FileFormat> {
  try {
    return detectFormat(await readHead(file.path), basename(file.relative));
  } catch (error) {
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${file.label}: Curio may not read it.`,
      hint: 'Look at the rights of the file.',
      cause: error,
    });
  }
}

const isTable = ({ format }: DetectedFile): boolean => format.kind === 'table';
const isMedia = ({ format }: DetectedFile): boolean => format.kind === 'media';
const formatOf = ({ format }: DetectedFile): TableFormat => (format as { format: TableFormat }).format;

const metadataName = /^metadata\.(jsonl|ndjson|csv|tsv|json|parquet)$/i;

function findMetadata(detected: readonly DetectedFile[], wanted: string | undefined): DetectedFile | null {
  const found = detected.find((entry) =>
    wanted === undefined
      ? metadataName.test(entry.file.relative) && isTable(entry)
      : entry.file.relative === wanted.replace(/^\.\//, ''),
  );
  if (wanted === undefined) return found ?? null;
  if (!found)
    throw new AppError({
      code: 'NOT_FOUND',
      message: `The metadata file ${wanted} is not in the folder.`,
      hint: 'Its path is relative to the folder.',
    });
  if (!isTable(found)) throw notATable(found.file, (found.format as { contentType: string }).contentType);
  return found;
}

function planMedia(detected: readonly DetectedFile[], options: ImportOptions, notices: string[]): SourcePlan {
  const metadata = findMetadata(detected, options.metadata);
  const isForced = options.format === 'folder';
  const taken = detected.filter(
    (entry) => entry !== metadata && (isMedia(entry) || (isForced && entry.format.kind === 'other')),
  );
  const left = detected.filter((entry) => entry !== metadata && !taken.includes(entry));
  if (left.length > 0)
    notices.push(
      `${left.length === 1 ? 'One file is' : `${left.length} files are`} no media and ${left.length === 1 ? 'was' : 'were'} left out: ${nameSome(left.map(({ file }) => file.relative))}.`,
    );
  const files = taken.map(({ file, format }) => ({
    ...file,
    contentType: (format as { contentType: string }).contentType,
  }));
  if (files.length === 0)
    throw new AppError({
      code: 'INVALID_FILE',
      message: 'The folder has no pictures, videos or sounds.',
      hint: 'Choose a folder of media, or files of rows.',
    });
  return {
    kind: 'media',
    files,
    metadata: metadata ? { file: metadata.file, format: formatOf(metadata) } : null,
    notices,
  };
}

function planTables(detected: readonly DetectedFile[], hasFolder: boolean, notices: string[]): SourcePlan {
  const tables = detected.filter(isTable);
  const others = detected.filter((entry) => !isTable(entry));
  const unreadable = others.find(
    ({ file }) => !hasFolder || /\.(parquet|pq|arrow|feather|csv|tsv|jsonl?|ndjson)$/i.test(file.relative),
  );
  if (unreadable || tables.length === 0) {
    const { file, format } = unreadable ?? others[0]!;
    throw notATable(file, (format as { contentType: string }).contentType);
  }
  const format = formatOf(tables[0]!);
  const odd = tables.find((entry) => formatOf(entry) !== format);
  if (odd)
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${odd.file.label} is ${formatOf(odd).toUpperCase()}, but ${tables[0]!.file.label} is ${format.toUpperCase()}.`,
      hint: 'Files that become one table have one format. Import them one after the other.',
    });
  if (others.length > 0)
    notices.push(`Left out, as they hold no rows: ${nameSome(others.map(({ file }) => file.relative))}.`);
  return { kind: 'tables', format, files: tables.map(({ file }) => file), notices };
}

/** Decides what the files are together: parts of one table, or media. Throws INVALID_FILE naming the file that does not fit. */
export async function planSources(
  { files, folders, notices }: FoundFiles,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<SourcePlan> {
  const { format } = options;
  if (format !== undefined && format !== 'folder') return { kind: 'tables', format, files, notices };
  const detected = await detectAll(files, signal);
  if (format === 'folder' || detected.some(isMedia)) return planMedia(detected, options, notices);
  return planTables(detected, folders.length > 0, notices);
}
