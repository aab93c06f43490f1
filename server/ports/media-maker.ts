import type { CallContext } from './call.ts';

/** Pictures of media, in a process of its own: its input is hostile. */
export interface MediaMaker {
  /** WebP bytes at most `size` pixels on the longer side; UNSUPPORTED_MEDIA or INVALID_FILE says why not. */
  makeThumb(
    input: { bytes: Uint8Array; contentType: string; size: number },
    context: CallContext,
  ): Promise<{ bytes: Uint8Array; width: number; height: number }>;
}
