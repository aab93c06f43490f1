import { mkdirSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { BlobPlaces } from '../server/adapters/lance/blob-places.ts';
import { openHome } from '../server/adapters/lance/connect.ts';
import { createLanceParts } from '../server/adapters/lance/table-reader.ts';
import { comparePairs, createRandom, judge, type Result } from './harness.ts';
import { getAll, openSocket, readIncarnation, timeFirstByte, treeBytes } from './media-http.ts';
import { hasNginx, openLmdb, skip, startNginx, startPeer, wrkRanges } from './media-peers.ts';
import { blobBytes, makeBlobTable, makeLargeBlob, makePhotos, noiseBytes } from './media-tables.ts';
import { startBenchServer } from './server.ts';

const blobs = 8_000;
const batch = 100;
const batches = 40;

/** Rows per second of this process's CPU, over batches of random rows. */
async function rowsPerCpuSecond(
  read: (rows: readonly number[]) => Promise<void>,
  random: () => number,
): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < batches; at++)
    await read(Array.from({ length: batch }, () => Math.floor(random() * blobs)));
  const { user, system } = process.cpuUsage(before);
  return (batches * batch * 1e6) / (user + system);
}

/** Blobs of 32 KiB in batches of 100: the reader of blobs, in this process, against a packed file and LMDB. */
export async function benchBlobs(home: string): Promise<Result[]> {
  const values = noiseBytes(blobBytes * 16 + blobs * 4, 5);
  const valueAt = (row: number) => values.subarray(row * 4, row * 4 + blobBytes);
  await makeBlobTable(home, 'blobs', blobs, valueAt);
  const opened = await openHome(home);
  const { tables } = createLanceParts({ home: opened, cache: join(home, '.bench-cache') });
  const pinned = { table: 'blobs', ref: { branch: 'main', version: blobs / 2000 } };
  const table = await tables.open(pinned, { signal: new AbortController().signal });
  const places = new BlobPlaces(opened);
  const random = createRandom(7);
  const readOurs = async (rows: readonly number[]): Promise<void> => {
    const cells = await places.cells(table, pinned, { column: 'file', rowIds: rows.map(BigInt) });
    for (const [at, cell] of cells.entries()) {
      if (cell === null || cell === 'unplaced') throw new Error('A blob has no place.');
      const bytes = await cell.read(0, cell.sizeBytes);
      if (bytes[0] !== values[(rows[at] as number) * 4]) throw new Error('A blob is not what was written.');
    }
  };
  const ours = () => rowsPerCpuSecond(readOurs, random);
  for (let from = 0; from < blobs; from += batch)
    await readOurs(Array.from({ length: batch }, (_none, at) => from + at));
  const file = join(home, 'packed.bin');
  writeFileSync(file, Buffer.concat(Array.from({ length: blobs }, (_none, row) => valueAt(row))));
  const fd = openSync(file, 'r');
  const packed = () =>
    rowsPerCpuSecond(async (rows) => {
      for (const row of rows) readSync(fd, Buffer.allocUnsafeSlow(blobBytes), 0, blobBytes, row * blobBytes);
    }, random);
  const goal = { name: 'blobs of 32 KiB, batches of 100, places known', direction: 'atLeast' as const };
  const first = await comparePairs(
    { ...goal, unit: 'rows per CPU-second / those of pread from a packed file', limit: 0.5 },
    { ours, peer: packed },
  );
  const lance = await comparePairs(
    { ...goal, unit: 'rows per CPU-second / those of LanceDB’s fetchBlobs', limit: 2 },
    {
      ours,
      peer: () =>
        rowsPerCpuSecond(
          async (rows) => void (await table.handle.fetchBlobs('file', rows.map(BigInt))),
          random,
        ),
    },
  );
  const lmdb = openLmdb(join(home, 'lmdb'));
  if (!lmdb)
    return [first, lance, ...skip('blobs against LMDB', 'CURIO_BENCH_MODULES names no folder with it')];
  for (let row = 0; row < blobs; row++) void lmdb.put(row, valueAt(row));
  await lmdb.put(0, valueAt(0));
  const second = await comparePairs(
    { ...goal, unit: 'rows per CPU-second / those of LMDB', limit: 2 },
    { ours, peer: () => rowsPerCpuSecond(async (rows) => rows.forEach((row) => void lmdb.get(row)), random) },
  );
  await lmdb.close();
  return [first, lance, second];
}

const largeBytes = 512 * 1024 * 1024;

/** Ranges of one large value: against nginx, the first byte after a seek, and what memory they take. */
export async function benchRanges(home: string): Promise<Result[]> {
  await makeLargeBlob(home, 'film', largeBytes);
  const folder = join(home, 'static');
  mkdirSync(folder);
  const file = join(folder, 'film.bin');
  writeFileSync(file, Buffer.concat(Array.from({ length: largeBytes >> 20 }, () => noiseBytes(1 << 20, 3))));
  const server = await startBenchServer(home);
  const path = `/api/v1/tables/film/blobs/file/0?ref=main:1&of=${await readIncarnation(server.port, 'film')}`;
  const results: Result[] = [];
  try {
    if (hasNginx()) {
      const nginx = await startNginx(folder);
      for (const [length, name] of [
        [32 * 1024, '32 KiB'],
        [1 << 20, '1 MiB'],
      ] as const)
        results.push(
          await comparePairs(
            {
              name: `random ranges of ${name}`,
              unit: 'requests per s / those of nginx with sendfile, one worker',
              limit: 0.8,
              direction: 'atLeast',
            },
            {
              ours: () =>
                wrkRanges(home, {
                  url: `http://127.0.0.1:${server.port}${path}`,
                  sizeBytes: largeBytes,
                  length,
                }),
              peer: () =>
                wrkRanges(home, {
                  url: `http://127.0.0.1:${nginx.port}/film.bin`,
                  sizeBytes: largeBytes,
                  length,
                }),
              pairs: 5,
            },
          ),
        );
      await nginx.stop();
    } else skip('ranges against nginx', 'nginx or wrk is not installed');
    results.push(await benchSeek(server.port, path, file));
    results.push(await benchMemory(server, path));
  } finally {
    await server.stop();
  }
  return results;
}

