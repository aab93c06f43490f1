import { createHash } from 'node:crypto';
import { AppError, abortedError, isAppError, notFound } from '#shared/api/problem.ts';
import { sniffBytes, sniffMediaType } from '../../media-type.ts';
import type { ByteStream, CallContext } from '../../ports/call.ts';
import type { BlobFacts } from '../../ports/table-reader.ts';

const maxRedirects = 5;
const answerMs = 30_000;

/** Addresses that were named, each as a prefix that ends with a slash. */
export function readWebPlaces(places: readonly string[]): URL[] {
  return places.map((place) => {
    const url = new URL(place);
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url;
  });
}

const isBelow = (url: URL, place: URL): boolean =>
  url.protocol === place.protocol &&
  url.host === place.host &&
  url.username === '' &&
  url.password === '' &&
  url.pathname.startsWith(place.pathname) &&
  !/%2e|%2f|%5c|\\/i.test(url.pathname);

function addressOf(link: string, sites: readonly URL[], base?: URL): URL {
  let url: URL;
  try {
    url = new URL(link, base);
  } catch {
    throw notFound('The address of the cell', 'It cannot be read as an address.');
  }
  if (sites.some((site) => isBelow(url, site))) return url;
  throw new AppError({
    code: 'FORBIDDEN',
    message: `${url.host} is not a registered place for media.`,
    hint: 'Start Curio with CURIO_PLACES naming the address that such links begin with.',
  });
}

const upstream = (url: URL, why: string, cause?: unknown): AppError =>
  new AppError({
    code: 'UPSTREAM',
    message: `${url.host} ${why}.`,
    hint: 'Open the address in a browser to see what it gives.',
    cause,
  });

/** Asks for an address, following redirects inside of the places only. */
async function request(
  link: string,
  {
    sites,
    method,
    range,
    signal,
  }: { sites: readonly URL[]; method: string; range?: string; signal: AbortSignal },
): Promise<{ url: URL; response: Response }> {
  let url = addressOf(link, sites);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const headers = { 'accept-encoding': 'identity', ...(range ? { range } : {}) };
    // Until it answers: its bytes may take as long as somebody looks at them.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), answerMs);
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal]),
    })
      .catch((error: unknown) => {
        throw signal.aborted ? abortedError() : upstream(url, 'cannot be reached', error);
      })
      .finally(() => clearTimeout(timer));
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return { url, response };
    await response.body?.cancel();
    url = addressOf(location, sites, url);
  }
  throw upstream(url, 'redirects too often');
}

/** Pieces of an answer; UPSTREAM when it breaks off or stands still. Leaving it ends the request. */
async function* piecesOf(url: URL, response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await inTime(url, reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function inTime<T>(url: URL, work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(upstream(url, 'sends nothing any more')), answerMs);
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    if (signal.aborted) throw abortedError();
    throw isAppError(error) ? error : upstream(url, 'broke off', error);
  } finally {
    clearTimeout(timer);
  }
}

async function readHead(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    parts.push(piece);
    length += piece.length;
    if (length >= sniffBytes) break;
  }
  return Buffer.concat(parts).subarray(0, sniffBytes);
}

/** The whole size that an answer tells: of a range behind the slash, else its own. */
function sizeOf(response: Response): number | null {
  const ranged = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  const length = ranged ?? (response.status === 200 ? response.headers.get('content-length') : null);
  return length && Number.isSafeInteger(Number(length)) ? Number(length) : null;
}

async function* chunksOf(
  link: string,
  { sites, start, end, signal }: { sites: readonly URL[]; start: number; end: number; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  if (start === end) return;
  const { url, response } = await request(link, {
    sites,
    method: 'GET',
    range: `bytes=${start}-${end - 1}`,
    signal,
  });
  if (response.status !== 206 && response.status !== 200) throw upstream(url, `answered ${response.status}`);
  let skip = response.status === 200 ? start : 0;
  let left = end - start;
  for await (const piece of piecesOf(url, response, signal)) {
    const wanted = piece.subarray(Math.min(skip, piece.length), Math.min(piece.length, skip + left));
    skip = Math.max(0, skip - piece.length);
    left -= wanted.length;
    if (wanted.length > 0) yield wanted;
    if (left === 0) return;
  }
  if (left > 0) throw upstream(url, 'ended before all bytes had come');
}

/** Bytes of an address below one of the places. */
export async function openWebLink(
  { link, sites, start, end }: { link: string; sites: readonly URL[]; start?: number; end?: number },
  { signal }: CallContext,
): Promise<ByteStream<BlobFacts>> {
  const { url, response } = await request(link, {
    sites,
    method: 'GET',
    range: `bytes=0-${sniffBytes - 1}`,
    signal,
  });
  const isEmpty = response.status === 416;
  if (response.status === 404 || response.status === 410) {
    await response.body?.cancel();
    throw notFound(`The file at ${url.host}`, 'Its server says that it is not there.');
  }
  if (!isEmpty && response.status !== 206 && response.status !== 200) {
    await response.body?.cancel();
    throw upstream(url, `answered ${response.status}`);
  }
  const sizeBytes = isEmpty ? 0 : sizeOf(response);
  if (sizeBytes === null) {
    await response.body?.cancel();
    throw upstream(url, 'does not say how large the file is');
  }
  const head = isEmpty ? new Uint8Array(0) : await readHead(piecesOf(url, response, signal));
  const tag = response.headers.get('etag') ?? response.headers.get('last-modified') ?? '';
  const last = Math.min(end ?? sizeBytes, sizeBytes);
  const etag = createHash('sha256')
    .update(JSON.stringify([url.href, sizeBytes, tag]))
    .update(head)
    .digest('hex');
  return {
    facts: { sizeBytes, contentType: sniffMediaType(head), etag: etag.slice(0, 32), mayChange: true },
    chunks: chunksOf(link, { sites, start: Math.min(start ?? 0, last), end: last, signal }),
  };
}
