import { type Contract, contract } from '#shared/api/contract.ts';
import type {
  BodyInputOf,
  EventOf,
  JsonOf,
  ParamsOf,
  QueryInputOf,
  Route,
} from '#shared/api/contract-kit.ts';
import { AppError, abortedError, Problem, parseProblem } from '#shared/api/problem.ts';
import { type ArrowRows, type ReadRowsOptions, readArrowRows } from './arrow-rows.ts';
import { incarnationFor, noteIncarnations } from './incarnations.ts';
import { fetchOutliving } from './outliving.ts';

type RouteId = keyof Contract;
type IdsOf<Kind extends Route['reply']['kind']> = {
  [K in RouteId]: Contract[K]['reply'] extends { kind: Kind } ? K : never;
}[RouteId];

type Part<Name extends string, T> = T extends undefined ? { [K in Name]?: undefined } : { [K in Name]: T };
export type CallOptions<R extends Route> = Part<'params', ParamsOf<R>> & { query?: QueryInputOf<R> } & Part<
    'body',
    BodyInputOf<R>
  > & { signal?: AbortSignal };

interface LooseOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  signal?: AbortSignal;
}

/** Routes whose pinned answers the browser keeps for ever. */
const keptRoutes: ReadonlySet<RouteId> = new Set(['blob', 'thumb', 'mediaFacts', 'rowsGet']);

/** Routes whose effect is shown before they have answered. */
const outlivingRoutes: ReadonlySet<RouteId> = new Set(['edit', 'undo']);

function incarnationOf(id: RouteId, params: unknown, query: unknown): string | undefined {
  const { table } = params as { table?: string };
  if (!keptRoutes.has(id) || table === undefined) return undefined;
  const { ref, q } = query as { ref?: string; q?: string };
  try {
    const refText = q === undefined ? ref : (JSON.parse(q) as { ref?: string }).ref;
    return incarnationFor(table, refText ?? '');
  } catch {
    return undefined;
  }
}

/** The address of a route: for links, pictures and event sources. */
export function addressOf(id: RouteId, params: unknown = {}, query: unknown = {}): string {
  const path = contract[id].path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const search = new URLSearchParams();
  const of = incarnationOf(id, params, query);
  for (const [name, value] of Object.entries({ ...(query as Record<string, unknown>), of })) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

async function request(id: RouteId, { params, query, body, signal }: LooseOptions): Promise<Response> {
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    const address = addressOf(id, params ?? {}, query ?? {});
    const init = { method: contract[id].method, ...(signal ? { signal } : {}) };
    if (body === undefined || isForm)
      response = await fetch(address, { ...init, ...(isForm ? { body } : {}) });
    else {
      const send = outlivingRoutes.has(id) ? fetchOutliving : fetch;
      const headers = { 'Content-Type': 'application/json' };
      response = await send(address, { ...init, headers, body: JSON.stringify(body) });
    }
  } catch (error) {
    if (signal?.aborted) throw abortedError();
    throw new AppError({
      code: 'UPSTREAM',
      message: 'Curio’s server does not answer.',
      hint: 'Is it still running? What you typed is kept; try again.',
      cause: error,
    });
  }
  if (response.ok) return response;
  throw await readProblem(response);
}

async function readProblem(response: Response): Promise<AppError> {
  const parsed = Problem.safeParse(await response.json().catch(() => null));
  if (parsed.success) return parseProblem(parsed.data);
  return new AppError({
    code: 'UPSTREAM',
    message: `The server answered ${response.status} without saying why.`,
  });
}

/** A JSON route. Throws AppError; ABORTED when the signal did it. */
export async function callJson<K extends IdsOf<'json'>>(
  id: K,
  options: CallOptions<Contract[K]>,
): Promise<JsonOf<Contract[K]>> {
  const response = await request(id, options);
  const answer = (await response.json()) as JsonOf<Contract[K]>;
  noteIncarnations(answer, (options.params as { table?: string } | undefined)?.table);
  return answer;
}

/** A route of events: gives each to `onEvent` as it comes. STREAM_BROKEN when the connection ends early is the reader's to find. */
export async function callEvents<K extends IdsOf<'events'>>(
  id: K,
  options: CallOptions<Contract[K]>,
  onEvent: (event: EventOf<Contract[K]>) => void,
): Promise<void> {
  const response = await request(id, options);
  let rest = '';
  const read = async (text: string): Promise<void> => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) onEvent(JSON.parse(line.slice(6)));
  };
  try {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) await read(part.value);
  } catch (error) {
    if (options.signal?.aborted) throw abortedError();
    throw error;
  }
}

/** A route without an answer. */
export async function callNone<K extends IdsOf<'none'>>(
  id: K,
  options: CallOptions<Contract[K]>,
): Promise<void> {
  await request(id, options);
}

/** A route of rows. STREAM_BROKEN when the stream ends without Arrow's end marker. */
export async function callArrow<K extends IdsOf<'arrow'>>(
  id: K,
  options: CallOptions<Contract[K]>,
  reading: Omit<ReadRowsOptions, 'signal'> = {},
): Promise<ArrowRows> {
  const response = await request(id, options);
  return readArrowRows(response, { ...reading, signal: options.signal });
}
