import { open } from 'node:fs/promises';
import { AppError } from '#shared/api/problem.ts';
import { blobKindOf, sniffBytes, sniffMediaType } from '../../../media-type.ts';
import type { FoundFile } from './list-files.ts';

export type TableFormat = 'parquet' | 'csv' | 'tsv' | 'json' | 'ndjson' | 'arrow';

/** What a file is taken for. */
export type FileFormat =
  | { kind: 'table'; format: TableFormat }
  | { kind: 'media'; contentType: string }
  /** Neither rows nor media: a licence, an archive, … */
  | { kind: 'other'; contentType: string };

const formatByExtension: ReadonlyMap<string, TableFormat> = new Map([
  ['parquet', 'parquet'],
  ['pq', 'parquet'],
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['tab', 'tsv'],
  ['json', 'json'],
  ['jsonl', 'ndjson'],
  ['ndjson', 'ndjson'],
  ['arrow', 'arrow'],
  ['arrows', 'arrow'],
  ['ipc', 'arrow'],
  ['feather', 'arrow'],
]);

const mediaExtensions = new Set(
  'jpg jpeg jfif png webp gif avif heic heif bmp tif tiff svg jxl jp2 ico mp4 m4v mov webm mkv avi mpg mpeg ogv wav mp3 flac ogg oga opus m4a aac aif aiff wma mid midi pdf ply glb gltf stl obj'.split(
    ' ',
  ),
);

/** `csv` of `a.csv` and of `a.csv.gz`; empty without extension. */
export const extensionOf = (name: string): string =>
  /\.([a-z0-9]+)(?:\.(?:gz|gzip|zst|zstd))?$/i.exec(name)?.[1]?.toLowerCase() ?? '';

const isPacked = (contentType: string): boolean =>
  contentType === 'application/gzip' || contentType === 'application/zstd';
const isText = (contentType: string): boolean => blobKindOf(contentType) === 'text';
const isMedia = (contentType: string): boolean =>
  ['image', 'video', 'audio', 'model', 'pdf'].includes(blobKindOf(contentType));

const streamMark = 0xffff_ffff;
const maxSchemaBytes = 64 * 1024 * 1024;

/** An Arrow stream begins with a marker and the length of its schema. */
function isArrowStream(head: Buffer): boolean {
  if (head.length < 12 || head.readUInt32LE(0) !== streamMark) return false;
  const length = head.readInt32LE(4);
  return length > 0 && length < maxSchemaBytes && length % 8 === 0;
}

function formatOfText(head: Buffer, contentType: string, extension: string): FileFormat {
  const named = formatByExtension.get(extension);
  if (named === 'csv' || named === 'tsv' || named === 'json' || named === 'ndjson')
    return { kind: 'table', format: named };
  if (named) return { kind: 'other', contentType };
  const text = head.toString('utf8').trimStart();
  if (extension === '' || extension === 'txt') {
    if (text.startsWith('{')) return { kind: 'table', format: 'ndjson' };
    if (text.startsWith('[')) return { kind: 'table', format: 'json' };
    const firstLine = text.split(/\r?\n/, 1)[0] ?? '';
    if (firstLine.includes('\t')) return { kind: 'table', format: 'tsv' };
    if (/[,;|]/.test(firstLine)) return { kind: 'table', format: 'csv' };
  }
  return { kind: 'other', contentType };
}

/** What a file is, by its first bytes, and only then by its name. */
export function detectFormat(head: Buffer, name: string): FileFormat {
  const extension = extensionOf(name);
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return { kind: 'table', format: 'parquet' };
  if (head.subarray(0, 6).toString('latin1') === 'ARROW1' || isArrowStream(head))
    return { kind: 'table', format: 'arrow' };
  const contentType = sniffMediaType(head);
  if (isMedia(contentType)) return { kind: 'media', contentType };
  const named = formatByExtension.get(extension);
  const hasUtf16Mark = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const isNamedText = named === 'csv' || named === 'tsv' || named === 'json' || named === 'ndjson';
  if (isNamedText && (isPacked(contentType) || hasUtf16Mark || contentType === 'application/octet-stream'))
    return { kind: 'table', format: named };
  if (isText(contentType)) return formatOfText(head, contentType, extension);
  if (mediaExtensions.has(extension)) return { kind: 'media', contentType };
  return { kind: 'other', contentType };
}

export async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(sniffBytes);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const whatIs: Record<string, string> = {
  'application/zip': 'a ZIP archive (as Excel files are, too)',
  'application/gzip': 'a gzip file without the name of what is in it',
  'application/x-npy': 'a NumPy array',
  'text/html': 'a web page',
};

/** Why a file alone cannot become a table. */
export function notATable(file: FoundFile, contentType: string): AppError {
  const named = formatByExtension.get(extensionOf(file.label));
  if (file.sizeBytes === 0)
    return new AppError({
      code: 'INVALID_FILE',
      message: `${file.label}: the file is empty.`,
      hint: 'Choose a file with rows.',
    });
  const what = whatIs[contentType] ?? (isText(contentType) ? 'text' : `of the type ${contentType}`);
  return new AppError({
    code: 'INVALID_FILE',
    message:
      named === 'parquet' || named === 'arrow'
        ? `${file.label}: the file is no ${named === 'arrow' ? 'Arrow' : 'Parquet'} file; it is ${what}.`
        : `${file.label}: the file is ${what}, which holds no rows that Curio can read.`,
    hint: 'Curio reads Parquet, Arrow, CSV, TSV, JSON and NDJSON, and folders of pictures, videos, sounds and 3D models.',
  });
}
