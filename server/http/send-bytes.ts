import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BytesReply } from './handler.ts';

/** Sends bytes with back-pressure. A body is left out for HEAD. */
export async function sendBytes(
  { status, headers, body, release }: BytesReply,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(status, headers);
  if (body === null || request.method === 'HEAD') {
    response.end();
    return;
  }
  if (body instanceof Uint8Array) {
    response.end(body);
    return;
  }
  const chunks = body[Symbol.asyncIterator]();
  // What was not written whole may still be held by the socket: such a chunk is left to the collector.
  const write = (chunk: Uint8Array): boolean =>
    response.write(chunk, release && ((error) => error || release(chunk)));
  try {
    let next = await chunks.next();
    const isWhole = !next.done && String(next.value.byteLength) === headers['Content-Length'];
    for (; !next.done; next = await chunks.next()) {
      if (response.destroyed) return;
      if (!write(next.value) && !isWhole) await drained(response);
      if (isWhole) break;
    }
    response.end();
  } finally {
    await chunks.return?.();
  }
}

/** Resolves when the response takes more, or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
