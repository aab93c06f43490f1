import { type Contract, contract } from '#shared/api/contract.ts';
import type { JobInfo } from '#shared/api/jobs.ts';
import { AppError, abortedError, Problem, parseProblem } from '#shared/api/problem.ts';

type RouteId = keyof Contract;

export interface CallParts {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

/** The routes of a server, for a terminal. */
export interface Client {
  url: string;
  /** The answer of a route; throws its problem as an AppError. */
  send(id: RouteId, parts?: CallParts): Promise<Response>;
  json<T>(id: RouteId, parts?: CallParts): Promise<T>;
  /** A job now and after each change, until it has ended. */
  followJob(id: string, signal: AbortSignal): AsyncGenerator<JobInfo>;
}

async function problemOf(response: Response): Promise<AppError> {
  const parsed = Problem.safeParse(await response.json().catch(() => null));
  return parsed.success
    ? parseProblem(parsed.data)
    : new AppError({
        code: 'UPSTREAM',
        message: `The server answered ${response.status} without saying why.`,
      });
}

export function createClient(url: string): Client {
  const send = async (
    id: RouteId,
    { params = {}, query = {}, body, signal }: CallParts = {},
  ): Promise<Response> => {
    const route = contract[id];
    const path = route.path.replace(/:(\w+)/g, (_all, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const search = new URLSearchParams(query);
    let response: Response;
    try {
      response = await fetch(`${url}${path}${search.size === 0 ? '' : `?${search}`}`, {
        method: route.method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
        signal: signal ?? null,
      });
    } catch (error) {
      if (signal?.aborted) throw abortedError();
      throw new AppError({
        code: 'UPSTREAM',
        message: `The server at ${url} does not answer.`,
        hint: 'Is it still running?',
        cause: error,
      });
    }
    if (response.ok) return response;
    throw await problemOf(response);
  };
  return {
    url,
    send,
    json: async <T>(id: RouteId, parts?: CallParts) => (await (await send(id, parts)).json()) as T,
    async *followJob(id, signal) {
      const response = await send('jobEvents', { params: { id }, signal });
      let rest = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        const events = (rest + chunk).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events)
          if (event.startsWith('data: ')) yield JSON.parse(event.slice('data: '.length)) as JobInfo;
      }
    },
  };
}
