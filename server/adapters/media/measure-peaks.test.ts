import { readFileSync } from 'node:fs';
import { FlacOutputFormat, OggOutputFormat } from 'mediabunny';
import { expect, test } from 'vitest';
import { codeSound, wav } from '../../testing/media-zoo-moving.ts';
import { measurePeaks } from './measure-peaks.ts';

/** A value that is read in parts, and what was read of it. */
function partsOf(bytes: Buffer) {
  const read = { times: 0, bytes: 0, largest: 0 };
  const source = {
    sizeBytes: bytes.length,
    read: async (start: number, end: number) => {
      read.times += 1;
      read.bytes += end - start;
      read.largest = Math.max(read.largest, end - start);
      return bytes.subarray(start, end);
    },
  };
  return { value: { bytes: bytes.subarray(0, 16_384), source }, read };
}

const repeat = (bytes: Uint8Array, sizeBytes: number): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(sizeBytes / bytes.length) }, () => bytes));

/** Metadata once, then the same frames again and again. */
async function longFlac(sizeBytes: number): Promise<Buffer> {
  const flac = Buffer.from(await codeSound('flac', new FlacOutputFormat(), 2));
  let at = 4;
  for (let isLast = false; !isLast; ) {
    isLast = ((flac[at] as number) & 0x80) !== 0;
    at += 4 + flac.readUIntBE(at + 1, 3);
  }
  return Buffer.concat([flac.subarray(0, at), repeat(flac.subarray(at), sizeBytes)]);
}

function longWav(sizeBytes: number): Buffer {
  const second = Buffer.from(wav({ seconds: 1, rate: 48_000 }));
  const bytes = Buffer.concat([second.subarray(0, 44), repeat(second.subarray(44), sizeBytes)]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return bytes;
}

const vorbis = readFileSync(new URL('../../../demo/clips/audio/beethoven.ogg', import.meta.url));
/** MPEG-1 layer III, 128 kbit/s, 44.1 kHz: a frame of silence. */
const silentMp3 = Buffer.concat([Buffer.from('fffb9000', 'hex'), Buffer.alloc(413)]);

test.each<[name: string, type: string, make: () => Promise<Buffer> | Buffer, isLoud: boolean]>([
  ['FLAC', 'audio/flac', () => longFlac(16e6), true],
  ['Vorbis', 'audio/ogg', () => repeat(vorbis, 16e6), true],
  ['Opus', 'audio/ogg', async () => repeat(await codeSound('opus', new OggOutputFormat()), 16e6), true],
  ['MP3', 'audio/mpeg', () => repeat(silentMp3, 16e6), false],
  ['WAV', 'audio/wav', () => longWav(101e6), true],
])(
  'of a long sound in %s only parts are read, and every slice is heard',
  async (_name, type, make, isLoud) => {
    const bytes = await make();
    const { value, read } = partsOf(bytes);
    const peaks = await measurePeaks(value, type, 16);
    expect(peaks).toHaveLength(16);
    for (const peak of peaks) expect(peak > 0.001).toBe(isLoud);
    expect(read.bytes).toBeLessThan(6e6);
    expect(read.largest).toBeLessThanOrEqual(2 ** 20);
  },
  20_000,
);

test('bytes that are no sound say so, however many they are', async () => {
  const { value } = partsOf(Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(14e6, 7)]));
  await expect(measurePeaks(value, 'audio/flac', 16)).rejects.toMatchObject({ code: 'INVALID_FILE' });
});
