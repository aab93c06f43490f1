import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Express, json as jsonBody, type NextFunction, type Request, type Response } from 'express';
import type * as z from 'zod';
import type { Route } from '#shared/api/contract-kit.ts';
import { AppError, isAppError } from '#shared/api/problem.ts';
import { type Action, authorize, type Principal } from '../usecases/authorize.ts';
import type { ArrowReply, BytesReply, HandlerRequest } from './handler.ts';
import { assertPlainJson } from './plain-json.ts';
import { sendArrow } from './send-arrow.ts';
import { sendBytes } from './send-bytes.ts';
import { sendEvents } from './send-events.ts';
import { sendProblem } from './send-problem.ts';

export const maxBodyBytes = 32 * 1024 * 1024;

type AnyHandler = (request: HandlerRequest<Route>, response: Response) => unknown;

export interface MountOptions {
  contract: Record<string, Route>;
  handlers: Record<string, AnyHandler>;
  actions: Record<string, Action>;
  principal: Principal;
}

/** The parts of a request that its route describes, as they came. */
export interface RequestParts {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** The way that every request for a route takes, however it was found: its parts are read, then it is run. */
export interface MountedRoute {
  route: Route;
  /** The parts as the contract says. Throws BAD_REQUEST, and FORBIDDEN before it looks at more than the path. */
  read(parts: RequestParts): RequestParts;
  /** Asks for the right to do it, also where the parts were read for an earlier request, and gives the handler's answer. */
  run(request: Request, response: Response, read: RequestParts, signal: AbortSignal): Promise<unknown>;
}

export function createRoute(
  id: string,
  { contract, handlers, actions, principal }: MountOptions,
): MountedRoute {
  const route = contract[id];
  const handler = handlers[id];
  const action = actions[id];
  if (!route || !handler || !action) throw new Error(`The route ${id} has no handler or no action.`);
  const assertAllowed = (params: unknown): void =>
    authorize(principal, action, (params as { table?: string } | undefined)?.table);
  return {
    route,
    read(parts) {
      const params = parsePart(route.params, parts.params, 'path');
      assertAllowed(params);
      if (route.body) assertPlainJson(parts.body);
      return {
        params,
        query: parsePart(route.query, parts.query, 'query'),
        body: parsePart(route.body, parts.body, 'body'),
      };
    },
    async run(request, response, read, signal) {
      assertAllowed(read.params);
      return handler({ ...read, principal, signal, request } as never, response);
    },
  };
}

/** Aborts when the client goes away. */
export function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Mounts every route of the contract: validation, rights, abort, answer, problem. */
export function mountContract(app: Express, options: MountOptions): void {
  const readJson = jsonBody({ limit: maxBodyBytes, strict: false, type: () => true });
  for (const [id, route] of bytesFirst(Object.entries(options.contract))) {
    const { read, run } = createRoute(id, options);
    const register = app[route.method.toLowerCase() as 'get'].bind(app);
    const before = route.body ? [readJson] : [];
    register(route.path, ...before, async (request: Request, response: Response, next: NextFunction) => {
      const signal = abortOnClose(response);
      try {
        const answer = await run(request, response, read(request), signal);
        await send(route, answer, request, response, signal);
      } catch (error) {
        next(error);
      }
    });
  }
}

/** Express tries patterns one after the other, and a screen asks for media by the hundred. */
const bytesFirst = (routes: [string, Route][]): [string, Route][] =>
  routes.sort(([, a], [, b]) => Number(b.reply.kind === 'bytes') - Number(a.reply.kind === 'bytes'));

/** Turns whatever was thrown into a problem document; mounted last. */
export function mountProblems(app: Express): void {
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    sendProblem(response, toAppError(error, request), String(response.locals.requestId ?? randomUUID()));
  });
}

function parsePart(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const first = issues[0];
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `The ${part} of the request is not as the contract says${first ? `: ${first.path === '' ? '' : `${first.path}: `}${first.message}` : ''}.`,
    hint: 'The contract is at /api/docs.',
    issues,
    cause: parsed.error,
  });
}

async function send(
  route: Route,
  answer: unknown,
  request: Request,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  switch (route.reply.kind) {
    case 'json':
      response.status(route.reply.status).json(answer);
      return;
    case 'arrow':
      return sendArrow(answer as ArrowReply, request, response, signal);
    case 'bytes':
      return sendBytes(answer as BytesReply, request, response);
    case 'events':
      return sendEvents(answer as AsyncIterable<unknown>, response, signal);
    case 'none':
      response.status(204).end();
  }
}

interface BodyParserError {
  type?: string;
  status?: number;
}

function toAppError(error: unknown, request: Request): AppError {
  if (isAppError(error)) return error;
  const { type, status } = (error ?? {}) as BodyParserError;
  if (type === 'entity.too.large')
    return new AppError({
      code: 'TOO_LARGE',
      message: 'The body is larger than 32 MB.',
      hint: 'Send less at once; files are imported by path or upload.',
    });
  // JSON is read whatever the request calls it (curl calls it a form); only what cannot be read is judged by its type.
  if (type === 'entity.parse.failed' && !request.is(['json', '+json', 'urlencoded']))
    return new AppError({
      code: 'UNSUPPORTED_MEDIA',
      message: `The body is ${request.headers['content-type'] ?? 'of no stated type'}; this route reads JSON.`,
      hint: 'Send JSON with Content-Type: application/json.',
      cause: error,
    });
  if (type === 'entity.parse.failed')
    return new AppError({ code: 'BAD_REQUEST', message: 'The body is not JSON.', cause: error });
  if (status === 400)
    return new AppError({ code: 'BAD_REQUEST', message: 'The address cannot be read.', cause: error });
  if (error instanceof Error && error.name === 'AbortError')
    return new AppError({ code: 'ABORTED', message: 'The request was cancelled.' });
  return new AppError({
    code: 'INTERNAL',
    message: 'Something went wrong in Curio.',
    hint: 'The server’s log has the details under the request id.',
    cause: error,
  });
}
