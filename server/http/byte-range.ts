import { AppError } from '#shared/api/problem.ts';

/**
 * The one range of a `Range` header (RFC 9110, 14.1.2) as start (inclusive) and end (exclusive); null for none, for
 * several and for other units, which are answered with everything. Throws RANGE when it lies outside.
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): { start: number; end: number } | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1);
  const isBackwards = first !== '' && last !== '' && Number(last) < Number(first);
  if (isBackwards) return null;
  if (start >= sizeBytes || end <= start)
    throw new AppError({
      code: 'RANGE',
      message: `The range lies outside of the ${sizeBytes} bytes.`,
      hint: `Ask for bytes 0 to ${Math.max(0, sizeBytes - 1)}.`,
    });
  return { start, end };
}
