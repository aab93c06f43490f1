import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { AppError } from '#shared/api/problem.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const hostName = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Keeps other sites out of a server that trusts the person at its machine: the Host header must be a loopback name
 * (against DNS rebinding), a request that changes something must not come from another origin, and one that reads must
 * not be made by a page of another one, since it could keep the engines busy. Links from elsewhere are followed.
 */
export function guardOrigin(allowedHosts: readonly string[]) {
  const allowed = new Set([...loopbackNames, ...allowedHosts.map((host) => host.toLowerCase())]);
  return (request: Request, _response: Response, next: NextFunction): void => {
    const host = request.headers.host ?? '';
    const origin = request.headers.origin;
    const isForeign = origin !== undefined && origin !== 'null' && hostOf(origin) !== host.toLowerCase();
    const isOpaque = origin === 'null' || request.headers['sec-fetch-site'] === 'cross-site';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isRefused = isRead ? isMadeByOtherPage(request) : isForeign || isOpaque;
    if (!allowed.has(hostName(host)) || isRefused) {
      next(
        new AppError({
          code: 'FORBIDDEN',
          message: 'This server answers its own page and this machine only.',
          hint: 'Open Curio at the address that it printed when it started.',
        }),
      );
      return;
    }
    next();
  };
}

/** Browsers say where a request was made; a navigation shows a page of Curio or downloads a file. */
const isMadeByOtherPage = ({ headers }: Request): boolean => {
  const site = headers['sec-fetch-site'];
  return (site === 'cross-site' || site === 'same-site') && headers['sec-fetch-mode'] !== 'navigate';
};

const hostOf = (origin: string): string => {
  try {
    return new URL(origin).host.toLowerCase();
  } catch {
    return '';
  }
};

const safeHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Headers that every answer carries, with the request's id. */
export const safeHeadersOf = (requestId: string): Record<string, string> => ({
  'X-Request-Id': requestId,
  ...safeHeaders,
});

export function setSafeHeaders(_request: Request, response: Response, next: NextFunction): void {
  const requestId = randomUUID();
  response.locals.requestId = requestId;
  for (const [name, value] of Object.entries(safeHeadersOf(requestId))) response.setHeader(name, value);
  next();
}
