import type { MediaFacts } from '#shared/api/annotations.ts';
import { isAppError } from '#shared/api/problem.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { canReadInParts, createBlobSource } from './blob-source.ts';
import { collectBlob, collectBytes } from './collect-blob.ts';
import { readModelFacts } from './model-facts.ts';
import { type BlobAddress, type FoundBlob, findBlob } from './read-blob.ts';

const maxRemembered = 20_000;
/** What comes along of a picture that is read in parts. */
const headBytes = 16 * 1024;

type Told = Omit<MediaFacts, 'contentType' | 'sizeBytes'>;

const noPicture = { width: null, height: null, facts: [], takenAt: null };
const uncountable: ReadonlySet<string> = new Set(['INVALID_FILE', 'UNSUPPORTED_MEDIA']);

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

  /** Why the pages of a PDF cannot be counted is a fact like others. */
  async function readPages(blob: FoundBlob, context: CallContext): Promise<Told> {
    try {
      const stream = await blob.open({ start: 0, end: blob.facts.sizeBytes });
      const bytes = await collectBlob(stream, 'its pages to be counted', context.signal);
      const { pages } = await ports.media.countPages({ bytes }, context);
      return { ...noPicture, pages };
    } catch (error) {
      if (!isAppError(error) || !uncountable.has(error.code)) throw error;
      return { ...noPicture, facts: [{ name: 'note', value: error.message }] };
    }
  }

  return async (address: BlobAddress, context: CallContext): Promise<{ facts: MediaFacts; etag: string }> => {
    const blob = await findBlob(ports, address, context);
    const { etag, contentType, sizeBytes } = blob.facts;
    const found = known.get(etag);
    if (found) return { facts: found, etag };
    const told: Told = contentType.startsWith('image/')
      ? await readPicture(blob, context)
      : contentType === 'application/pdf'
        ? await readPages(blob, context)
        : { ...noPicture, facts: await readModelFacts(ports, address, blob.facts, context) };
    const facts = { contentType, sizeBytes, ...told };
    if (known.size >= maxRemembered) known.delete(known.keys().next().value as string);
    known.set(etag, facts);
    return { facts, etag };
  };
}
