import {
  assertBytes,
  assertSize,
  type DecodedPicture,
  damaged,
  pixelsOf,
  unsupported,
} from './decoded-picture.ts';
import { toneMap } from './tone-map.ts';

const maxHeaderBytes = 64 * 1024;

/** Radiance pictures: RGB with a shared exponent, in runs (https://www.radiance-online.org/, “Radiance file formats”). */
export function decodeRadiance(bytes: Buffer): DecodedPicture {
  const head = bytes.toString('latin1', 0, maxHeaderBytes);
  const size = /\n\r?\n([-+])Y +(\d+) +([-+])X +(\d+)\r?\n/.exec(head);
  if (!size) throw damaged('its header does not say how large it is');
  if (/^FORMAT=32-bit_rle_xyze/m.test(head)) throw unsupported('Radiance in CIE XYZ');
  const [height, width] = [Number(size[2]), Number(size[4])];
  assertSize(width, height);
  const coded = new Uint8Array(width * height * 4);
  let at = size.index + size[0].length;
  // A line in runs has 4 bytes of its own and 2 for each 127 of a channel.
  assertBytes(bytes, at + height * 4);
  for (let y = 0; y < height; y++) {
    const line = coded.subarray(y * width * 4, (y + 1) * width * 4);
    const isRuns =
      width >= 8 &&
      width <= 32767 &&
      bytes[at] === 2 &&
      bytes[at + 1] === 2 &&
      (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)) === width;
    at = isRuns ? readRuns(bytes, at + 4, line, width) : readPlain(bytes, at, line, width);
  }
  const [down, right] = [size[1] === '-', size[3] === '+'];
  const valueAt = (pixel: number, channel: number): number => {
    const [y, x] = [Math.floor(pixel / width), pixel % width];
    const from = ((down ? y : height - 1 - y) * width + (right ? x : width - 1 - x)) * 4;
    const exponent = coded[from + 3] as number;
    return exponent === 0 ? 0 : (coded[from + channel] as number) * 2 ** (exponent - 136);
  };
  return pixelsOf(toneMap({ width, height, valueAt }), width, height, {
    format: 'Radiance',
    colours: '3 channels with a shared exponent',
    'shown with': 'light mapped to the screen',
  });
}

function readRuns(bytes: Buffer, from: number, line: Uint8Array, width: number): number {
  let at = from;
  for (let channel = 0; channel < 4; channel++)
    for (let x = 0; x < width; ) {
      assertBytes(bytes, at + 2);
      const code = bytes[at] as number;
      const count = code > 128 ? code - 128 : code;
      if (count === 0 || x + count > width) throw damaged('a run of it leaves its line');
      if (code <= 128) assertBytes(bytes, at + 1 + count);
      for (let index = 0; index < count; index++)
        line[(x + index) * 4 + channel] = bytes[at + 1 + (code > 128 ? 0 : index)] as number;
      x += count;
      at += code > 128 ? 2 : 1 + count;
    }
  return at;
}

/** Four bytes per pixel; a pixel of 1, 1, 1 repeats the one before. */
function readPlain(bytes: Buffer, from: number, line: Uint8Array, width: number): number {
  let at = from;
  let shift = 0;
  for (let x = 0; x < width; at += 4) {
    assertBytes(bytes, at + 4);
    const isRepeat = bytes[at] === 1 && bytes[at + 1] === 1 && bytes[at + 2] === 1;
    if (!isRepeat) {
      line.set(bytes.subarray(at, at + 4), x * 4);
      x += 1;
      shift = 0;
      continue;
    }
    const count = ((bytes[at + 3] as number) << shift) >>> 0;
    if (x === 0 || x + count > width) throw damaged('a run of it leaves its line');
    for (let index = 0; index < count; index++, x++) line.copyWithin(x * 4, (x - 1) * 4, x * 4);
    shift += 8;
    if (shift > 24) throw damaged('a run of it has no end');
  }
  return at;
}
