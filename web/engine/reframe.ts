import { AppError } from '#shared/api/problem.ts';
import { arrowEndMarker } from '#shared/api/wire.ts';

import { messageKind, readMessage } from './ipc-message.ts';

const endMarker = Uint8Array.from(arrowEndMarker);

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** Closes pieces of a stream with its end marker. */
export const completeStream = (pieces: readonly Uint8Array[]): Uint8Array =>
  concatBytes([...pieces, endMarker]);

/**
 * Cuts an Arrow stream, as it arrives, into complete streams of about `targetBytes`: DuckDB-WASM keeps pointers into
 * the buffer of a stream that is fed in parts and reads freed memory. STREAM_BROKEN when the end marker is missing.
 */
export async function* reframeStream(
  chunks: AsyncIterable<Uint8Array>,
  targetBytes: number,
): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let neededBytes = 8;
  let head: Uint8Array[] = [];
  let batches: Uint8Array[] = [];
  let batchBytes = 0;
  let hasYielded = false;
  let hasEnded = false;
  const take = (): Uint8Array => {
    hasYielded = true;
    const stream = completeStream([...head, ...batches]);
    batches = [];
    batchBytes = 0;
    return stream;
  };
  for await (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.byteLength;
    if (pendingBytes < neededBytes) continue;
    let rest = pending.length === 1 ? chunk : concatBytes(pending);
    for (;;) {
      const message = readMessage(rest);
      neededBytes = message?.length ?? rest.byteLength + 1;
      if (!message || rest.byteLength < message.length) break;
      const bytes = rest.subarray(0, message.length);
      rest = rest.subarray(message.length);
      if (message.kind === null) hasEnded = true;
      else if (message.kind === messageKind.schema) head = [bytes.slice()];
      else if (message.kind === messageKind.dictionary) head.push(bytes.slice());
      else if (message.kind === messageKind.batch) {
        batches.push(bytes);
        batchBytes += bytes.byteLength;
        if (batchBytes >= targetBytes) yield take();
      }
    }
    pending = [rest];
    pendingBytes = rest.byteLength;
  }
  if (!hasEnded || head.length === 0)
    throw new AppError({
      code: 'STREAM_BROKEN',
      message: 'The columns ended before they were whole.',
      hint: 'Try again.',
    });
  if (batches.length > 0 || !hasYielded) yield take();
}
