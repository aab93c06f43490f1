import type { MediaFacts } from '#shared/api/annotations.ts';
import { isModelType } from '#shared/domain/models/model.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { maxSourceBytes } from './collect-blob.ts';
import { type BlobAddress, readBlob } from './read-blob.ts';

/** What of a model is read that is too large to be in memory whole: its header says the counts. */
const headBytes = 1024 * 1024;

/** What a point cloud or mesh says of itself; nothing for other media. */
export async function readModelFacts(
  ports: Ports,
  address: BlobAddress,
  { contentType, sizeBytes }: { contentType: string; sizeBytes: number },
  context: CallContext,
): Promise<MediaFacts['facts']> {
  if (!isModelType(contentType)) return [];
  const end = sizeBytes > maxSourceBytes ? headBytes : sizeBytes;
  const { chunks } = await readBlob(ports, address, context, { start: 0, end });
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    context.signal.throwIfAborted();
    parts.push(chunk);
  }
  const { facts } = await ports.media.readModel(
    { bytes: Buffer.concat(parts), contentType, sizeBytes },
    context,
  );
  return facts;
}
