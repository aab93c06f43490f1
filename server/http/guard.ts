import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { AppError } from '#shared/api/problem.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const hostName = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/**
 * Keeps other sites out of a server that trusts the person at its machine: the Host header must be a loopback name
 * (against DNS rebinding), and a request that changes something must not come from another origin.
 */
export function guardOrigin(allowedHosts: readonly string[]) {
  const allowed = new Set([...loopbackNames, ...allowedHosts.map((host) => host.toLowerCase())]);
  return (request: Request, _response: Response, next: NextFunction): void => {
    const host = request.headers.host ?? '';
    const origin = request.headers.origin;
    const isForeign = origin !== undefined && origin !== 'null' && hostOf(origin) !== host.toLowerCase();
    const isOpaque = origin === 'null' || request.headers['sec-fetch-site'] === 'cross-site';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!allowed.has(hostName(host)) || (!isRead && (isForeign || isOpaque))) {
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

const hostOf = (origin: string): string => {
  try {
    return new URL(origin).host.toLowerCase();
  } catch {
    return '';
  }
};

/** Headers that every answer carries, and the request's id. */
export function setSafeHeaders(_request: Request, response: Response, next: NextFunction): void {
  const requestId = randomUUID();
  response.locals.requestId = requestId;
  response.set({
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  next();
}
