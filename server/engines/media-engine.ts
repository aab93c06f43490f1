import { notFound } from '#shared/api/problem.ts';
import { createTableStorage } from '../adapters/lance/table-storage.ts';
import { createMediaMaker } from '../adapters/media/media-maker.ts';
import { guardMemory } from '../adapters/media/memory-guard.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';
import type { EngineSettings } from '../compose.ts';
import type { MediaMaker } from '../ports/media-maker.ts';

/** The largest pictures that are decoded take three quarters of it. */
const maxBytes = 1.6e9;

const { home } = JSON.parse(process.env.CURIO_ENGINE ?? '{}') as EngineSettings;
const storage = createTableStorage(home);
const maker = createMediaMaker();

const placed: Pick<MediaMaker, 'makePlacedThumb'> = {
  async makePlacedThumb({ place: { path, start }, sizeBytes, contentType, size, page }, context) {
    const bytes = await storage.readFixed(path, start, start + sizeBytes).catch(() => {
      throw notFound('The file with these bytes');
    });
    return maker.makeThumb({ bytes, contentType, size, page }, context);
  },
};

guardMemory(maxBytes);
serveEngine([maker, placed]);
