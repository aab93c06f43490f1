import type { CallContext } from './call.ts';
import type { BlobPlace } from './table-reader.ts';

/** What is cut out of a picture: an upright box in pixels of the upright picture, turned about its middle by degrees. */
export interface CropBox {
  x: number;
  y: number;
  width: number;
  height: number;
  angle: number;
}

export interface Crop {
  bytes: Uint8Array;
  contentType: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

export interface PictureFacts {
  /** Upright, as EXIF says. */
  width: number;
  height: number;
  facts: { name: string; value: string }[];
  takenAt: string | null;
}

/** Pictures of media, in a process of its own: its input is hostile. */
export interface MediaMaker {
  /**
   * WebP bytes at most `size` pixels on the longer side; UNSUPPORTED_MEDIA or INVALID_FILE says why not. `page` is one
   * of a PDF, from 1; RANGE says that it has fewer.
   */
  makeThumb(
    input: { bytes: Uint8Array; contentType: string; size: number; page?: number },
    context: CallContext,
  ): Promise<{ bytes: Uint8Array; width: number; height: number }>;
  /** The same of a value that is read where it lies, so that its bytes pass through no other process. NOT_FOUND when they are there no more. */
  makePlacedThumb(
    input: { place: BlobPlace; sizeBytes: number; contentType: string; size: number; page?: number },
    context: CallContext,
  ): Promise<{ bytes: Uint8Array; width: number; height: number }>;
  /** How many pages a PDF has; errors as for thumbs. */
  countPages(input: { bytes: Uint8Array }, context: CallContext): Promise<{ pages: number }>;
  /** What a picture's header and EXIF say; errors as for thumbs. */
  readPicture(input: { bytes: Uint8Array }, context: CallContext): Promise<PictureFacts>;
  /** What a point cloud or mesh says of itself; `bytes` may be the first of larger ones. Errors as for thumbs. */
  readModel(
    input: { bytes: Uint8Array; contentType: string; sizeBytes: number },
    context: CallContext,
  ): Promise<{ facts: { name: string; value: string }[] }>;
  /**
   * Cuts boxes out of a picture, decoded once; the part of a box outside the picture is left away, and `null` stands
   * for a box that is wholly outside. Errors as for thumbs.
   */
  makeCrops(
    input: { bytes: Uint8Array; boxes: CropBox[] },
    context: CallContext,
  ): Promise<{ crops: (Crop | null)[] }>;
}
