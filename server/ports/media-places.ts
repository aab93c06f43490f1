import type { ByteStream, CallContext } from './call.ts';
import type { BlobFacts } from './table-reader.ts';

/** Media that lie outside of the tables, in places that an administrator named; nothing else can be reached. */
export interface MediaPlaces {
  /** False when no place was named. */
  readonly hasAny: boolean;
  /**
   * Bytes `start` to `end` of what a cell names: a path (absolute, or inside of a folder that was named), a `file:` or
   * an http address. FORBIDDEN outside of the places, NOT_FOUND when there is nothing, UPSTREAM for what another
   * server answers.
   */
  open(
    input: { link: string; start?: number; end?: number },
    context: CallContext,
  ): Promise<ByteStream<BlobFacts>>;
}
