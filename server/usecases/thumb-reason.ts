import { AppError } from '#shared/api/problem.ts';
import type { BlobFacts } from '../ports/table-reader.ts';

/** What of a value is told of its bytes. */
export const shownBytes = 8;

const formatSize = (sizeBytes: number): string => {
  if (sizeBytes === 1) return '1 byte';
  if (sizeBytes < 1000) return `${sizeBytes} bytes`;
  const [size, unit] = sizeBytes < 1e6 ? [sizeBytes / 1e3, 'kB'] : [sizeBytes / 1e6, 'MB'];
  return `${size < 100 ? size.toFixed(1) : Math.round(size)} ${unit}`;
};

/** Adds to why there is no thumb what the bytes are: their size, their type and the first of them. */
export function explainThumb(
  error: AppError,
  bytes: Uint8Array,
  { sizeBytes, contentType }: Pick<BlobFacts, 'sizeBytes' | 'contentType'>,
): AppError {
  const marks = Buffer.from(bytes.subarray(0, shownBytes)).toString('hex').toUpperCase().match(/../g) ?? [];
  const facts =
    sizeBytes === 0
      ? 'The cell has 0 bytes.'
      : `It has ${formatSize(sizeBytes)}, ${contentType} by its first: ${marks.join(' ')}${sizeBytes > shownBytes ? ' …' : ''}`;
  return new AppError({
    code: error.code,
    message: `${error.message} ${facts}`,
    hint: error.hint,
    cause: error,
  });
}

export const noBytes = (): AppError =>
  new AppError({
    code: 'UNSUPPORTED_MEDIA',
    message: 'There is nothing to show: the value has no bytes.',
    hint: 'Put a file in its place, or look where the row came from; the download would be empty.',
  });

export const noFurtherPages = (contentType: string): AppError =>
  new AppError({
    code: 'RANGE',
    message: `Only a PDF has further pages; this is ${contentType}.`,
    hint: 'Leave `page` out, or ask for page 1.',
  });
