import type { Response } from 'express';
import { type AppError, formatProblem } from '#shared/api/problem.ts';
import { problemType } from '#shared/api/wire.ts';

/** Answers with a problem document; once a body has begun, the connection is cut so that no reader takes it for whole. */
export function sendProblem(response: Response, error: AppError, requestId: string): void {
  if (error.code === 'INTERNAL') {
    const cause = error.cause instanceof Error ? error.cause.stack : error.cause;
    process.stderr.write(
      `${requestId} ${error.stack ?? error.message}${cause === undefined ? '' : `\ncaused by ${cause}`}\n`,
    );
  }
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = formatProblem(error, requestId);
  response
    .status(problem.status)
    .type(problemType)
    .set('Cache-Control', 'no-store')
    .send(JSON.stringify(problem));
}
