import { assertBytes, assertSize, type DecodedPicture, damaged, pixelsOf } from './decoded-picture.ts';

/** QOI, “the quite OK image format” (https://qoiformat.org/qoi-specification.pdf). */
export function decodeQuiteOk(bytes: Buffer): DecodedPicture {
  assertBytes(bytes, 14);
  const width = bytes.readUInt32BE(4);
  const height = bytes.readUInt32BE(8);
  const channels = bytes[12] as number;
  assertSize(width, height);
  const count = width * height;
  // A run has 62 pixels at most.
  assertBytes(bytes, 14 + Math.ceil(count / 62));
  const data = new Uint8Array(count * 4);
  const seen = new Uint8Array(64 * 4);
  let [red, green, blue, alpha] = [0, 0, 0, 255];
  let at = 14;
  let run = 0;
  for (let pixel = 0; pixel < count; pixel++) {
    if (run > 0) run -= 1;
    else {
      if (at >= bytes.length) throw damaged('its bytes end too early');
      const tag = bytes[at] as number;
      at += 1;
      if (tag >= 0xfe) {
        const length = tag === 0xff ? 4 : 3;
        assertBytes(bytes, at + length);
        [red, green, blue] = [bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number];
        if (length === 4) alpha = bytes[at + 3] as number;
        at += length;
      } else if (tag >> 6 === 0) {
        const place = tag * 4;
        [red, green, blue, alpha] = [
          seen[place] as number,
          seen[place + 1] as number,
          seen[place + 2] as number,
          seen[place + 3] as number,
        ];
      } else if (tag >> 6 === 1) {
        red = (red + ((tag >> 4) & 3) - 2) & 255;
        green = (green + ((tag >> 2) & 3) - 2) & 255;
        blue = (blue + (tag & 3) - 2) & 255;
      } else if (tag >> 6 === 2) {
        assertBytes(bytes, at + 1);
        const step = (tag & 63) - 32;
        const more = bytes[at] as number;
        at += 1;
        red = (red + step - 8 + (more >> 4)) & 255;
        green = (green + step) & 255;
        blue = (blue + step - 8 + (more & 15)) & 255;
      } else run = tag & 63;
      const place = ((red * 3 + green * 5 + blue * 7 + alpha * 11) % 64) * 4;
      seen.set([red, green, blue, alpha], place);
    }
    const to = pixel * 4;
    data[to] = red;
    data[to + 1] = green;
    data[to + 2] = blue;
    data[to + 3] = alpha;
  }
  return pixelsOf(data, width, height, {
    format: 'qoi',
    colours: `${channels} channels, ${bytes[13] === 1 ? 'linear' : 'sRGB'}`,
  });
}
