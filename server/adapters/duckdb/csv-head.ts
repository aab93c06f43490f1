import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { AppError } from '#shared/api/problem.ts';
import type { SourceFile } from '../../arrow/row-source.ts';

export type Compression = 'none' | 'gzip' | 'zstd';
export type TextEncoding = 'utf-8' | 'utf-16' | 'latin-1';

export interface TextHead {
  text: string;
  encoding: TextEncoding;
  compression: Compression;
}

const headBytes = 1024 * 1024;
const decoderOf: Record<TextEncoding, string> = {
  'utf-8': 'utf-8',
  'utf-16': 'utf-16le',
  'latin-1': 'latin1',
};

async function readHead(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= headBytes) break;
    }
  } finally {
    stream.destroy();
  }
  return Buffer.concat(chunks).subarray(0, headBytes);
}

/** The first megabyte of a text file, unpacked and decoded. */
export async function readTextHead({ path, label }: SourceFile, wanted?: TextEncoding): Promise<TextHead> {
  const raw = await readHead(createReadStream(path, { end: headBytes - 1 }));
  const compression: Compression =
    raw[0] === 0x1f && raw[1] === 0x8b
      ? 'gzip'
      : raw.length >= 4 && raw.readUInt32LE(0) === 0xfd2fb528
        ? 'zstd'
        : 'none';
  const bytes = compression === 'none' ? raw : await unpackHead(path, label, compression);
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = wanted ?? (isUtf16 ? 'utf-16' : 'utf-8');
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
  const text = new TextDecoder(isBigEndian ? 'utf-16be' : decoderOf[encoding]).decode(bytes);
  if (text.includes('\0'))
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${label}: the file is no text.`,
      hint: 'Choose a text file, or give the file the extension of its format.',
    });
  return { text, encoding, compression };
}

async function unpackHead(path: string, label: string, compression: Compression): Promise<Buffer> {
  const source = createReadStream(path);
  const unpacked = source.pipe(compression === 'gzip' ? createGunzip() : createZstdDecompress());
  try {
    return await readHead(unpacked);
  } catch (error) {
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${label}: the compressed file is damaged.`,
      hint: 'Compress it again.',
      cause: error,
    });
  } finally {
    source.destroy();
  }
}

/** The values of the first line of CSV, or null for a text without any. A quoted value may go over several lines. */
export function parseFirstRecord(text: string, delimiter: string): string[] | null {
  const start = /^[\r\n]+/.exec(text)?.[0].length ?? 0;
  if (start >= text.length) return null;
  const values: string[] = [];
  let value = '';
  let isQuoted = false;
  let at = start;
  for (; at < text.length; at += 1) {
    const char = text[at]!;
    if (isQuoted) {
      if (char !== '"') value += char;
      else if (text[at + 1] === '"') {
        value += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && value === '') isQuoted = true;
    else if (char === delimiter) {
      values.push(value);
      value = '';
    } else if (char === '\n' || char === '\r') break;
    else value += char;
  }
  values.push(value);
  return values;
}

const delimiters = [',', '\t', ';', '|'];

/** The delimiter that cuts the first line into the most values. */
export function guessDelimiter(text: string): string {
  const counts = delimiters.map((delimiter) => parseFirstRecord(text, delimiter)?.length ?? 0);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}
