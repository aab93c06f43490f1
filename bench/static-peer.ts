import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A plain static server of a folder of pictures, from memory, as one writes it in an hour. */
const folder = process.argv[2] as string;
const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(join(folder, name))]));
const server = createServer((request, response) => {
  const bytes = files.get(request.url ?? '');
  if (bytes)
    response.writeHead(200, { 'Content-Type': 'image/webp', 'Content-Length': bytes.length }).end(bytes);
  else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on('SIGTERM', () => process.exit(0));
