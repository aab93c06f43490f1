import type { MediaFacts } from '#shared/api/annotations.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { canReadInParts, createBlobSource } from './blob-source.ts';
import { collectBlob, collectBytes } from './collect-blob.ts';
import { readModelFacts } from './model-facts.ts';
import { type BlobAddress, type FoundBlob, findBlob } from './read-blob.ts';

const maxRemembered = 20_000;
/** What comes along of a picture that is read in parts. */
const headBytes = 16 * 1024;

/** Reads what media say about themselves, once per content. */
export function createFactsReader(ports: Ports) {
  const known = new Map<string, MediaFacts>();

  async function readPicture(blob: FoundBlob, context: CallContext) {
    const source = canReadInParts(blob.facts) ? createBlobSource(blob) : undefined;
    const end = source ? headBytes : blob.facts.sizeBytes;
    const stream = await blob.open({ start: 0, end });
    const bytes = source
      ? await collectBytes(stream, context.signal)
      : await collectBlob(stream, 'its facts to be read', context.signal);
    return ports.media.readPicture({ bytes }, { ...context, source });
  }

  return async (address: BlobAddress, context: CallContext): Promise<{ facts: MediaFacts; etag: string }> => {
    const blob = await findBlob(ports, address, context);
    const { etag, contentType, sizeBytes } = blob.facts;
    const found = known.get(etag);
    if (found) return { facts: found, etag };
    const picture = contentType.startsWith('image/')
      ? await readPicture(blob, context)
      : {
          width: null,
          height: null,
          facts: await readModelFacts(ports, address, blob.facts, context),
          takenAt: null,
        };
    const facts = { contentType, sizeBytes, ...picture };
    if (known.size >= maxRemembered) known.delete(known.keys().next().value as string);
    known.set(etag, facts);
    return { facts, etag };
  };
}
