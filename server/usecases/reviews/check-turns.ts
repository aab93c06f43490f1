import { AppError, abortedError } from '#shared/api/problem.ts';
import type { CallContext } from '../../ports/call.ts';

/** Statements of checks were typed once and run unseen: one that never ends is stopped. */
export const maxCheckMs = 10 * 60_000;

let last: Promise<void> = Promise.resolve();

const timedOut = (ms: number): AppError =>
  new AppError({
    code: 'TIMEOUT',
    message: `The statement of the check ran for more than ${Math.round(ms / 60_000)} minutes and was stopped.`,
    hint: 'Make it simpler, or run it in the SQL workbench to see what takes so long.',
  });

/**
 * Statements of checks run one at a time, so that an engine is left for those of people, and end with TIMEOUT when they
 * take too long; waiting does not count.
 */
export async function inCheckTurn<T>(
  context: CallContext,
  work: (context: CallContext) => Promise<T>,
  maxMs = maxCheckMs,
): Promise<T> {
  const before = last;
  const { promise, resolve: passOn } = Promise.withResolvers<void>();
  last = before.then(() => promise);
  try {
    await orAborted(before, context.signal);
    const deadline = AbortSignal.timeout(maxMs);
    try {
      return await work({ ...context, signal: AbortSignal.any([context.signal, deadline]) });
    } catch (error) {
      throw deadline.aborted && !context.signal.aborted ? timedOut(maxMs) : error;
    }
  } finally {
    passOn();
  }
}

async function orAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw abortedError();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = () => reject(abortedError());
  signal.addEventListener('abort', leave, { once: true });
  try {
    await Promise.race([turn, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
