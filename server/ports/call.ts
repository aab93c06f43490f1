/** What every call to a port carries beside its input. */
export interface CallContext {
  /** Ends the work, down to the engine, when the person no longer waits for it. */
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Told when all engines of the call's kind are busy and it waits for one, and when one has taken it. */
  onTurn?: (turn: 'waiting' | 'working') => void;
  /** The value that the call is about, for engines that read parts of it: all of it that they can reach. */
  source?: ByteSource;
}

/** A value of any size, read in parts. */
export interface ByteSource {
  sizeBytes: number;
  /** Bytes `start` (inclusive) to `end` (exclusive), at most {@link maxPartBytes} of them. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** What of a {@link ByteSource} can be read at once. */
export const maxPartBytes = 4 * 1024 * 1024;

export interface Progress {
  done: number;
  total: number | null;
  unit: string;
  message: string;
}

/** Bytes that an engine makes while they are sent; nothing between parses them. Iterate once, or `return()` the iterator. */
export interface ByteStream<Facts = unknown> {
  facts: Facts;
  chunks: AsyncIterable<Uint8Array>;
  /** A reader that has used a chunk up may say so: its memory is freed or used again at once, and the chunk must not be touched. */
  release?(chunk: Uint8Array): void;
  /** About how large the stream will be, where that is known. */
  expectedBytes?: number;
  /**
   * Offered for large streams: sends them to a client's socket, head first, from the process that makes them, so that
   * no byte passes through this one. Instead of iterating `chunks`; the socket (of `node:net`) is given away and
   * closed at the end. Resolves when nothing is written any more, however it ended.
   */
  handOver?(client: object, head: string): Promise<void>;
}

/** A port whose methods can be called across a process boundary: one plain input, one plain result or a byte stream. */
// biome-ignore lint/suspicious/noExplicitAny: the constraint must accept every method's own types
export type RemotePort<P> = { [K in keyof P]: (input: any, context: CallContext) => Promise<unknown> };
