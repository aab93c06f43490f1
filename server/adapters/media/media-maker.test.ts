import { readFileSync } from 'node:fs';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { decodeSound } from './decode-sound.ts';
import { createMediaMaker } from './media-maker.ts';
import { PeakMeter } from './peak-meter.ts';

const media = createMediaMaker();
const context = { signal: new AbortController().signal };
const demo = (path: string): Uint8Array => readFileSync(new URL(`../../../demo/${path}`, import.meta.url));
const thumbOf = (bytes: Uint8Array, contentType: string, size = 128) =>
  media.makeThumb({ bytes, contentType, size }, context);
const picture = (width: number, height: number, background = '#c04020') =>
  sharp({ create: { width, height, channels: 3, background } });

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

const colorAt = async (webp: Uint8Array, left: number, top: number): Promise<number[]> =>
  Array.from(await sharp(webp).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer());

describe('pictures', () => {
  test('a photograph is scaled to fit and stays a photograph', async () => {
    const thumb = await thumbOf(demo('wonders/images/colosseum.webp'), 'image/webp');
    const meta = await sharp(thumb.bytes).metadata();
    expect({ format: meta.format, width: meta.width, height: meta.height }).toEqual({
      format: 'webp',
      width: thumb.width,
      height: thumb.height,
    });
    expect(Math.max(thumb.width, thumb.height)).toBe(128);
  });

  test('a small picture is not enlarged', async () => {
    expect(await thumbOf(await picture(40, 20).png().toBuffer(), 'image/png')).toMatchObject({
      width: 40,
      height: 20,
    });
  });

  test('is upright by its EXIF orientation', async () => {
    const turned = await picture(80, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await thumbOf(turned, 'image/jpeg')).toMatchObject({ width: 40, height: 80 });
  });

  test('CMYK and 16-bit pictures keep their colour', async () => {
    const cmyk = await picture(32, 32, '#ff0000').toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    const [red = 0, green = 255] = await colorAt((await thumbOf(cmyk, 'image/jpeg')).bytes, 16, 16);
    expect(red - green).toBeGreaterThan(150);
    const deep = await picture(32, 32, '#00ff00').toColourspace('rgb16').png().toBuffer();
    expect((await colorAt((await thumbOf(deep, 'image/png')).bytes, 16, 16))[1]).toBeGreaterThan(230);
  });

  test.each([
    ['truncated', async () => (await noise(300, 300).jpeg().toBuffer()).subarray(0, 9000)],
    ['empty', async () => new Uint8Array(0)],
    ['text', async () => Buffer.from('not a picture at all')],
  ])('a %s picture says that it cannot be decoded', async (_name, make) => {
    await expect(thumbOf(await make(), 'image/jpeg')).rejects.toMatchObject({
      code: expect.stringMatching(/INVALID_FILE|UNSUPPORTED_MEDIA/),
      hint: expect.stringContaining('Download'),
    });
  });

  test('a bomb is refused by its header', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="32000" height="32000"><rect width="1" height="1"/></svg>',
    );
    await expect(thumbOf(svg, 'image/svg+xml')).rejects.toMatchObject({ name: 'AppError' });
  });

  test('an SVG cannot read files', async () => {
    const svg = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64"><rect width="64" height="64" fill="#0000ff"/><image xlink:href="file://${new URL('../../../demo/wonders/images/colosseum.webp', import.meta.url).pathname}" width="64" height="64"/></svg>`,
    );
    const [red = 255, , blue = 0] = await colorAt((await thumbOf(svg, 'image/svg+xml')).bytes, 32, 32);
    expect({ red: red < 20, blue: blue > 230 }).toEqual({ red: true, blue: true });
  });
});

describe('sounds and videos', () => {
  test('a sound becomes a waveform', async () => {
    const thumb = await thumbOf(demo('clips/audio/beethoven.ogg'), 'audio/ogg');
    expect({ width: thumb.width, height: thumb.height }).toEqual({ width: 128, height: 64 });
    const { channels } = await sharp(thumb.bytes).stats();
    expect(channels.at(-1)?.mean).toBeGreaterThan(10);
  });

  test('peaks are the loudest sample of each slice', () => {
    const meter = new PeakMeter();
    meter.add([Float32Array.of(0, 0.5, -1), Float32Array.of(0, 0, 0)]);
    meter.add([Float32Array.of(0.25), Float32Array.of(0.75)]);
    expect([meter.peaks(2), meter.length]).toEqual([[0.5, 1], 4]);
  });

  test('peaks of a long sound are those of its parts, in whatever pieces it comes', () => {
    const meter = new PeakMeter();
    const sound = Float32Array.from({ length: 100_000 }, (_none, at) =>
      at % 25_000 === 24_000 ? at / 1e5 : 0,
    );
    for (let at = 0; at < sound.length; at += 777) meter.add([sound.subarray(at, at + 777)]);
    expect(meter.peaks(4).map((peak) => peak.toFixed(2))).toEqual(['0.24', '0.49', '0.74', '0.99']);
  });

  test('a sound that comes in pieces is whole', async () => {
    const bytes = demo('clips/audio/beethoven.ogg');
    const decoder = new OggVorbisDecoder();
    await decoder.ready;
    const { channelData } = await decoder.decodeFile(bytes);
    decoder.free();
    let length = 0;
    await decodeSound({ bytes }, 'audio/ogg', ([left]) => {
      length += left?.length ?? 0;
    });
    expect(length).toBe(channelData[0]?.length);
  });

  test('a broken sound says so', async () => {
    await expect(thumbOf(Buffer.from('OggS but no more'), 'audio/ogg')).rejects.toMatchObject({
      code: 'INVALID_FILE',
    });
  });

  test('a video becomes a frame of it', async () => {
    const thumb = await thumbOf(demo('clips/video/box.mp4'), 'video/mp4');
    expect({ width: thumb.width, height: thumb.height }).toEqual({ width: 128, height: 96 });
    const { entropy } = await sharp(thumb.bytes).stats();
    expect(entropy).toBeGreaterThan(3);
  });

  test('a broken video says so', async () => {
    await expect(thumbOf(demo('clips/video/box.mp4').subarray(0, 4000), 'video/mp4')).rejects.toMatchObject({
      code: expect.stringMatching(/INVALID_FILE|UNSUPPORTED_MEDIA/),
    });
  });
});

test('what has no picture says so', async () => {
  await expect(thumbOf(Buffer.from('PK'), 'application/zip')).rejects.toMatchObject({
    code: 'UNSUPPORTED_MEDIA',
  });
});
