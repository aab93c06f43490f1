import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { AppError } from '#shared/api/problem.ts';
import { arrowEndMarker } from '#shared/api/wire.ts';

/** Writes with back-pressure. */
export async function writeOut(out: Writable, bytes: Uint8Array | string): Promise<void> {
  if (!out.write(bytes)) await once(out, 'drain');
}

export const writeLine = (out: Writable, text: string): Promise<void> => writeOut(out, `${text}\n`);

/** The body of an answer; throws STREAM_BROKEN unless it ends with Arrow's end marker. */
export async function* wholeArrowStream(response: Response): AsyncGenerator<Uint8Array> {
  let tail = Buffer.alloc(0);
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    tail = Buffer.concat([tail, chunk.subarray(Math.max(0, chunk.length - arrowEndMarker.length))]).subarray(
      -arrowEndMarker.length,
    );
    yield chunk;
  }
  if (tail.length !== arrowEndMarker.length || !arrowEndMarker.every((byte, index) => tail[index] === byte))
    throw new AppError({
      code: 'STREAM_BROKEN',
      message: 'The rows ended before they were whole.',
      hint: 'Try again.',
    });
}
