import { vi } from 'vitest';
import { type Contract, contract } from '#shared/api/contract.ts';
import { AppError, formatProblem, isAppError, problemStatus } from '#shared/api/problem.ts';
import { arrowStreamType, problemType } from '#shared/api/wire.ts';

type RouteId = keyof Contract;

export interface FakeCall {
  id: RouteId;
  params: Record<string, string>;
  query: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every route
  body: any;
}

/** Answers a call: JSON, bytes of an Arrow stream, a list (also one that comes bit by bit) of events, or an AppError that it throws. */
export type Answer = (call: FakeCall) => unknown;

export interface FakeServer {
  calls: FakeCall[];
  /** Calls of one route. */
  callsOf(id: RouteId): FakeCall[];
  set(id: RouteId, answer: Answer): void;
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);

const patterns = (Object.keys(contract) as RouteId[]).map((id) => ({
  id,
  method: contract[id].method,
  pattern: patternOf(contract[id].path),
}));

/** Stands in for the server at `fetch`: the real client, decoder and error handling run against it. */
export function fakeServer(answers: Partial<Record<RouteId, Answer>>): FakeServer {
  const routes = new Map(Object.entries(answers) as [RouteId, Answer][]);
  const calls: FakeCall[] = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input, 'http://127.0.0.1');
    const call = readCall(url, init);
    calls.push(call);
    init.signal?.throwIfAborted();
    try {
      const answer = routes.get(call.id);
      if (!answer) throw new AppError({ code: 'NOT_FOUND', message: `${call.id} has no answer here.` });
      return toResponse(call.id, await answer(call), init.signal);
    } catch (error) {
      if (!isAppError(error)) throw error;
      return new Response(JSON.stringify(formatProblem(error)), {
        status: problemStatus[error.code],
        headers: { 'Content-Type': problemType },
      });
    }
  });
  return {
    calls,
    callsOf: (id) => calls.filter((call) => call.id === id),
    set: (id, answer) => routes.set(id, answer),
  };
}

function readCall(url: URL, init: RequestInit): FakeCall {
  const method = init.method ?? 'GET';
  for (const { id, method: wanted, pattern } of patterns) {
    const match = method === wanted && pattern.exec(url.pathname);
    if (!match) continue;
    const params = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    return { id, params, query: Object.fromEntries(url.searchParams), body };
  }
  throw new Error(`No route is called ${method} ${url.pathname}.`);
}

function toResponse(id: RouteId, answer: unknown, signal: AbortSignal | null | undefined): Response {
  const { reply } = contract[id];
  if (reply.kind === 'none') return new Response(null, { status: 204 });
  if (reply.kind === 'arrow')
    return new Response(answer as BodyInit, { headers: { 'Content-Type': arrowStreamType } });
  if (reply.kind === 'events')
    return new Response(eventBytes(answer as Events, signal), {
      headers: { 'Content-Type': 'text/event-stream' },
    });
  return Response.json(answer, { status: reply.kind === 'json' ? reply.status : 200 });
}

type Events = Iterable<unknown> | AsyncIterable<unknown>;

function eventBytes(events: Events, signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason));
      for await (const event of events) {
        if (signal?.aborted) return;
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
      }
      controller.close();
    },
  });
}