const seekBytes = 128 * 1024;

async function benchSeek(port: number, path: string, file: string): Promise<Result> {
  const peer = await startPeer('range-peer', file);
  const [ours, bare] = await Promise.all([openSocket(port), openSocket(peer.port)]);
  const random = createRandom(3);
  const somewhere = () => Math.floor(random() * (largeBytes - seekBytes));
  const middleOf = async (time: () => Promise<number>): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < 25; at++) times.push(await time());
    return times.sort((a, b) => a - b)[12] as number;
  };
  const result = await comparePairs(
    {
      name: 'first byte after a seek in 512 MB',
      unit: 'ms / ms of a bare read over loopback',
      limit: 2,
      direction: 'atMost',
    },
    {
      ours: () =>
        middleOf(() => {
          const start = somewhere();
          return timeFirstByte(
            ours,
            `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nRange: bytes=${start}-${start + seekBytes - 1}\r\n\r\n`,
            (head) => head.indexOf('\r\n\r\n') + 4 + seekBytes,
          );
        }),
      peer: () => middleOf(() => timeFirstByte(bare, `${somewhere()} ${seekBytes}`, () => seekBytes)),
    },
  );
  ours.destroy();
  bare.destroy();
  await peer.stop();
  return result;
}

/** Thirty readers that take nothing but the beginning, of the whole value each: what the server keeps for them. */
async function benchMemory(server: { port: number; pid: number }, path: string): Promise<Result> {
  const before = treeBytes(server.pid);
  const readers = await Promise.all(Array.from({ length: 30 }, () => openSocket(server.port)));
  for (const socket of readers) {
    socket.once('data', () => socket.pause());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
  }
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const ours = Math.max(0, treeBytes(server.pid) - before) / 1e6;
  for (const socket of readers) socket.destroy();
  const peer = 30;
  const ratio = ours / peer;
  return judge(
    {
      name: '30 slow readers of 512 MB each',
      unit: 'MB of memory more / readers',
      limit: 4,
      direction: 'atMost',
    },
    { ratio, interval: [ratio, ratio], ours, peer, note: 'one pair' },
  );
}

const photoCount = 200;

/** Thumbs of 200 photographs: made for the first time, and again. */
export async function benchThumbs(home: string): Promise<Result[]> {
  const photos = await makePhotos(photoCount, 800, 600);
  await makeBlobTable(home, 'photos', photoCount, (row) => photos[row] as Buffer);
  const server = await startBenchServer(home);
  const of = await readIncarnation(server.port, 'photos');
  const paths = (size: number) =>
    photos.map((_none, row) => `/api/v1/tables/photos/thumbs/file/${row}?ref=main:1&of=${of}&size=${size}`);
  let size = 128;
  sharp.concurrency(1);
  const thumb = (photo: Buffer) =>
    sharp(photo).rotate().resize(size, size, { fit: 'inside' }).webp({ quality: 82, effort: 3 }).toBuffer();
  const queue = async (): Promise<number> => {
    const startedAt = performance.now();
    const rest = [...photos];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let photo = rest.pop(); photo; photo = rest.pop()) await thumb(photo);
      }),
    );
    return (photoCount * 1000) / (performance.now() - startedAt);
  };
  try {
    const cold = await comparePairs(
      {
        name: '200 thumbs of 800 × 600 for the first time, over HTTP',
        unit: 'per s / those of sharp in one process',
        limit: 0.9,
        direction: 'atLeast',
      },
      {
        ours: async () => {
          size += 1;
          const ms = await getAll(server.port, paths(size));
          // What is written to the disk afterwards shall not be counted as the peer's.
          await new Promise((resolve) => setTimeout(resolve, 500));
          return (photoCount * 1000) / ms;
        },
        peer: queue,
        pairs: 5,
      },
    );
    const folder = join(home, 'thumbs');
    mkdirSync(folder);
    for (const [row, photo] of photos.entries()) writeFileSync(join(folder, String(row)), await thumb(photo));
    const plain = await startPeer('static-peer', folder);
    const warm = await comparePairs(
      {
        name: '200 thumbs that were made before, over HTTP',
        unit: 'ms / ms of a plain static server of Node, from memory',
        limit: 1.5,
        direction: 'atMost',
      },
      {
        ours: () => getAll(server.port, paths(size)),
        peer: () =>
          getAll(
            plain.port,
            photos.map((_none, row) => `/${row}`),
          ),
        pairs: 15,
      },
    );
    await plain.stop();
    return [cold, warm];
  } finally {
    await server.stop();
  }
}
