import { AppError } from '#shared/api/problem.ts';

export interface PictureFact {
  name: string;
  value: string;
}

/** RGBA of eight bits, or a picture inside of the file that sharp decodes; with what is known of the file beside it. */
export type DecodedPicture =
  | { kind: 'pixels'; data: Uint8Array; width: number; height: number; facts: PictureFact[] }
  | { kind: 'inner'; bytes: Uint8Array; facts: PictureFact[] };

/** `wantedPx`: the longer side that is needed, for formats that hold smaller versions of themselves. */
export type PictureDecoder = (bytes: Buffer, wantedPx: number) => DecodedPicture | Promise<DecodedPicture>;

/** RGBA of more than this would not be held in memory. */
const maxDecodedPixels = 150_000_000;

export const damaged = (why: string): AppError =>
  new AppError({
    code: 'INVALID_FILE',
    message: `The picture cannot be decoded: ${why}.`,
    hint: 'Download it, or look at the row’s source.',
  });

export const unsupported = (why: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED_MEDIA',
    message: `The picture is in a format that Curio cannot decode: ${why}.`,
    hint: 'Download it to look at it elsewhere.',
  });

/** Before anything is allocated: a header may say what it likes. */
export function assertSize(width: number, height: number, maxPixels = maxDecodedPixels): void {
  if (!(width > 0 && height > 0)) throw damaged(`its size of ${width} × ${height} pixels cannot be`);
  if (width * height > maxPixels)
    throw new AppError({
      code: 'UNSUPPORTED_MEDIA',
      message: `The picture has more than ${maxPixels / 1e6} million pixels.`,
      hint: 'Download it to look at it in a program made for pictures of that size.',
    });
}

/** A picture without the bytes that its header promises is cut off; checked before its pixels are allocated. */
export function assertBytes(bytes: Uint8Array, needed: number): void {
  if (bytes.byteLength < needed) throw damaged('its bytes end too early');
}

/** A sample of any depth as one of eight bits. */
export const toByte = (value: number, max: number): number =>
  max === 255 ? value : Math.round((Math.min(value, max) * 255) / max);

export const pixelsOf = (
  data: Uint8Array,
  width: number,
  height: number,
  facts: Record<string, string | null> = {},
): DecodedPicture => ({
  kind: 'pixels',
  data,
  width,
  height,
  facts: Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [{ name, value }])),
});
