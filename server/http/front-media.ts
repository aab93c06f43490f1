import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { safeHeadersOf } from './guard.ts';
import type { BytesReply } from './handler.ts';
import {
  abortOnClose,
  createRoute,
  type MountedRoute,
  type MountOptions,
  type RequestParts,
} from './mount.ts';
import { sendBytes } from './send-bytes.ts';

/** As Express matches them: `/api/v1/tables/:table/blobs/:column/:rowId`. */
const mediaPath = /^\/api\/v1\/tables\/([^/?#]+)\/(blobs|thumbs)\/([^/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/;
const maxKept = 4_000;
/** Longer addresses are read anew each time, so that nobody fills the memory with them. */
const maxKeptLength = 400;

interface Found {
  run: MountedRoute['run'];
  read: RequestParts;
}

/**
 * Answers requests for media before Express looks at them: a screen asks for hundreds, a reader of data for thousands
 * in a second, and Express takes longer than they do. Guard, rights and handler are the same; what is not plain, and
 * whatever fails, takes the long way, which words the problem.
 */
export function frontMedia(
  app: Express,
  { guard, options }: { guard: RequestHandler; options: MountOptions },
): RequestListener {
  const routes: Record<string, MountedRoute> = {
    blobs: createRoute('blob', options),
    thumbs: createRoute('thumb', options),
  };
  const kept = new Map<string, Found | null>();
  const failures = new WeakMap<IncomingMessage, unknown>();
  app.use((request: Request, _response: Response, next: NextFunction) => next(failures.get(request)));

  const find = (url: string): Found | null => {
    const known = kept.get(url);
    if (known !== undefined) return known;
    const found = readAddress(url, routes);
    if (kept.size >= maxKept) kept.clear();
    if (url.length <= maxKeptLength) kept.set(url, found);
    return found;
  };

  const serve = async (request: Request, response: Response, { run, read }: Found): Promise<void> => {
    try {
      guard(request, response, (refusal?: unknown) => {
        if (refusal) throw refusal;
      });
      const reply = (await run(request, response, read, abortOnClose(response))) as BytesReply;
      const headers = { ...safeHeadersOf(randomUUID()), ...reply.headers };
      await sendBytes({ ...reply, headers }, request, response);
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      failures.set(request, error);
      app(request, response);
    }
  };

  return (request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '' } = request;
    const found = method === 'GET' || method === 'HEAD' ? find(url) : null;
    // Guard, handlers and sender of media use nothing that Express adds.
    if (found) void serve(request as Request, response as Response, found);
    else app(request as Request, response as Response);
  };
}

/** Null for what is no address of media, and for one that is not as the contract says. */
function readAddress(url: string, routes: Record<string, MountedRoute>): Found | null {
  const [, table = '', kind = '', column = '', rowId = '', query = ''] = mediaPath.exec(url) ?? [];
  const route = routes[kind];
  if (!route) return null;
  try {
    const params = {
      table: decodeURIComponent(table),
      column: decodeURIComponent(column),
      rowId: decodeURIComponent(rowId),
    };
    return { run: route.run, read: route.read({ params, query: parseQuery(query), body: undefined }) };
  } catch {
    return null;
  }
}
