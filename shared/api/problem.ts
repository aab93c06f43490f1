import * as z from 'zod';

/** Every error code that Curio answers with, and its HTTP status (RFC 9457 problem documents). */
export const problemStatus = {
  BAD_REQUEST: 400,
  SQL_SYNTAX: 400,
  SQL_BIND: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  PROTECTED_BRANCH: 403,
  NOT_FOUND: 404,
  EXISTS: 409,
  CONFLICT: 409,
  HEAD_MOVED: 409,
  GONE: 410,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA: 415,
  RANGE: 416,
  INVALID_FILE: 422,
  UNSUPPORTED: 422,
  ABORTED: 499,
  INTERNAL: 500,
  STREAM_BROKEN: 502,
  UPSTREAM: 502,
  ENGINE_CRASHED: 503,
  TIMEOUT: 504,
  MEMORY: 507,
} as const;

export type ProblemCode = keyof typeof problemStatus;

export const ProblemCode = z.enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]);

/** A place in the text that a person typed; both count from 1. */
export const TextPlace = z.object({ line: z.number(), column: z.number() });
export type TextPlace = z.infer<typeof TextPlace>;

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: ProblemCode,
  hint: z.string().optional(),
  requestId: z.string().optional(),
  at: TextPlace.optional(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

export interface AppErrorFacts {
  code: ProblemCode;
  /** What happened, in a sentence that may be shown. Never a stack, a server path or other people's SQL. */
  message: string;
  /** What to do next. */
  hint?: string;
  at?: TextPlace;
  issues?: { path: string; message: string }[];
  cause?: unknown;
}

/** The one error type that crosses module boundaries. Outside errors are translated once, in the adapter. */
export class AppError extends Error {
  readonly code: ProblemCode;
  readonly hint?: string;
  readonly at?: TextPlace;
  readonly issues?: { path: string; message: string }[];

  constructor(facts: AppErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.name = 'AppError';
    this.code = facts.code;
    this.hint = facts.hint;
    this.at = facts.at;
    this.issues = facts.issues;
  }
}

export const isAppError = (error: unknown): error is AppError => error instanceof AppError;

export const abortedError = (): AppError =>
  new AppError({ code: 'ABORTED', message: 'The request was cancelled.' });

export const notFound = (what: string, hint?: string): AppError =>
  new AppError({ code: 'NOT_FOUND', message: `${what} does not exist.`, hint });

const titles: Partial<Record<ProblemCode, string>> = {
  BAD_REQUEST: 'The request cannot be understood',
  SQL_SYNTAX: 'The SQL has a syntax error',
  SQL_BIND: 'The SQL names something that is not there',
  PROTECTED_BRANCH: 'The branch is protected',
  NOT_FOUND: 'Not found',
  EXISTS: 'The name is taken',
  CONFLICT: 'The changes conflict',
  HEAD_MOVED: 'The branch has moved',
  INVALID_FILE: 'The file cannot be read',
  ENGINE_CRASHED: 'The engine stopped while it worked on this request',
  INTERNAL: 'Something went wrong in Curio',
};

/** What to do next where the place that threw knows nothing better. */
const hints: Record<ProblemCode, string> = {
  BAD_REQUEST: 'The contract is at /api/docs.',
  SQL_SYNTAX: 'Look at the place that is marked; Curio reads DuckDB’s SQL.',
  SQL_BIND: 'Check the names of tables, columns and functions, and the types of values.',
  UNAUTHENTICATED: 'Sign in and try again.',
  FORBIDDEN: 'Ask somebody who may.',
  PROTECTED_BRANCH: 'Make the change on a branch of your own and merge it.',
  NOT_FOUND: 'Check the name; it may have been deleted or renamed.',
  EXISTS: 'Choose another name.',
  CONFLICT: 'Look at what changed since, then settle it.',
  HEAD_MOVED: 'Look at what is new and try again.',
  GONE: 'It was deleted. Look in the trash, or open another version.',
  TOO_LARGE: 'Send less at once.',
  UNSUPPORTED_MEDIA: 'Send it in another format.',
  RANGE: 'Ask for bytes within the size that Content-Range gives.',
  INVALID_FILE: 'Mend the file and try again.',
  UNSUPPORTED: 'Curio cannot do this here; try it in another way.',
  ABORTED: 'Start it again if it is still wanted.',
  INTERNAL: 'The server’s log has the details under the request id.',
  STREAM_BROKEN: 'Try again.',
  UPSTREAM: 'Check that the other server can be reached, then try again.',
  ENGINE_CRASHED: 'Only this request was lost; it is safe to try again, in another form if it repeats.',
  TIMEOUT: 'Ask for less at once, or try again later.',
  MEMORY: 'Read fewer rows or columns at once.',
};

const titleOf = (code: ProblemCode): string =>
  titles[code] ?? code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');

/** The only serialiser of errors. `requestId` ties the answer to the server's log. */
export function formatProblem(error: AppError, requestId?: string): Problem {
  return {
    type: `urn:curio:problem:${error.code.toLowerCase().replaceAll('_', '-')}`,
    title: titleOf(error.code),
    status: problemStatus[error.code],
    detail: error.message,
    code: error.code,
    hint: error.hint ?? hints[error.code],
    ...(requestId === undefined ? {} : { requestId }),
    ...(error.at === undefined ? {} : { at: error.at }),
    ...(error.issues === undefined ? {} : { issues: error.issues }),
  };
}

/** Inverse of {@link formatProblem}. */
export function parseProblem(problem: Problem): AppError {
  const { code, detail, hint, at, issues } = problem;
  return new AppError({ code, message: detail, hint, at, issues });
}
