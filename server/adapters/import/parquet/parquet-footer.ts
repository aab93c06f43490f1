import { Buffer } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { AppError, isAppError } from '#shared/api/problem.ts';
import type { SourceFile } from '../../../arrow/row-source.ts';
import { replaceSchemaTags } from '../arrow/ipc-layout.ts';

const mark = 'PAR1';
const encryptedMark = 'PARE';
const tailSize = 8;
const schemaKey = Buffer.from('ARROW:schema');
/** Thrift's compact header of a text that is the next field of its struct. */
const nextTextField = 0x18;
const maxFooterBytes = 512 * 1024 * 1024;

const invalid = (label: string, why: string): AppError =>
  new AppError({
    code: 'INVALID_FILE',
    message: `${label}: ${why}.`,
    hint: 'The file is damaged or was not written to its end. Write it or copy it again.',
  });

/**
 * The end of a Parquet file, from the footer on, with the Arrow types that it names made ones that arrow-js can hold
 * (large lists become lists, views plain texts), which changes no length. Throws INVALID_FILE for a file without footer.
 */
export async function readParquetEnd({
  path,
  label,
}: SourceFile): Promise<{ start: number; bytes: Uint8Array; fileSize: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tail = await readAt(file, Math.max(0, size - tailSize), Math.min(tailSize, size));
    const found = tail.toString('latin1', 4);
    if (found === encryptedMark)
      throw new AppError({
        code: 'UNSUPPORTED',
        message: `${label}: the file is encrypted.`,
        hint: 'Decrypt it, then import it again.',
      });
    if (found !== mark) throw invalid(label, 'the Parquet file has no end (its footer is missing)');
    const footerSize = tail.readUInt32LE(0);
    const start = size - tailSize - footerSize;
    if (start < mark.length || footerSize > maxFooterBytes)
      throw invalid(label, 'the footer of the Parquet file is damaged');
    const bytes = await readAt(file, start, footerSize + tailSize);
    replaceArrowTypes(bytes);
    return { start, bytes, fileSize: size };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, start: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await file.read(bytes, 0, size, start);
  return bytes.subarray(0, bytesRead);
}

/** Changes the serialised Arrow schema in a footer's key-value metadata in place. Throws UNSUPPORTED for types that no table holds. */
export function replaceArrowTypes(footer: Buffer): void {
  const keyAt = footer.indexOf(schemaKey);
  if (keyAt === -1) return;
  let at = keyAt + schemaKey.length;
  if (footer[at++] !== nextTextField) return;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = footer[at++];
    if (byte === undefined || shift > 28) return;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  const text = footer.toString('latin1', at, at + length);
  const message = Buffer.from(text, 'base64');
  const prefix = message.length >= 8 && message.readInt32LE(0) === -1 ? 8 : 4;
  try {
    replaceSchemaTags(message.subarray(prefix));
  } catch (error) {
    if (isAppError(error)) throw error;
    return;
  }
  const replaced = message.toString('base64');
  if (replaced.length === length) footer.write(replaced, at, 'latin1');
}
