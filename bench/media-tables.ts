import sharp from 'sharp';
import { makeArrowTable } from '../server/testing/columns.ts';
import { createRandom } from './harness.ts';
import { connectBench } from './tables.ts';

const batchRows = 2_000;

export const blobBytes = 32 * 1024;

/** Bytes that no codec makes smaller, from a fixed seed. */
export function noiseBytes(length: number, seed: number): Buffer {
  const random = createRandom(seed);
  return Buffer.from(Uint32Array.from({ length: length >> 2 }, () => random() * 2 ** 32).buffer);
}

/** A table of one blob column; `make` gives the value of a row. */
export async function makeBlobTable(
  home: string,
  name: string,
  rows: number,
  make: (row: number) => Buffer,
): Promise<void> {
  const db = await connectBench(home);
  for (let from = 0; from < rows; from += batchRows) {
    const ids = Array.from({ length: Math.min(batchRows, rows - from) }, (_none, at) => from + at);
    const batch = makeArrowTable({
      id: { type: 'int64', values: ids.map(BigInt) },
      file: { type: 'blob', values: ids.map((id) => ({ data: make(id), uri: null })) },
    });
    if (from === 0) await db.createTable(name, batch);
    else await (await db.openTable(name)).add(batch);
  }
}

/** JPEGs of a size, each of its own content. */
export async function makePhotos(count: number, width: number, height: number): Promise<Buffer[]> {
  const photos: Buffer[] = [];
  for (let at = 0; at < count; at++) {
    const background = { r: (at * 37) % 256, g: (at * 91) % 256, b: (at * 153) % 256 };
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 + (at % 40) };
    photos.push(
      await sharp({ create: { width, height, channels: 3, background, noise } })
        .blur(1 + (at % 3))
        .jpeg()
        .toBuffer(),
    );
  }
  return photos;
}

/** Another content of the same picture: bytes after its end. */
export const variantOf = (photo: Buffer, seed: number): Buffer => {
  const mark = Buffer.alloc(8);
  mark.writeDoubleLE(seed);
  return Buffer.concat([photo, mark]);
};

/** One value of noise, as large as asked: too large for Arrow's usual builders to copy more than once. */
export async function makeLargeBlob(home: string, name: string, sizeBytes: number): Promise<void> {
  const piece = noiseBytes(1 << 20, 3);
  const data = Buffer.alloc(sizeBytes);
  for (let at = 0; at < sizeBytes; at += piece.length) piece.copy(data, at);
  const db = await connectBench(home);
  await db.createTable(
    name,
    makeArrowTable({
      id: { type: 'int64', values: [0n] },
      file: { type: 'blob', values: [{ data, uri: null }] },
    }),
  );
}
