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
  for await (const chunk of body) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
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
