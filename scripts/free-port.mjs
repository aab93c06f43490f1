// Plain JavaScript that any Node from 18 on can read.
import { createServer } from 'node:net';

/** The value of `--name value` or `--name=value`. */
function optionOf(args, name) {
  for (const [at, arg] of args.entries()) {
    if (arg === `--${name}`) return args[at + 1];
    if (arg.startsWith(`--${name}=`)) return arg.slice(name.length + 3);
  }
  return undefined;
}

/** Where `serve` would listen; `null` where that is any free port, or no port: then the server says so itself. */
export function wantedAddress(args, env) {
  const port = Number(optionOf(args, 'port') || env.PORT || 4820);
  const host = optionOf(args, 'host') || env.HOST || '127.0.0.1';
  return Number.isInteger(port) && port > 0 && port < 65_536 ? { host, port } : null;
}

/** Whether something listens there already. */
export const isTaken = ({ host, port }) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }) => resolve(code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
