import { createWriteStream } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, isAppError } from '#shared/api/problem.ts';
import { assertAllowedHost, createGuardedLookup, type IsAllowed, isPublicAddress } from './public-address.ts';

const maxRedirects = 5;
const idleTimeoutMs = 30_000;
const minFreeBytes = 512 * 1024 * 1024;

const badUrl = (url: string, why: string): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: `${url.slice(0, 200)} cannot be fetched: ${why}.`,
    hint: 'Give an address that begins with https:// or http://.',
  });

function parseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw badUrl(text, 'it is no address');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badUrl(text, `${url.protocol} is not allowed`);
  if (url.username !== '' || url.password !== '') throw badUrl(url.host, 'it has a user name in it');
  return url;
}

const upstream = (url: URL, why: string, cause?: unknown): AppError =>
  new AppError({
    code: 'UPSTREAM',
    message: `${url.host} ${why}.`,
    hint: 'Open the address in a browser to see what it gives.',
    cause,
  });

function request(url: URL, isAllowed: IsAllowed, signal: AbortSignal): Promise<IncomingMessage> {
  assertAllowedHost(url.hostname, isAllowed);
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve, reject) => {
    const options = {
      signal,
      lookup: createGuardedLookup(isAllowed),
      timeout: idleTimeoutMs,
      headers: { 'user-agent': 'Curio', 'accept-encoding': 'identity' },
    };
    const sent = get(url, options, resolve);
    sent.on('timeout', () => sent.destroy(upstream(url, 'did not answer for 30 seconds')));
    sent.on('error', (error) =>
      reject(isAppError(error) || signal.aborted ? error : upstream(url, 'cannot be reached', error)),
    );
  });
}

async function follow(
  start: URL,
  isAllowed: IsAllowed,
  signal: AbortSignal,
): Promise<{ url: URL; response: IncomingMessage }> {
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await request(url, isAllowed, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status >= 300 && status < 400 && location) {
      response.destroy();
      url = parseUrl(new URL(location, url).href);
      continue;
    }
    if (status === 200) return { url, response };
    response.destroy();
    throw upstream(url, `answered with the status ${status}`);
  }
  throw upstream(start, 'leads from address to address without an end');
}

/** A file name out of an address; its extension helps to tell the format. */
const fileNameOf = (url: URL): string => {
  let name = basename(url.pathname);
  try {
    name = decodeURIComponent(name);
  } catch {
    name = 'download';
  }
  return (
    basename(name)
      .replace(/[^\p{L}\p{N}._-]/gu, '_')
      .replace(/^\.+/, '')
      .slice(-120) || 'download'
  );
};

export interface DownloadOptions {
  onBytes: (bytes: number) => void;
  signal: AbortSignal;
  /** Which addresses may be connected to; those on the public internet when absent. */
  isAllowed?: IsAllowed;
}

/** Fetches an http or https address into a new file of the folder. Gives its path; throws BAD_REQUEST, FORBIDDEN, UPSTREAM or MEMORY. */
export async function download(
  text: string,
  folder: string,
  { onBytes, signal, isAllowed = isPublicAddress }: DownloadOptions,
): Promise<string> {
  const { url, response } = await follow(parseUrl(text), isAllowed, signal);
  const path = join(await mkdtemp(join(folder, 'file-')), fileNameOf(url));
  const { bavail, bsize } = await statfs(folder);
  const room = bavail * bsize - minFreeBytes;
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onBytes(bytes);
      done(
        bytes > room
          ? new AppError({
              code: 'MEMORY',
              message: 'The disk has no room for the file.',
              hint: 'Free some space and import again.',
            })
          : null,
        chunk,
      );
    },
  });
  response.setTimeout(idleTimeoutMs, () => response.destroy(upstream(url, 'stopped sending')));
  try {
    await pipeline(response, count, createWriteStream(path, { flags: 'wx' }), { signal });
  } catch (error) {
    throw isAppError(error) || signal.aborted ? error : upstream(url, 'broke off', error);
  }
  const expected = response.headers['content-length'];
  if (expected !== undefined && Number(expected) !== bytes) throw upstream(url, 'broke off');
  return path;
}
