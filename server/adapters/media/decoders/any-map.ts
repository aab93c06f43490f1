import {
  assertBytes,
  assertSize,
  type DecodedPicture,
  damaged,
  pixelsOf,
  toByte,
} from './decoded-picture.ts';
import { toneMap } from './tone-map.ts';

interface MapHeader {
  width: number;
  height: number;
  channels: number;
  max: number;
  at: number;
}

/** Numbers of the header and of texts: digits between spaces and comments. */
class Numbers {
  at: number;
  #bytes: Buffer;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    return Number(this.word());
  }

  word(): string {
    const bytes = this.#bytes;
    for (;;) {
      const byte = bytes[this.at];
      if (byte === undefined) throw damaged('its bytes end too early');
      if (byte === 0x23) while (this.at < bytes.length && bytes[this.at] !== 0x0a) this.at += 1;
      else if (byte > 0x20) break;
      else this.at += 1;
    }
    const from = this.at;
    while (this.at < bytes.length && (bytes[this.at] as number) > 0x20 && this.at - from < 32) this.at += 1;
    return bytes.toString('latin1', from, this.at);
  }

  /** One bit of a text: digits need no space between them there. */
  bit(): number {
    for (;;) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw damaged('its bytes end too early');
      this.at += 1;
      if (byte === 0x30 || byte === 0x31) return byte - 0x30;
      if (byte === 0x23) while (this.at < this.#bytes.length && this.#bytes[this.at] !== 0x0a) this.at += 1;
    }
  }
}

function check({ width, height, channels, max }: MapHeader): void {
  for (const value of [width, height, channels])
    if (!Number.isInteger(value)) throw damaged('its header is no header');
  assertSize(width, height);
  if (!(max >= 1 && max <= 65535)) throw damaged(`its highest value of ${max} cannot be`);
  if (channels < 1 || channels > 4) throw damaged(`${channels} channels cannot be shown`);
}

function readHeader(bytes: Buffer): MapHeader {
  const kind = bytes[1] as number;
  const numbers = new Numbers(bytes, 2);
  if (kind === 0x37) return readArbitraryHeader(numbers);
  const width = numbers.next();
  const height = numbers.next();
  const isBits = kind === 0x31 || kind === 0x34;
  const max = isBits ? 1 : numbers.next();
  return { width, height, channels: kind === 0x33 || kind === 0x36 ? 3 : 1, max, at: numbers.at + 1 };
}

/** PAM: lines of names and values up to ENDHDR. */
function readArbitraryHeader(numbers: Numbers): MapHeader {
  const found: Record<string, number> = {};
  for (let line = 0; line < 64; line++) {
    const name = numbers.word();
    if (name === 'ENDHDR') break;
    if (name === 'TUPLTYPE') numbers.word();
    else found[name] = numbers.next();
  }
  const { WIDTH: width = 0, HEIGHT: height = 0, DEPTH: channels = 0, MAXVAL: max = 0 } = found;
  return { width, height, channels, max, at: numbers.at + 1 };
}

/** PBM, PGM, PPM as text or bytes, and PAM (https://netpbm.sourceforge.net/doc/). */
export function decodeAnyMap(bytes: Buffer): DecodedPicture {
  assertBytes(bytes, 3);
  if (bytes[1] === 0x66 || bytes[1] === 0x46) return decodeFloatMap(bytes);
  const header = readHeader(bytes);
  check(header);
  const { width, height, channels, max, at } = header;
  const kind = bytes[1] as number;
  const isText = kind <= 0x33;
  const isBits = kind === 0x31 || kind === 0x34;
  const sampleBytes = max > 255 ? 2 : 1;
  const rowBytes = kind === 0x34 ? Math.ceil(width / 8) : width * channels * sampleBytes;
  assertBytes(
    bytes,
    isText ? at - 1 + (isBits ? width * height : 2 * width * height * channels - 1) : at + rowBytes * height,
  );
  const numbers = new Numbers(bytes, at - 1);
  const sampleAt = (row: number, x: number, channel: number): number => {
    if (isBits) {
      const bit = isText
        ? numbers.bit()
        : ((bytes[at + row * rowBytes + (x >> 3)] as number) >> (7 - (x & 7))) & 1;
      return bit === 1 ? 0 : 255;
    }
    if (isText) return toByte(numbers.next(), max);
    const from = at + row * rowBytes + (x * channels + channel) * sampleBytes;
    return toByte(sampleBytes === 2 ? bytes.readUInt16BE(from) : (bytes[from] as number), max);
  };
  const data = new Uint8Array(width * height * 4);
  let to = 0;
  for (let row = 0; row < height; row++)
    for (let x = 0; x < width; x++, to += 4) {
      const first = sampleAt(row, x, 0);
      const isGrey = channels < 3;
      const second = channels > 1 ? sampleAt(row, x, 1) : 255;
      data[to] = first;
      data[to + 1] = isGrey ? first : second;
      data[to + 2] = isGrey ? first : sampleAt(row, x, 2);
      data[to + 3] = channels === 4 ? sampleAt(row, x, 3) : channels === 2 ? second : 255;
    }
  return pixelsOf(data, width, height, {
    format: `portable map P${bytes.toString('latin1', 1, 2)}`,
    colours: `${channels === 1 ? '1 channel' : `${channels} channels`}, highest value ${max}`,
  });
}

/** PFM: floats, the lowest row first; the sign of the scale is the order of bytes. */
function decodeFloatMap(bytes: Buffer): DecodedPicture {
  const channels = bytes[1] === 0x46 ? 3 : 1;
  const numbers = new Numbers(bytes, 2);
  const [width, height, scale] = [numbers.next(), numbers.next(), numbers.next()];
  const at = numbers.at + 1;
  check({ width, height, channels, max: 1, at });
  assertBytes(bytes, at + width * height * channels * 4);
  const read = (from: number): number => (scale < 0 ? bytes.readFloatLE(from) : bytes.readFloatBE(from));
  const valueAt = (pixel: number, channel: number): number => {
    const row = height - 1 - Math.floor(pixel / width);
    const from = row * width + (pixel % width);
    return read(at + (from * channels + (channels === 1 ? 0 : channel)) * 4);
  };
  return pixelsOf(toneMap({ width, height, valueAt }), width, height, {
    format: 'portable float map',
    colours: `${channels === 1 ? '1 channel' : `${channels} channels`}, 32 bit float`,
    'shown with': 'light mapped to the screen',
  });
}
