import type { mediaApi } from '#shared/api/media.ts';
import { AppError } from '#shared/api/problem.ts';
import { parseRef } from '#shared/domain/ref.ts';
import type { Ports } from '../../ports/index.ts';
import type { Settings } from '../../settings.ts';
import { createThumbMaker } from '../../usecases/make-thumb.ts';
import { type BlobAddress, findBlob } from '../../usecases/read-blob.ts';
import { parseByteRange } from '../byte-range.ts';
import type { BytesReply, Handlers } from '../handler.ts';

/** Bytes of strangers: nothing in them may run, load or reach anything, whatever they claim to be. */
const strangerPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Shown in place; everything else is a download. */
const inlineTypes =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)|video\/(mp4|webm|quicktime|ogg)|audio\/[\w.+-]+|text\/plain.*)$/;

const isPinned = (refText: string): boolean => {
  const ref = parseRef(refText);
  return ref.kind === 'branch' && ref.version !== undefined;
};

interface Shown {
  contentType: string;
  etag: string;
  ref: string;
  download?: string;
  mayChange?: boolean;
}

function headersFor({ contentType, etag, ref, download, mayChange }: Shown): Record<string, string> {
  const isInline = inlineTypes.test(contentType) && download === undefined;
  const fileName =
    download === undefined || download === ''
      ? ''
      : `; filename*=UTF-8''${encodeURIComponent(download.slice(0, 200).toWellFormed())}`;
  const isPlainText = contentType.startsWith('text/') && !contentType.includes(';');
  return {
    'Content-Type': isPlainText ? `${contentType}; charset=utf-8` : contentType,
    'Content-Disposition': isInline ? 'inline' : `attachment${fileName}`,
    'Content-Security-Policy': strangerPolicy,
    'X-Content-Type-Options': 'nosniff',
    ETag: `"${etag}"`,
    'Cache-Control':
      isPinned(ref) && !mayChange ? 'private, max-age=31536000, immutable' : 'private, no-cache',
  };
}

const isKnown = (header: string | undefined, etag: string): boolean =>
  header
    ?.split(',')
    .some((entry) => entry.trim().replace(/^W\//, '') === `"${etag}"` || entry.trim() === '*') ?? false;

export function mediaRoutes(ports: Ports, settings: Settings): Handlers<typeof mediaApi> {
  const makeThumb = createThumbMaker(ports, settings.cache);
  return {
    async blob({ params, query, request, signal }, response): Promise<BytesReply> {
      const address: BlobAddress = { ...params, ref: query.ref, of: query.of };
      const context = { signal };
      const { facts, open } = await findBlob(ports, address, context);
      const { sizeBytes, contentType, etag, mayChange } = facts;
      const { ref, download } = query;
      const headers = {
        ...headersFor({ contentType, etag, ref, download, mayChange }),
        'Accept-Ranges': 'bytes',
      };
      const { 'if-none-match': ifNoneMatch, 'if-range': ifRange, range: rangeHeader } = request.headers;
      if (isKnown(ifNoneMatch, etag)) return { status: 304, headers, body: null };
      let range: { start: number; end: number } | null;
      try {
        const isRangeValid = ifRange === undefined || ifRange === `"${etag}"`;
        range = isRangeValid ? parseByteRange(rangeHeader, sizeBytes) : null;
      } catch (error) {
        response.setHeader('Content-Range', `bytes */${sizeBytes}`);
        throw error;
      }
      const window = range ?? { start: 0, end: sizeBytes };
      const sized = {
        ...headers,
        'Content-Length': String(window.end - window.start),
        ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end - 1}/${sizeBytes}` } : {}),
      };
      const status = range ? 206 : 200;
      if (request.method === 'HEAD') return { status, headers: sized, body: null };
      const { chunks, release } = await open(window);
      return { status, headers: sized, body: chunks, release };
    },

    async thumb({ params, query, request, signal }): Promise<BytesReply> {
      const address: BlobAddress = { ...params, ref: query.ref, of: query.of };
      const { size, page } = query;
      const { bytes, etag, mayChange } = await makeThumb(address, { size, page }, { signal }).catch(
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'INVALID_FILE')
            throw new AppError({
              code: 'UNSUPPORTED_MEDIA',
              message: error.message,
              hint: error.hint,
              cause: error,
            });
          throw error;
        },
      );
      const headers = headersFor({ contentType: 'image/webp', etag, ref: query.ref, mayChange });
      if (isKnown(request.headers['if-none-match'], etag)) return { status: 304, headers, body: null };
      return {
        status: 200,
        headers: { ...headers, 'Content-Length': String(bytes.byteLength) },
        body: bytes,
      };
    },
  };
}
