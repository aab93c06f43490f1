import type { Settings } from '../../settings.ts';
import { type ExitCode, exitCode } from '../exit-codes.ts';

const patienceMs = 4_000;

/** Serves until it is told to stop. */
export async function runServe(settings: Settings, signal: AbortSignal): Promise<ExitCode> {
  const { startServer } = await import('../../start-server.ts');
  const server = await startServer(settings);
  process.stdout.write(`Curio is ready at ${server.url}\n`);
  server.onReady();
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  setTimeout(() => process.exit(exitCode.ok), patienceMs).unref();
  await server.close();
  return exitCode.ok;
}
