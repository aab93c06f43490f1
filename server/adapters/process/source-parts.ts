import { AppError, abortedError, isAppError } from '#shared/api/problem.ts';
import { type ByteSource, maxPartBytes } from '../../ports/call.ts';
import type { AskFrame, GiveFrame } from './frames.ts';

/** Parts that an engine may be waiting for at once. */
const maxAsked = 4;

const refused = (why: string): AppError =>
  new AppError({ code: 'INTERNAL', message: `The engine asked for bytes that it may not have: ${why}.` });

/** Answers what an engine asks of one value: within the value, so much at once, and of nothing else. */
export function answerAsks(source: ByteSource, give: (frame: GiveFrame) => void): (ask: AskFrame) => void {
  let asked = 0;
  const read = async ({ start, end }: AskFrame): Promise<Uint8Array> => {
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end > source.sizeBytes)
      throw refused('outside of the value');
    if (end - start > maxPartBytes || end < start) throw refused('too many at once');
    if (asked > maxAsked) throw refused('too often');
    return source.read(start, end);
  };
  return (ask) => {
    asked += 1;
    read(ask)
      .then(
        (bytes) => give({ id: ask.id, bytes }),
        (error: unknown) => give({ id: ask.id, error: factsOf(error) }),
      )
      .finally(() => {
        asked -= 1;
      });
  };
}

function factsOf(error: unknown) {
  const known = isAppError(error)
    ? error
    : new AppError({ code: 'INTERNAL', message: 'The bytes of the value could not be read.' });
  return { code: known.code, message: known.message, hint: known.hint };
}

let lastId = 0;

/** In the engine: the value that its call is about. Asks one after the other, in pieces that are answered. */
export class RemoteSource implements ByteSource {
  readonly sizeBytes: number;
  #ask: (frame: AskFrame) => void;
  #signal: AbortSignal;
  #waiting = new Map<number, (frame: GiveFrame | null) => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(sizeBytes: number, ask: (frame: AskFrame) => void, signal: AbortSignal) {
    this.sizeBytes = sizeBytes;
    this.#ask = ask;
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      for (const wake of this.#waiting.values()) wake(null);
      this.#waiting.clear();
    });
  }

  take(frame: GiveFrame): void {
    const wake = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    wake?.(frame);
  }

  read(start: number, end: number): Promise<Uint8Array> {
    const part = this.#last.then(() => this.#read(start, end));
    this.#last = part.catch(() => undefined);
    return part;
  }

  async #read(start: number, end: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let at = start; at < end; at += maxPartBytes)
      parts.push(await this.#readPart(at, Math.min(end, at + maxPartBytes)));
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
  }

  async #readPart(start: number, end: number): Promise<Uint8Array> {
    if (this.#signal.aborted) throw abortedError();
    lastId += 1;
    const id = lastId;
    const given = new Promise<GiveFrame | null>((resolve) => this.#waiting.set(id, resolve));
    this.#ask({ id, start, end });
    const frame = await given;
    if (frame === null) throw abortedError();
    if ('error' in frame) throw new AppError(frame.error);
    return frame.bytes;
  }
}
