import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebMOutputFormat } from 'mediabunny';
import { expect, test } from 'vitest';
import { filmBars, mp4, remux } from '../../testing/media-zoo-moving.ts';
import { writeSparseFilm } from '../../testing/sparse-media.ts';
import { makePoster } from './video-poster.ts';

test('of a film with its index behind 5 GiB few parts are read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'curio-poster-'));
  try {
    const path = join(folder, 'film.mp4');
    const sizeBytes = await writeSparseFilm(path, await remux(mp4(false)), 5 * 2 ** 30);
    const file = await open(path);
    const reads: [start: number, end: number][] = [];
    const read = async (start: number, end: number): Promise<Uint8Array> => {
      reads.push([start, end]);
      return (await file.read(Buffer.alloc(end - start), 0, end - start, start)).buffer;
    };
    const bytes = await read(0, 16_384);
    const poster = await makePoster({ bytes, source: { sizeBytes, read } }, 'video/mp4', 64);
    await file.close();
    expect(poster).toMatchObject({ width: 64, height: 48 });
    expect(reads.length).toBeLessThanOrEqual(12);
    expect(reads.reduce((sum, [start, end]) => sum + end - start, 0)).toBeLessThan(2e6);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a film that does not say how long it is, and whose rest is not there, still has a poster', async () => {
  const film = Buffer.from(await filmBars('vp8', new WebMOutputFormat({ appendOnly: true })));
  const source = {
    sizeBytes: film.length,
    read: async (start: number, end: number) => film.subarray(start, end),
  };
  const poster = await makePoster({ bytes: film.subarray(0, 1000), source }, 'video/webm', 64);
  expect(poster).toMatchObject({ width: 64, height: 48 });
});
