import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { setSafeHeaders } from './guard.ts';
import { type Answer, createAnswer, type MountOptions, type RequestParts } from './mount.ts';

/** As Express matches them: `/api/v1/tables/:table/blobs/:column/:rowId`. */
const mediaPath = /^\/api\/v1\/tables\/([^/?]+)\/(blobs|thumbs)\/([^/?]+)\/([^/?]+)(?:\?([^#]*))?$/;
const maxKept = 4_000;
/** Longer addresses are read anew each time, so that nobody fills the memory with them. */
const maxKeptLength = 400;

interface Found {
  answer: Answer;
  parts: RequestParts;
}

/**
 * Answers requests for media before Express looks at them: a screen asks for hundreds, a reader of data for thousands
 * in a second, and Express takes longer than they do. The guard, the check of rights and the answer are the same; what
 * is not plain, and whatever fails, takes the long way, which words the problem.
 */
export function frontMedia(
  app: Express,
  { guard, options }: { guard: RequestHandler; options: MountOptions },
): RequestListener {
  const answers: Record<string, Answer> = {
    blobs: createAnswer('blob', options),
    thumbs: createAnswer('thumb', options),
  };
  const kept = new Map<string, Found | null>();
  const failures = new WeakMap<IncomingMessage, unknown>();
  app.use((request: Request, _response: Response, next: NextFunction) => next(failures.get(request)));

  const find = (url: string): Found | null => {
    const known = kept.get(url);
    if (known !== undefined) return known;
    const found = parseAddress(url, answers);
    if (kept.size >= maxKept) kept.clear();
    if (url.length <= maxKeptLength) kept.set(url, found);
    return found;
  };

  const serve = async (request: Request, response: Response, { answer, parts }: Found): Promise<void> => {
    try {
      guard(request, response, (refusal?: unknown) => {
        if (refusal) throw refusal;
      });
      await answer(request, response, parts);
    } catch (error) {
      failures.set(request, error);
      app(request, response);
    }
  };

  return (plainRequest: IncomingMessage, plainResponse: ServerResponse) => {
    const { method, url = '' } = plainRequest;
    const found = method === 'GET' || method === 'HEAD' ? find(url) : null;
    if (!found) return app(plainRequest as Request, plainResponse as Response);
    // Guard and media routes touch nothing that Express adds but `locals`.
    const [request, response] = [plainRequest as Request, plainResponse as Response];
    response.locals = {};
    setSafeHeaders(request, response, () => undefined);
    void serve(request, response, found);
  };
}

function parseAddress(url: string, answers: Record<string, Answer>): Found | null {
  const [, table = '', kind = '', column = '', rowId = '', query = ''] = mediaPath.exec(url) ?? [];
  const answer = answers[kind];
  if (!answer) return null;
  try {
    const params = {
      table: decodeURIComponent(table),
      column: decodeURIComponent(column),
      rowId: decodeURIComponent(rowId),
    };
    return { answer, parts: { params, query: parseQuery(query), body: undefined } };
  } catch {
    return null;
  }
}
