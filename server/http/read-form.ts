import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { AppError, abortedError, isAppError } from '#shared/api/problem.ts';

export interface FormHandlers {
  /** A field, as it comes: the order of the form is kept. */
  onField(name: string, value: string): void | Promise<void>;
  /** A file; its stream must be read to the end. */
  onFile(field: string, fileName: string, stream: Readable): Promise<void>;
}

const maxFileBytes = 100 * 1024 ** 3;
const maxFieldBytes = 1024 * 1024;
const maxParts = 1_000_000;

export const isMultipart = (request: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');

const broken = (cause?: unknown): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: 'The form cannot be read.',
    hint: 'Send multipart/form-data with a boundary, and send it whole.',
    cause,
  });

/** Reads a multipart form part by part, without keeping it in memory. Throws what the handlers throw, BAD_REQUEST or TOO_LARGE. */
export async function readForm(
  request: IncomingMessage,
  { onField, onFile }: FormHandlers,
  signal: AbortSignal,
): Promise<void> {
  const parser = openParser(request);
  let turn: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      request.unpipe(parser);
      request.resume();
      reject(isAppError(error) ? error : signal.aborted ? abortedError() : broken(error));
    };
    const inTurn = (work: () => void | Promise<void>) => {
      turn = turn.then(work);
      turn.catch(fail);
    };
    parser.on('field', (name, value, { valueTruncated }) => {
      if (valueTruncated)
        fail(new AppError({ code: 'TOO_LARGE', message: `The field ${name} has more than 1 MB.` }));
      else inTurn(() => onField(name, value));
    });
    parser.on('file', (name, stream, { filename }) => {
      stream.on('limit', () =>
        stream.destroy(
          new AppError({
            code: 'TOO_LARGE',
            message: `${filename} has more than 100 GB.`,
            hint: 'Copy it to the server and name its path.',
          }),
        ),
      );
      stream.on('error', fail);
      inTurn(() => onFile(name, filename ?? 'file', stream));
    });
    parser.on('partsLimit', () =>
      fail(
        new AppError({
          code: 'TOO_LARGE',
          message: 'The form has more than a million parts.',
          hint: 'Copy the files to the server and name their folder.',
        }),
      ),
    );
    parser.on('error', fail);
    parser.on('close', () => turn.then(() => resolve(), fail));
    request.on('aborted', () => fail(abortedError()));
    signal.addEventListener('abort', () => fail(abortedError()), { once: true });
    request.pipe(parser);
  });
}

function openParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      preservePath: true,
      defParamCharset: 'utf8',
      limits: { fieldSize: maxFieldBytes, fileSize: maxFileBytes, parts: maxParts },
    });
  } catch (error) {
    throw broken(error);
  }
}
