import { AppError, abortedError, Problem, parseProblem } from '#shared/api/problem.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { addressOf } from '../api/index.ts';
import { reframeStream } from './reframe.ts';
import type { FetchColumns } from './resident-columns.ts';

const streamBytes = 8 * 1024 * 1024;

/** Columns of a pinned ref from the server, as complete Arrow streams; the next is fetched while one is taken in. */
export const fetchColumns: FetchColumns = (table, { columns, limit, signal, onBytes }) => {
  const q = JSON.stringify({ ref: formatRef(table.ref), columns, ...(limit === null ? {} : { limit }) });
  return readAhead(
    reframeStream(
      readBody(addressOf('rowsGet', { table: table.table }, { q }), signal, onBytes),
      streamBytes,
    ),
  );
};

async function* readBody(
  url: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) throw await problemOf(response);
    const reader = response.body?.getReader();
    if (!reader) throw new AppError({ code: 'STREAM_BROKEN', message: 'The answer is empty.' });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes(value.byteLength);
      yield value;
    }
  } catch (error) {
    if (signal.aborted) throw abortedError();
    if (error instanceof AppError) throw error;
    throw new AppError({
      code: 'STREAM_BROKEN',
      message: 'The columns broke off while they were fetched.',
      hint: 'Is the server still running? Try again.',
      cause: error,
    });
  }
}

async function problemOf(response: Response): Promise<AppError> {
  const parsed = Problem.safeParse(await response.json().catch(() => null));
  if (parsed.success) return parseProblem(parsed.data);
  return new AppError({
    code: 'UPSTREAM',
    message: `The server answered ${response.status} without saying why.`,
  });
}

/** One item ahead of the consumer, so that the network and DuckDB work at the same time. */
export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
