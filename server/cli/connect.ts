import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSettings, type Settings } from '../settings.ts';
import { type Client, createClient } from './client.ts';
import { type Command, textOf } from './parse-command.ts';

/** Folders in options are the person's; npm runs the command in the package's folder. */
export const workingFolder = (env: NodeJS.ProcessEnv): string =>
  env.npm_lifecycle_event === 'curio' && env.INIT_CWD ? env.INIT_CWD : process.cwd();

const isRemote = (place: string): boolean => /^[a-z0-9]+:\/\//i.test(place);

/** Folders among the places are the person's, too. */
const placesOf = (text: string | undefined, env: NodeJS.ProcessEnv): string | undefined =>
  text
    ?.split(',')
    .map((place) => (isRemote(place.trim()) ? place.trim() : resolve(workingFolder(env), place.trim())))
    .join(',');

/** The settings: options of the command line before the environment. */
export function settingsOf(command: Command, env: NodeJS.ProcessEnv): Settings {
  const folder = (name: string): string | undefined => {
    const value = textOf(command, name);
    return value === undefined || isRemote(value) ? value : resolve(workingFolder(env), value);
  };
  const given: Record<string, string | undefined> = {
    CURIO_HOME: folder('home'),
    CURIO_STATE: folder('state'),
    CURIO_CACHE: folder('cache'),
    CURIO_MODELS: folder('models'),
    CURIO_PLACES: placesOf(textOf(command, 'places'), env),
    CURIO_MEMORY_MB: textOf(command, 'memory-mb'),
    CURIO_DEMO: textOf(command, 'demo'),
    CURIO_OPEN: textOf(command, 'open'),
    PORT: textOf(command, 'port'),
    HOST: textOf(command, 'host'),
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return readSettings({ ...env, ...set });
}

export interface Connection {
  client: Client;
  close(): Promise<void>;
}

const answerTimeoutMs = 3_000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
};

/** The address of a server that runs on this state, if there is one that answers. */
export async function findServer(state: string): Promise<string | null> {
  try {
    const { url, pid } = JSON.parse(await readFile(join(state, 'server.json'), 'utf8')) as {
      url: string;
      pid: number;
    };
    if (!isAlive(pid)) return null;
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(answerTimeoutMs) });
    return response.ok ? url : null;
  } catch {
    return null;
  }
}

/** A client of the server that is named or runs on this state; otherwise of one that is started for this command alone. */
export async function connect(command: Command, env: NodeJS.ProcessEnv): Promise<Connection> {
  const named = textOf(command, 'url');
  if (named !== undefined)
    return { client: createClient(named.replace(/\/+$/, '')), close: async () => undefined };
  const settings = settingsOf(command, env);
  const running = await findServer(settings.state);
  if (running !== null) return { client: createClient(running), close: async () => undefined };
  const { startServer } = await import('../start-server.ts');
  const server = await startServer({
    ...settings,
    port: 0,
    host: '127.0.0.1',
    hasDemo: false,
    opensBrowser: false,
  });
  return { client: createClient(server.url), close: () => server.close() };
}
