import { createMediaMaker } from '../adapters/media/media-maker.ts';
import { serveEngine } from '../adapters/process/serve-engine.ts';

serveEngine([createMediaMaker()]);
