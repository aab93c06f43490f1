import { readSettings } from './settings.ts';
import { startServer } from './start-server.ts';

const server = await startServer(readSettings(process.env));
process.stdout.write(`Curio is ready at ${server.url}\n`);
server.onReady();

let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), 4_000).unref();
  void server.close().then(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
