import { AppError } from '#shared/api/problem.ts';
import type { ByteSource } from '../ports/call.ts';
import type { BlobFacts } from '../ports/table-reader.ts';
import { collectBytes, maxSourceBytes } from './collect-blob.ts';
import type { FoundBlob } from './read-blob.ts';

/** Films and sounds up to this size are sent at once: that costs less than asking for their parts. */
const smallBytes = 2 * 1024 * 1024;
/** A picture is copied to a file to be decoded from there. */
const maxPictureBytes = 2 * 1024 ** 3;

/** Whether a value is better read in parts than held in memory whole: films and sounds nearly always, pictures when they are large. */
export function canReadInParts({ contentType, sizeBytes }: BlobFacts): boolean {
  const [family] = contentType.split('/');
  if (family === 'video' || family === 'audio') return sizeBytes > smallBytes;
  return family === 'image' && sizeBytes > maxSourceBytes && sizeBytes <= maxPictureBytes;
}

/** The parts of a value, as long as it stays the same. Throws STREAM_BROKEN when it became another. */
export function createBlobSource({ facts, open }: FoundBlob): ByteSource {
  const changed = (): AppError =>
    new AppError({
      code: 'STREAM_BROKEN',
      message: 'The value became another while it was read.',
      hint: 'Load it again.',
    });
  return {
    sizeBytes: facts.sizeBytes,
    async read(start, end) {
      const stream = await open({ start, end });
      if (stream.facts.etag !== facts.etag) {
        await stream.chunks[Symbol.asyncIterator]().return?.(undefined);
        throw changed();
      }
      const bytes = await collectBytes(stream);
      if (bytes.byteLength !== end - start) throw changed();
      return bytes;
    },
  };
}
