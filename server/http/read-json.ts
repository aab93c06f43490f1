import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { AppError, abortedError } from '#shared/api/problem.ts';

/** Reads a JSON body of a route that also takes forms. BAD_REQUEST when it is not as the schema says, TOO_LARGE above the limit. */
export async function readJson<S extends z.ZodType>(
  request: IncomingMessage,
  schema: S,
  maxBytes: number,
): Promise<z.infer<S>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes)
      throw new AppError({
        code: 'TOO_LARGE',
        message: `The body is larger than ${maxBytes / 1024 ** 2} MB.`,
        hint: 'Send files as a form, or name their paths.',
      });
    chunks.push(chunk as Buffer);
  }
  if (request.destroyed && !request.complete) throw abortedError();
  const parsed = schema.safeParse(parse(Buffer.concat(chunks).toString('utf8')));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const [first] = issues;
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `The body of the request is not as the contract says${first ? `: ${first.path === '' ? '' : `${first.path}: `}${first.message}` : ''}.`,
    hint: 'The contract is at /api/docs.',
    issues,
    cause: parsed.error,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The body is not JSON.',
      hint: 'Send JSON, or a form with files.',
      cause: error,
    });
  }
}
