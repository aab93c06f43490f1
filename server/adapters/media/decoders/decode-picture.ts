import { isAppError } from '#shared/api/problem.ts';
import { decodeAnyMap } from './any-map.ts';
import { decodeBitmap } from './bitmap.ts';
import { type DecodedPicture, damaged, type PictureDecoder } from './decoded-picture.ts';
import { decodeHeif } from './heif.ts';
import { decodeIcon } from './icon.ts';
import { decodeJpeg2000 } from './jpeg-2000.ts';
import { decodeJpegXl } from './jpeg-xl.ts';
import { decodeOpenExr } from './open-exr.ts';
import { decodePhotoshop } from './photoshop.ts';
import { decodeQuiteOk } from './quite-ok.ts';
import { decodeRadiance } from './radiance.ts';

/** Kinds of pictures that sharp does not decode. */
const decoders: Readonly<Record<string, PictureDecoder>> = {
  'image/bmp': decodeBitmap,
  'image/x-icon': decodeIcon,
  'image/qoi': decodeQuiteOk,
  'image/x-portable-anymap': decodeAnyMap,
  'image/vnd.radiance': decodeRadiance,
  'image/x-exr': decodeOpenExr,
  'image/vnd.adobe.photoshop': decodePhotoshop,
  'image/jxl': decodeJpegXl,
  'image/jp2': decodeJpeg2000,
  'image/heic': decodeHeif,
  'image/heif': decodeHeif,
};

/** Whether a kind of picture is decoded here and not by sharp. */
export const hasOwnDecoder = (contentType: string): boolean => contentType in decoders;

/** Decodes a picture of a kind that sharp does not know. Throws AppError INVALID_FILE or UNSUPPORTED_MEDIA. */
export async function decodePicture(
  bytes: Uint8Array,
  contentType: string,
  wantedPx: number,
): Promise<DecodedPicture> {
  const decode = decoders[contentType];
  if (!decode) throw damaged('it is of no kind that is decoded here');
  try {
    return await decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), wantedPx);
  } catch (error) {
    if (isAppError(error)) throw error;
    if (error instanceof RangeError) throw damaged('its bytes end too early');
    throw damaged('its bytes are not a whole picture');
  }
}
