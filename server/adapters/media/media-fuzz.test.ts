import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAppError } from '#shared/api/problem.ts';
import type { MediaMaker } from '../../ports/media-maker.ts';
import { mediaZoo, type Specimen } from '../../testing/media-zoo.ts';
import { createDice, spoilBytes } from '../../testing/spoil-bytes.ts';
import { EnginePool } from '../process/engine-pool.ts';
import { createRemote } from '../process/remote.ts';

const casesOf: Record<string, number> = { image: 5, video: 2, audio: 3, application: 3, text: 1, model: 3 };
const largestBytes = 100_000;
const maxKeptBytes = 700e6;

let pool: EnginePool;
let media: MediaMaker;
const files: { specimen: Specimen; bytes: Uint8Array }[] = [];

beforeAll(async () => {
  pool = new EnginePool({
    name: 'media',
    module: new URL('../../engines/media-engine.ts', import.meta.url),
    settings: { home: '/nowhere', cache: '/nowhere', places: [] },
    size: 2,
    callsPerProcess: 1,
    maxCallMs: 20_000,
  });
  media = createRemote<MediaMaker>(() => pool);
  for (const specimen of mediaZoo) {
    const bytes = await specimen.make();
    if (bytes.byteLength > 0 && bytes.byteLength <= largestBytes) files.push({ specimen, bytes });
  }
}, 60_000);
afterAll(() => pool.close());

const make = async (bytes: Uint8Array, contentType: string): Promise<string> => {
  try {
    await media.makeThumb({ bytes, contentType, size: 64 }, { signal: new AbortController().signal });
    return 'thumb';
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
};

test('files that are cut off, changed and torn give a thumb or a reason, and no engine dies or keeps their memory', async () => {
  const dice = createDice(2026);
  const found = new Map<string, string[]>();
  await pool.warm();
  for (const { specimen, bytes } of files) {
    const { contentType, name } = specimen;
    const count = casesOf[contentType.split('/')[0] ?? ''] ?? 1;
    const spoilt = Array.from({ length: count }, () => spoilBytes(bytes, dice)).filter(
      ({ length }) => length > 0,
    );
    for (const [index, outcome] of (
      await Promise.all(spoilt.map((each) => make(each, contentType)))
    ).entries())
      found.set(outcome, [...(found.get(outcome) ?? []), `${contentType} ${name} ${index}`]);
  }
  const [thumbs = [], invalid = []] = [found.get('thumb'), found.get('INVALID_FILE')];
  expect(Math.min(thumbs.length, invalid.length)).toBeGreaterThan(50);
  const others = [...found].filter(
    ([code]) => !['thumb', 'INVALID_FILE', 'UNSUPPORTED_MEDIA'].includes(code),
  );
  expect(others).toEqual([]);
  for (const pid of existsSync('/proc/self/status') ? pool.pids() : []) {
    const [, kept] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    expect(Number(kept) * 1024).toBeLessThan(maxKeptBytes);
  }
}, 120_000);
