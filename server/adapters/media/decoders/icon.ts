import { readBitmapHeader, readBitmapRows } from './bitmap.ts';
import { assertBytes, assertSize, type DecodedPicture, damaged, pixelsOf } from './decoded-picture.ts';

/** The largest picture of an icon or cursor, with most colours. */
export function decodeIcon(bytes: Buffer): DecodedPicture {
  assertBytes(bytes, 6);
  const count = bytes.readUInt16LE(4);
  if (count === 0) throw damaged('it holds no picture');
  assertBytes(bytes, 6 + count * 16);
  const entries = Array.from({ length: count }, (_none, index) => {
    const at = 6 + index * 16;
    return {
      side: (bytes[at] || 256) * (bytes[at + 1] || 256),
      bits: bytes[2] === 2 ? 0 : bytes.readUInt16LE(at + 6),
      size: bytes.readUInt32LE(at + 8),
      offset: bytes.readUInt32LE(at + 12),
    };
  }).sort((a, b) => b.side - a.side || b.bits - a.bits);
  const { offset, size } = entries[0] as { offset: number; size: number };
  assertBytes(bytes, offset + Math.min(size, 16));
  const inner = bytes.subarray(offset, offset + size);
  const pictures = count === 1 ? null : `${count}, the largest is shown`;
  if (inner.readUInt32BE(0) === 0x89504e47)
    return {
      kind: 'inner',
      bytes: inner,
      facts: [
        { name: 'format', value: 'icon with PNG' },
        ...(pictures ? [{ name: 'pictures', value: pictures }] : []),
      ],
    };
  return decodeInnerBitmap(inner, pictures);
}

/** A bitmap of twice the height: colours, and below them one bit per pixel for what is see-through. */
function decodeInnerBitmap(bytes: Buffer, pictures: string | null): DecodedPicture {
  const header = readBitmapHeader(bytes, 0, null);
  const { width, bits } = header;
  const height = header.height >> 1;
  assertSize(width, height);
  if (bits === 0 || header.compression !== 0) throw damaged('its bitmap is coded as none in an icon is');
  const data = readBitmapRows(bytes, { ...header, height }, header.end, true);
  const stride = Math.ceil((width * bits) / 32) * 4;
  const maskStride = Math.ceil(width / 32) * 4;
  const maskAt = header.end + stride * height;
  const hasAlpha = bits === 32 && data.some((value, at) => at % 4 === 3 && value > 0);
  const hasMask = bytes.length >= maskAt + maskStride * height;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width && !hasAlpha; x++) {
      const isHidden =
        hasMask &&
        (((bytes[maskAt + (height - 1 - y) * maskStride + (x >> 3)] as number) >> (7 - (x & 7))) & 1) === 1;
      data[(y * width + x) * 4 + 3] = isHidden ? 0 : 255;
    }
  return pixelsOf(data, width, height, { format: 'icon', colours: `${bits} bits per pixel`, pictures });
}
