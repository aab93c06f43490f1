import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';

/**
 * The client's socket, when an engine may write the answer to it: plain HTTP/1.1, the request read to its end and the
 * answer not begun.
 */
export function socketToGive(request: Request, response: Response): Socket | null {
  const { socket } = request;
  const isPlain = socket instanceof Socket && !(socket instanceof TLSSocket) && !socket.destroyed;
  const isWhole = request.httpVersion === '1.1' && request.method !== 'HEAD' && request.complete;
  return isPlain && isWhole && !response.headersSent ? socket : null;
}

/** The head of an answer in chunked encoding, after which the connection closes. */
export function formatHead(response: Response): string {
  const lines = Object.entries({
    ...response.getHeaders(),
    Connection: 'close',
    'Transfer-Encoding': 'chunked',
    Date: new Date().toUTCString(),
  }).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => `${name}: ${each}`),
  );
  return `HTTP/1.1 ${response.statusCode} ${STATUS_CODES[response.statusCode]}\r\n${lines.join('\r\n')}\r\n\r\n`;
}
