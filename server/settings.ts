import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '#shared/api/problem.ts';
import { defaultMemoryMb, leastMemoryMb, mostMemoryMb } from './memory-plan.ts';

export interface Settings {
  /** Folder or `s3://…` of the tables. */
  home: string;
  /** Folder of studio.db, journal and locks. */
  state: string;
  /** Folder that may be deleted at any time. */
  cache: string;
  models: string | null;
  /** Folders and http addresses that cells may name media in. */
  places: string[];
  port: number;
  host: string;
  hasDemo: boolean;
  opensBrowser: boolean;
  /** What the server and all its engines may hold together. */
  memoryBytes: number;
}

type Environment = Record<string, string | undefined>;

/** Places parted by commas: folders, and http addresses that links may begin with. */
function readPlaces(text: string): string[] {
  const places = text
    .split(',')
    .map((place) => place.trim())
    .filter((place) => place !== '');
  return places.map((place) => {
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return resolve(place.replace(/^~/, homedir()));
    if (/^https?:\/\//i.test(place) && URL.canParse(place)) return place;
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `CURIO_PLACES names ${place}, which is neither a folder nor an http address.`,
      hint: 'Part folders and addresses by commas: /data/pictures,https://pictures.example.org/set/',
    });
  });
}

function readMemory(text: string | undefined): number {
  const megabytes = Number(text || defaultMemoryMb);
  if (megabytes >= leastMemoryMb && megabytes <= mostMemoryMb) return Math.floor(megabytes) * 1024 * 1024;
  const isAmount = Number.isFinite(megabytes) && megabytes >= 0;
  const problem = !isAmount ? 'no amount of memory' : megabytes < leastMemoryMb ? 'too little' : 'too much';
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `CURIO_MEMORY_MB is ${text}, which is ${problem}.`,
    hint: `Use a number of megabytes, ${leastMemoryMb} to ${mostMemoryMb}; without it the server and its engines keep to ${defaultMemoryMb}.`,
  });
}

/** Reads `CURIO_*`, `PORT` and `HOST`. Throws BAD_REQUEST for what cannot be. */
export function readSettings(env: Environment): Settings {
  const isRemote = /^[a-z0-9]+:\/\//i.test(env.CURIO_HOME ?? '');
  const home = isRemote ? String(env.CURIO_HOME) : resolve(env.CURIO_HOME || './data');
  if (isRemote && !env.CURIO_STATE)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'CURIO_STATE is not set.',
      hint: 'With CURIO_HOME on remote storage, set CURIO_STATE to a folder on this machine.',
    });
  const state = resolve(env.CURIO_STATE || join(home, '.curio'));
  const port = Number(env.PORT || 4820);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `PORT is ${env.PORT}, which is no port.`,
      hint: 'Use 0 to 65535.',
    });
  return {
    home,
    state,
    cache: resolve(env.CURIO_CACHE || join(state, 'cache')),
    models: env.CURIO_MODELS ? resolve(env.CURIO_MODELS.replace(/^~/, homedir())) : null,
    places: readPlaces(env.CURIO_PLACES ?? ''),
    port,
    host: env.HOST || '127.0.0.1',
    hasDemo: env.CURIO_DEMO !== '0',
    opensBrowser: env.CURIO_OPEN !== '0',
    memoryBytes: readMemory(env.CURIO_MEMORY_MB),
  };
}
