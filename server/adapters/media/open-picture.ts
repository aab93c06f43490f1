import { open } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { sniffBytes, sniffMediaType } from '../../media-type.ts';
import { decodePicture, hasOwnDecoder } from './decoders/decode-picture.ts';
import type { PictureFact } from './decoders/decoded-picture.ts';

export interface OpenedPicture {
  picture: Sharp;
  metadata: Metadata;
  /** The kind by its first bytes. */
  contentType: string;
  /** What Curio’s own decoder knows of the file; null for those that sharp decodes. */
  facts: PictureFact[] | null;
}

interface OpenOptions {
  maxPixels: number;
  failOn: 'error' | 'none';
  /** The longer side that is needed. */
  wantedPx: number;
}

async function headOf(input: Uint8Array | string): Promise<Uint8Array> {
  if (typeof input !== 'string') return input.subarray(0, sniffBytes);
  const file = await open(input);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Opens a picture of any kind that can be decoded, by its bytes or as a file. */
export async function openPicture(
  input: Uint8Array | string,
  { maxPixels, failOn, wantedPx }: OpenOptions,
): Promise<OpenedPicture> {
  const contentType = sniffMediaType(await headOf(input));
  const options = { limitInputPixels: maxPixels, failOn, pages: 1, density: 96 } as const;
  if (typeof input === 'string' || !hasOwnDecoder(contentType)) {
    const picture = sharp(input, options);
    return { picture, metadata: await picture.metadata(), contentType, facts: null };
  }
  const decoded = await decodePicture(input, contentType, wantedPx);
  const { facts } = decoded;
  const picture =
    decoded.kind === 'inner'
      ? sharp(decoded.bytes, options)
      : sharp(decoded.data, {
          ...options,
          raw: { width: decoded.width, height: decoded.height, channels: 4 },
        });
  return { picture, metadata: await picture.metadata(), contentType, facts };
}
