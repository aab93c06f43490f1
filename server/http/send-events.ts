import type { Response } from 'express';

/** Server-sent events, one JSON value each; ends with the iterable. */
export async function sendEvents(
  values: AsyncIterable<unknown>,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  response.set({
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  for await (const value of values) {
    if (signal.aborted) return;
    response.write(`data: ${JSON.stringify(value)}\n\n`);
  }
  response.end();
}
