import type * as z from 'zod';
import { AppError } from '#shared/api/problem.ts';

/** A place to go on from, as a text that nobody needs to read; the inverse of `readCursor`. */
export const writeCursor = (cursor: unknown): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** The place that a text names. `whose` is what it is a place of: “this graph”. BAD_REQUEST where it is none. */
export function readCursor<T>(schema: z.ZodType<T>, text: string, whose: string): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch (cause) {
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The cursor is not one of ${whose}.`,
      hint: 'Begin again without a cursor.',
      cause,
    });
  }
}
