import type { Request, Response } from 'express';
import type { BytesReply } from './handler.ts';

/** Sends bytes with back-pressure. A body is left out for HEAD. */
export async function sendBytes(
  { status, headers, body }: BytesReply,
  request: Request,
  response: Response,
): Promise<void> {
  response.status(status).set(headers);
  if (body === null || request.method === 'HEAD') {
    response.end();
    return;
  }
  if (body instanceof Uint8Array) {
    response.end(body);
    return;
  }
  const chunks = body[Symbol.asyncIterator]();
  try {
    let next = await chunks.next();
    if (!next.done && String(next.value.byteLength) === headers['Content-Length']) {
      response.end(next.value);
      return;
    }
    for (; !next.done; next = await chunks.next()) {
      if (response.destroyed) return;
      if (!response.write(next.value)) await drained(response);
    }
    response.end();
  } finally {
    await chunks.return?.();
  }
}

/** Resolves when the response takes more, or is gone. */
export function drained(response: Response): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
