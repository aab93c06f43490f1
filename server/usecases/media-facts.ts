import type { MediaFacts } from '#shared/api/annotations.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { collectBlob } from './collect-blob.ts';
import { readModelFacts } from './model-facts.ts';
import { type BlobAddress, readBlob } from './read-blob.ts';

const maxRemembered = 20_000;

/** Reads what media say about themselves, once per content. */
export function createFactsReader(ports: Ports) {
  const known = new Map<string, MediaFacts>();
  return async (address: BlobAddress, context: CallContext): Promise<{ facts: MediaFacts; etag: string }> => {
    const blob = await readBlob(ports, address, context);
    const { etag, contentType, sizeBytes } = blob.facts;
    const stop = () => blob.chunks[Symbol.asyncIterator]().return?.(undefined);
    const found = known.get(etag);
    if (found) {
      await stop();
      return { facts: found, etag };
    }
    const isPicture = contentType.startsWith('image/');
    if (!isPicture) await stop();
    const picture = isPicture
      ? await ports.media.readPicture(
          { bytes: await collectBlob(blob, 'its facts to be read', context.signal) },
          context,
        )
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
