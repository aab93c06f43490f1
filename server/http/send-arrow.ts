import type { Request, Response } from 'express';
import { arrowStreamType } from '#shared/api/wire.ts';
import { readRowsAsJson } from '../arrow/rows-as-json.ts';
import { formatHead, socketToGive } from './hand-over.ts';
import type { ArrowReply } from './handler.ts';
import { writeChunks } from './write-chunks.ts';

/** Sends an Arrow stream, or with `?format=json` the same rows as JSON. The first chunk is awaited, so that early errors are problems. */
export async function sendArrow(
  { stream, immutableTag }: ArrowReply,
  request: Request,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  const etag = immutableTag === undefined ? null : `"${immutableTag}"`;
  const caching = etag
    ? { ETag: etag, 'Cache-Control': 'private, max-age=31536000, immutable' }
    : { 'Cache-Control': 'no-store' };
  const chunks = stream.chunks[Symbol.asyncIterator]();
  let isHandedOver = false;
  try {
    if (etag && request.headers['if-none-match'] === etag) {
      response.status(304).set(caching).end();
      return;
    }
    if (request.query.format === 'json') {
      const body = await readRowsAsJson({ [Symbol.asyncIterator]: () => chunks }, signal);
      response.status(200).set(caching).json(body);
      return;
    }
    const socket = stream.handOver ? socketToGive(request, response) : null;
    if (socket) {
      response.status(200).set({ ...caching, 'Content-Type': arrowStreamType });
      isHandedOver = true;
      void stream.handOver?.(socket, formatHead(response));
      return;
    }
    const first = await chunks.next();
    response.status(200).set({ ...caching, 'Content-Type': arrowStreamType });
    await writeChunks(response, stream, first, chunks);
  } finally {
    if (!isHandedOver) await chunks.return?.(undefined);
  }
}
