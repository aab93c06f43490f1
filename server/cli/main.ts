import { exitCode } from './exit-codes.ts';
import { runCommand } from './run-command.ts';

const controller = new AbortController();
const againAfterMs = 500;
let firstAtMs = 0;

/** The first Ctrl-C cancels what runs; another one, a moment later, leaves at once. npm sends each signal twice. */
const stop = (): void => {
  if (firstAtMs === 0) firstAtMs = Date.now();
  else if (Date.now() - firstAtMs > againAfterMs) process.exit(exitCode.cancelled);
  controller.abort();
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? exitCode.ok : exitCode.failed),
);

const code = await runCommand(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  signal: controller.signal,
});
process.stdout.write('', () => process.exit(code));
